#include "reports/suite/xml_text.hh"

#include <fmt/format.h>

#include "base/utf8.hh"

namespace tcplab::reports {

namespace {

/// XML 1.0 section 2.2: most control characters may not even be written as references. The rest
/// must do no harm on a terminal.
bool is_xml_character(char32_t code) {
  if (code < 0x20) return code == '\t' || code == '\n' || code == '\r';
  // Terminals obey U+0080 to U+009F, and these reverse what follows (Unicode TR 36).
  const bool is_c1 = code >= 0x7f && code < 0xa0;
  const bool is_bidi = (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
  return !is_c1 && !is_bidi && code != 0xfffe && code != 0xffff;
}

std::string_view entity(char32_t code) {
  switch (code) {
    case '&':
      return "&amp;";
    case '<':
      return "&lt;";
    case '>':
      return "&gt;";
    case '"':
      return "&quot;";
    default:
      return "";
  }
}

}  // namespace

std::string xml_text(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const base::CodePoint point = base::decode_utf8(text);
    const std::string_view replaced = entity(point.code);
    if (!point.valid || !is_xml_character(point.code))
      out += fmt::format("\\x{:02x}", unsigned(point.code));
    else if (!replaced.empty())
      out += replaced;
    else
      out += text.substr(0, point.length);
    text.remove_prefix(point.length);
  }
  return out;
}

std::string xml_attribute(std::string_view text) {
  std::string out;
  for (const char letter : xml_text(text)) out += letter == '\n' ? "&#10;" : std::string(1, letter);
  return out;
}

}  // namespace tcplab::reports
