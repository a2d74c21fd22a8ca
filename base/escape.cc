#include "base/escape.hh"

namespace tcplab::base {

namespace {

constexpr std::string_view kNamed = "\a\b\f\n\r\t\v";
constexpr std::string_view kNames = "abfnrtv";

void append(EscapedByte& escaped, char letter) { escaped.text[escaped.size++] = letter; }

EscapedByte escape_for_c(unsigned char byte) {
  EscapedByte escaped;
  const char letter = static_cast<char>(byte);
  if (byte >= 0x20 && byte < 0x7f) {
    if (letter == '"' || letter == '\\') append(escaped, '\\');
    append(escaped, letter);
    return escaped;
  }
  append(escaped, '\\');
  if (const auto named = kNamed.find(letter); named != std::string_view::npos) {
    append(escaped, kNames[named]);
    return escaped;
  }
  for (const int shift : {6, 3, 0}) append(escaped, static_cast<char>('0' + (byte >> shift & 7)));
  return escaped;
}

// RFC 8259 section 7: in the C form, JSON has to escape only the quote and the backslash.
EscapedByte escape_for_json(unsigned char byte) {
  EscapedByte escaped;
  const EscapedByte in_c = escape_for_c(byte);
  for (const char letter : in_c.view()) {
    if (letter == '"' || letter == '\\') append(escaped, '\\');
    append(escaped, letter);
  }
  return escaped;
}

template <typename Escaper>
std::array<EscapedByte, 256> make_table(Escaper escaper) {
  std::array<EscapedByte, 256> table;
  for (unsigned byte = 0; byte < table.size(); ++byte)
    table[byte] = escaper(static_cast<unsigned char>(byte));
  return table;
}

/// Removes up to `longest` digits of `base` from the front of `text`, and returns their value;
/// nullopt if there are none.
std::optional<unsigned> take_digits(std::string_view& text, unsigned base, std::size_t longest) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  unsigned value = 0;
  std::size_t taken = 0;
  for (; taken < longest && taken < text.size(); ++taken) {
    const char lower = static_cast<char>(text[taken] >= 'A' && text[taken] <= 'F' ? text[taken] | 32
                                                                                  : text[taken]);
    const auto digit = kDigits.substr(0, base).find(lower);
    if (digit == std::string_view::npos) break;
    value = value * base + static_cast<unsigned>(digit);
  }
  if (taken == 0) return std::nullopt;
  text.remove_prefix(taken);
  return value;
}

/// Removes an escape, after its backslash, from the front of `text`, and returns its byte; nullopt
/// if it is not valid.
std::optional<char> take_escape(std::string_view& text) {
  if (text.empty()) return std::nullopt;
  if (const auto octal = take_digits(text, 8, 3)) {
    if (*octal > 255) return std::nullopt;
    return static_cast<char>(*octal);
  }
  const char letter = text.front();
  text.remove_prefix(1);
  if (letter == 'x') {
    const auto value = take_digits(text, 16, 2);
    return value ? std::optional(static_cast<char>(*value)) : std::nullopt;
  }
  if (letter == 'e') return '\033';
  if (letter == '\\' || letter == '"' || letter == '\'') return letter;
  const auto named = kNames.find(letter);
  return named == std::string_view::npos ? std::nullopt : std::optional(kNamed[named]);
}

}  // namespace

const EscapedByte& escaped_for_c(unsigned char byte) {
  static const auto kTable = make_table(escape_for_c);
  return kTable[byte];
}

const EscapedByte& escaped_for_json(unsigned char byte) {
  static const auto kTable = make_table(escape_for_json);
  return kTable[byte];
}

std::string c_escape(std::string_view bytes) {
  std::string text;
  for (const char byte : bytes) text += escaped_for_c(static_cast<unsigned char>(byte)).view();
  return text;
}

std::string c_quote(std::string_view bytes, std::size_t shown) {
  const bool all = bytes.size() <= shown;
  return '"' + c_escape(bytes.substr(0, shown)) + (all ? "\"" : "\"..");
}

std::optional<std::string> c_unescape(std::string_view text) {
  std::string bytes;
  while (!text.empty()) {
    const char letter = text.front();
    text.remove_prefix(1);
    if (letter != '\\') {
      bytes += letter;
      continue;
    }
    const auto escaped = take_escape(text);
    if (!escaped) return std::nullopt;
    bytes += *escaped;
  }
  return bytes;
}

}  // namespace tcplab::base
