#include "reports/text/text.hh"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <utility>

#include "base/utf8.hh"

namespace tcplab::reports {

namespace {

bool is_control(char32_t code) { return code < 0x20 || (code >= 0x7f && code < 0xa0); }

// XML 1.0 section 2.2 excludes them even as references.
bool is_no_character(char32_t code) { return code == 0xfffe || code == 0xffff; }

// Invisible characters that change how their neighbours are shown (Unicode TR 36, "bidi spoofing").
bool is_format(char32_t code) {
  return (code >= 0x200b && code <= 0x200f) || (code >= 0x2028 && code <= 0x202e) ||
         (code >= 0x2060 && code <= 0x206f) || code == 0xfeff || code == 0xad;
}

std::string escaped(char32_t code) {
  if (code == '\n') return "\\n";
  if (code == '\t') return "\\t";
  if (code == '\r') return "\\r";
  return code < 0x100 ? fmt::format("\\x{:02x}", unsigned(code))
                      : fmt::format("\\u{:04x}", unsigned(code));
}

bool is_wide(char32_t code) {
  constexpr std::array<std::pair<char32_t, char32_t>, 9> kWide = {{{0x1100, 0x115f},
                                                                   {0x2e80, 0xa4cf},
                                                                   {0xac00, 0xd7a3},
                                                                   {0xf900, 0xfaff},
                                                                   {0xfe30, 0xfe6f},
                                                                   {0xff00, 0xff60},
                                                                   {0xffe0, 0xffe6},
                                                                   {0x1f300, 0x1faff},
                                                                   {0x20000, 0x3fffd}}};
  return std::ranges::any_of(
      kWide, [code](const auto& range) { return code >= range.first && code <= range.second; });
}

bool is_combining(char32_t code) {
  return (code >= 0x300 && code <= 0x36f) || (code >= 0xfe00 && code <= 0xfe0f) ||
         (code >= 0x20d0 && code <= 0x20ff);
}

int columns_of(char32_t code) {
  if (is_combining(code)) return 0;
  return is_wide(code) ? 2 : 1;
}

char ascii_fallback(char32_t code) {
  constexpr std::array<std::pair<char32_t, char>, 26> kDiagnosis = {
      {{U'─', '-'}, {U'│', '|'},     {U'═', '='},  {U'╌', '.'},  {U'┊', '.'}, {U'⋮', ':'},
       {U'▶', '>'}, {U'◀', '<'},     {U'╳', 'X'},  {U'┤', '|'},  {U'├', '|'}, {U'┼', '+'},
       {U'→', '>'}, {U'✓', '+'},     {U'✗', '!'},  {U'·', '-'},  {U'—', '-'}, {U'–', '-'},
       {U'“', '"'}, {U'”', '"'},     {U'‘', '\''}, {U'’', '\''}, {U'×', 'x'}, {U'µ', 'u'},
       {U'∅', '-'}, {U'\u00a0', ' '}}};
  for (const auto& [likened, ascii] : kDiagnosis)
    if (likened == code) return ascii;
  return '?';
}

/// Returns where to end the first line of `text`: the last blank that fits, or the edge.
std::size_t line_end(std::string_view text, int width) {
  const std::size_t edge = first_columns(text, width).size();
  if (edge == text.size()) return edge;
  const std::size_t blank = text.rfind(' ', edge);
  if (blank != std::string_view::npos && blank != 0) return blank;
  return std::max<std::size_t>(edge, base::decode_utf8(text).length);
}

void wrap_line(std::string_view text, int width, std::vector<std::string>& lines) {
  do {
    const std::size_t end = line_end(text, width);
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(end);
    while (text.starts_with(' ')) text.remove_prefix(1);
  } while (!text.empty());
}

/// Most text: it needs no decoding.
bool is_plain(std::string_view text) {
  constexpr char kDelete = '\x7f';
  return std::ranges::all_of(text, [](char c) { return c >= ' ' && c < kDelete; });
}

}  // namespace

std::string printable(std::string_view text) {
  if (is_plain(text)) return std::string(text);
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const base::CodePoint point = base::decode_utf8(text);
    if (!point.valid)
      out += fmt::format("\\x{:02x}", unsigned(static_cast<unsigned char>(text[0])));
    else if (is_control(point.code) || is_format(point.code) || is_no_character(point.code))
      out += escaped(point.code);
    else
      out += text.substr(0, point.length);
    text.remove_prefix(point.length);
  }
  return out;
}

std::string one_line(std::string_view text) {
  // A character has at least one byte, and at most 2 columns: the rest would be cut anyway.
  const std::string start = printable(text.substr(0, std::size_t{4} * kLongestMessage));
  return fit(start, kLongestMessage, {.unicode = false});
}

std::string message(std::string_view text) { return "tcplab: " + one_line(text) + "\n"; }

int columns(std::string_view text) {
  int width = 0;
  while (!text.empty()) {
    const base::CodePoint point = base::decode_utf8(text);
    width += columns_of(point.code);
    text.remove_prefix(point.length);
  }
  return width;
}

std::string_view first_columns(std::string_view text, int width) {
  std::size_t end = 0;
  while (end < text.size()) {
    const base::CodePoint point = base::decode_utf8(text.substr(end));
    width -= columns_of(point.code);
    if (width < 0) break;
    end += point.length;
  }
  return text.substr(0, end);
}

std::string_view ellipsis(const Style& style) { return style.unicode ? "…" : "..."; }

std::string fit(std::string_view text, int width, const Style& style) {
  if (columns(text) <= width) return std::string(text);
  const int room = width - columns(ellipsis(style));
  if (room < 1) return std::string(first_columns(text, width));
  return std::string(first_columns(text, room)) + std::string(ellipsis(style));
}

std::vector<std::string> wrap(std::string_view text, int width) {
  std::vector<std::string> lines;
  while (true) {
    const std::size_t end = text.find('\n');
    wrap_line(printable(text.substr(0, end)), std::max(width, 1), lines);
    if (end == std::string_view::npos) return lines;
    text.remove_prefix(end + 1);
  }
}

std::string to_ascii(std::string_view text) {
  if (is_plain(text)) return std::string(text);
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const base::CodePoint point = base::decode_utf8(text);
    if (point.valid && point.code < 0x80)
      out += char(point.code);
    else if (point.code == U'…')
      out += "...";
    else
      out.append(std::size_t(columns_of(point.code)), ascii_fallback(point.code));
    text.remove_prefix(point.length);
  }
  return out;
}

std::string counted(std::uint64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

}  // namespace tcplab::reports
