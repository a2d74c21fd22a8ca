#include "reports/suite/github.hh"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>

#include "reports/text/text.hh"

namespace tcplab::reports {

namespace {

using capture::Outcome;

/// Returns the text without control characters, except line feeds.
std::string printable_lines(std::string_view text) {
  std::string out;
  while (true) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    out += printable(text.substr(0, end));
    if (end == text.size()) return out;
    out += '\n';
    text.remove_prefix(end + 1);
  }
}

/// Percent-encodes what would end a line or, in properties, a field. GitHub's runner decodes it
/// (actions/toolkit, command.ts).
std::string escape(std::string_view text, bool is_property) {
  std::string out;
  for (const char letter : is_property ? printable(text) : printable_lines(text)) {
    const bool separates = is_property && (letter == ':' || letter == ',');
    if (letter == '%' || letter == '\r' || letter == '\n' || separates)
      out += fmt::format("%{:02X}", static_cast<unsigned char>(letter));
    else
      out += letter;
  }
  return out;
}

std::string as_github_knows(const std::string& file, const std::string& root) {
  if (file.empty() || root.empty()) return file;
  const std::string inside = std::filesystem::path(file).lexically_proximate(root).string();
  return inside.starts_with("..") ? file : inside;
}

std::string annotation(const RunResult& result, const std::string& root) {
  const SourceLine place = place_of(result);
  std::string properties;
  if (!place.file.empty()) properties += "file=" + escape(as_github_knows(place.file, root), true);
  if (place.line > 0) properties += fmt::format(",line={}", place.line);
  properties += properties.empty() ? "title=" : ",title=";
  properties += escape(result.name + " (" + result.variant + ")", true);
  const std::string& text = result.failure_text.empty() ? result.reason : result.failure_text;
  return "::error " + properties + "::" + escape(text, false) + "\n";
}

}  // namespace

std::string github_annotations(const SuiteRecord& suite, const std::string& root) {
  std::string out;
  for (const RunResult& result : suite.results)
    if (is_trouble(result)) out += annotation(result, root);
  return out;
}

}  // namespace tcplab::reports
