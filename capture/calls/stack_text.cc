#include "capture/calls/stack_text.hh"

#include <charconv>
#include <cstddef>
#include <span>

#include "base/error.hh"

namespace tcplab::capture {

namespace {

constexpr std::string_view kPrefix = "stack ";
constexpr std::string_view kDigits = "0123456789abcdef";

void append_hex(std::string& text, std::span<const std::byte> bytes) {
  text.reserve(text.size() + 2 * bytes.size());
  for (const std::byte byte : bytes) {
    text += kDigits[std::to_integer<std::size_t>(byte >> 4)];
    text += kDigits[std::to_integer<std::size_t>(byte & std::byte{0xf})];
  }
}

/// Takes the words of the line, one after the other.
class StackWords {
public:
  explicit StackWords(std::string_view text) : rest_(text) {}

  template <typename Number>
  Number number() {
    return number_of<Number>(next(), 10);
  }

  std::vector<std::byte> bytes() {
    const std::string_view digits = next();
    if (digits.size() % 2 != 0) damaged();
    std::vector<std::byte> bytes;
    bytes.reserve(digits.size() / 2);
    for (std::size_t at = 0; at < digits.size(); at += 2)
      bytes.push_back(std::byte{number_of<std::uint8_t>(digits.substr(at, 2), 16)});
    return bytes;
  }

private:
  [[noreturn]] static void damaged() { throw base::LabError("the copy of a stack is damaged"); }

  template <typename Number>
  static Number number_of(std::string_view word, int base) {
    Number value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value, base);
    if (error != std::errc{} || end != word.data() + word.size()) damaged();
    return value;
  }

  std::string_view next() {
    const auto end = rest_.find(' ');
    const std::string_view word = rest_.substr(0, end);
    rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
    return word;
  }

  std::string_view rest_;
};

}  // namespace

std::string to_text(const StackCopy& stack) {
  std::string text(kPrefix);
  text += std::to_string(stack.process);
  text += ' ' + std::to_string(stack.program_counter);
  text += ' ' + std::to_string(stack.stack_pointer);
  text += ' ' + std::to_string(stack.registers.size());
  for (const std::uint64_t value : stack.registers) text += ' ' + std::to_string(value);
  text += ' ';
  append_hex(text, stack.memory);
  text += ' ';
  if (stack.maps) append_hex(text, std::as_bytes(std::span(*stack.maps)));
  return text;
}

std::optional<StackCopy> parse_stack_copy(std::string_view line) {
  if (!line.starts_with(kPrefix)) return std::nullopt;
  StackWords words(line.substr(kPrefix.size()));
  StackCopy stack;
  stack.process = words.number<pid_t>();
  stack.program_counter = words.number<TraceeAddress>();
  stack.stack_pointer = words.number<TraceeAddress>();
  for (auto count = words.number<std::size_t>(); count > 0; --count)
    stack.registers.push_back(words.number<std::uint64_t>());
  stack.memory = words.bytes();
  const std::vector<std::byte> maps = words.bytes();
  stack.maps =
      std::make_shared<const std::string>(reinterpret_cast<const char*>(maps.data()), maps.size());
  return stack;
}

}  // namespace tcplab::capture
