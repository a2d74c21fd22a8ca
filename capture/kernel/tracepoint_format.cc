#include "capture/kernel/tracepoint_format.hh"

#include <bit>
#include <charconv>
#include <cstring>

#include "base/error.hh"
#include "base/split.hh"

namespace tcplab::capture {

namespace {

static_assert(std::endian::native == std::endian::little, "records are in the kernel's byte order");

constexpr std::string_view kField = "field:";
constexpr std::string_view kSymbolic = "__print_symbolic(REC->";

std::string_view trimmed(std::string_view text) {
  const auto begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

/// Parses a number as in C: 12, -1, 0x10. Returns nullopt for the name of a constant.
std::optional<std::int64_t> c_number(std::string_view text) {
  text = trimmed(text);
  const bool is_negative = text.starts_with('-');
  if (is_negative) text.remove_prefix(1);
  const bool is_hexadecimal = text.starts_with("0x");
  if (is_hexadecimal) text.remove_prefix(2);
  std::int64_t number = 0;
  const auto [end, error] =
      std::from_chars(text.begin(), text.end(), number, is_hexadecimal ? 16 : 10);
  if (error != std::errc{} || end != text.end()) return std::nullopt;
  return is_negative ? -number : number;
}

/// Returns the number between a key, such as "offset:", and the next semicolon.
std::optional<std::int64_t> member(std::string_view line, std::string_view key) {
  const auto at = line.find(key);
  if (at == std::string_view::npos) return std::nullopt;
  const std::string_view rest = line.substr(at + key.size());
  return c_number(rest.substr(0, rest.find(';')));
}

/// Returns the name of a field: "saddr" for "field:__u8 saddr[28]; ...".
std::string_view name_of(std::string_view line) {
  std::string_view declaration = line.substr(kField.size());
  declaration = trimmed(declaration.substr(0, declaration.find(';')));
  const auto blank = declaration.find_last_of(" \t*");
  if (blank != std::string_view::npos) declaration.remove_prefix(blank + 1);
  return declaration.substr(0, declaration.find('['));
}

struct Pair {
  std::string_view number;
  std::string_view word;
};

/// Removes `, { 1, "NO_SOCKET" }` from the front and returns it; nullopt if the front is different.
std::optional<Pair> take_pair(std::string_view& rest) {
  std::string_view text = trimmed(rest);
  if (!text.starts_with(',')) return std::nullopt;
  text = trimmed(text.substr(1));
  const auto comma = text.find(',');
  const auto open = text.find('"');
  const auto close = text.find('"', open + 1);
  const auto end = text.find('}', close);
  if (!text.starts_with('{') || end == std::string_view::npos || comma > open) return std::nullopt;
  rest = text.substr(end + 1);
  return Pair{text.substr(1, comma - 1), text.substr(open + 1, close - open - 1)};
}

}  // namespace

TracepointFormat TracepointFormat::parse(std::string_view text) {
  TracepointFormat format;
  for (const std::string& line : base::split(text, '\n')) format.take_line(trimmed(line));
  if (format.id_ == 0 || format.fields_.empty())
    throw base::LabError("cannot parse a tracepoint's format: it has no ID or no fields");
  return format;
}

void TracepointFormat::take_line(std::string_view line) {
  if (line.starts_with("ID:")) id_ = static_cast<int>(c_number(line.substr(3)).value_or(0));
  if (line.starts_with(kField)) take_field(line);
  if (line.starts_with("print fmt:")) take_words(line);
}

void TracepointFormat::take_field(std::string_view line) {
  const auto offset = member(line, "offset:");
  const auto size = member(line, "size:");
  if (!offset || !size || *offset < 0 || *size < 0) return;
  fields_[std::string(name_of(line))] = {static_cast<std::size_t>(*offset),
                                         static_cast<std::size_t>(*size),
                                         member(line, "signed:").value_or(0) != 0};
}

/// Parses __print_symbolic(REC->reason, { 1, "NO_SOCKET" }, { 2, "TCP_FLAGS" }).
void TracepointFormat::take_words(std::string_view print) {
  for (auto at = print.find(kSymbolic); at != std::string_view::npos; at = print.find(kSymbolic)) {
    print.remove_prefix(at + kSymbolic.size());
    const auto comma = print.find(',');
    if (comma == std::string_view::npos) return;
    Words& words = words_[std::string(print.substr(0, comma))];
    print.remove_prefix(comma);
    while (const auto pair = take_pair(print))
      if (const auto number = c_number(pair->number)) words[*number] = pair->word;
  }
}

Bytes TracepointFormat::bytes(Bytes record, std::string_view field) const {
  const auto found = fields_.find(field);
  if (found == fields_.end()) return {};
  const Bytes part = slice(record, found->second.offset, found->second.size);
  return part.size() == found->second.size ? part : Bytes{};
}

std::optional<std::int64_t> TracepointFormat::number(Bytes record, std::string_view field) const {
  const Bytes part = bytes(record, field);
  std::uint64_t number = 0;
  if (part.empty() || part.size() > sizeof number) return std::nullopt;
  std::memcpy(&number, part.data(), part.size());
  const std::size_t unused = 8 * (sizeof number - part.size());
  if (!fields_.find(field)->second.is_signed) return static_cast<std::int64_t>(number);
  return static_cast<std::int64_t>(number << unused) >> unused;
}

std::string_view TracepointFormat::word(Bytes record, std::string_view field) const {
  const auto words = words_.find(field);
  const auto value = number(record, field);
  if (words == words_.end() || !value) return {};
  const auto found = words->second.find(*value);
  return found == words->second.end() ? std::string_view{} : std::string_view(found->second);
}

}  // namespace tcplab::capture
