#include "reports/suite/github.hh"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fmt/format.h>

namespace tcplab::reports {

namespace {

using capture::Outcome;

/// Percent-encodes what would end a line or, in properties, a field. GitHub's runner decodes it
/// (actions/toolkit, command.ts).
std::string escape(std::string_view text, bool is_property) {
  std::string out;
  for (const char letter : text) {
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

struct SourceLine {
  std::string file;
  int line = 0;
};

/// Returns the line of the failed expectation. For a bad script, parses "FILE:LINE: " of its
/// message.
SourceLine place_of(const RunResult& result) {
  for (const capture::Verdict& verdict : result.verdicts)
    if (!verdict.passed) return {verdict.script, verdict.line};
  SourceLine place{result.file, 0};
  if (!result.file.empty() && result.reason.starts_with(result.file + ":"))
    for (std::size_t at = result.file.size() + 1;
         at < result.reason.size() &&
         std::isdigit(static_cast<unsigned char>(result.reason[at])) != 0 && place.line < 1'000'000;
         ++at)
      place.line = place.line * 10 + (result.reason[at] - '0');
  return place;
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
