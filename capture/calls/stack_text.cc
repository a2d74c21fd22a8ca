#include "capture/calls/stack_text.hh"

#include <cstddef>
#include <cstdint>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <span>

#include "base/error.hh"
#include "capture/calls/message_words.hh"

namespace tcplab::capture {

namespace {

constexpr std::string_view kPrefix = "stack ";

std::string hex(std::span<const std::byte> bytes) {
  const auto* first = reinterpret_cast<const std::uint8_t*>(bytes.data());
  return fmt::format("{:02x}", fmt::join(first, first + bytes.size(), ""));
}

/// Reads what hex() wrote.
std::vector<std::byte> bytes_of(std::string_view digits) {
  std::vector<std::byte> bytes;
  bytes.reserve(digits.size() / 2);
  for (std::size_t at = 0; at < digits.size(); at += 2) {
    const std::string_view pair = digits.substr(at, 2);
    if (pair.size() < 2) throw base::UsageError("the copy of a stack ends too early");
    bytes.push_back(std::byte{number_of<std::uint8_t>(pair, 16)});
  }
  return bytes;
}

}  // namespace

std::string to_text(const StackCopy& stack) {
  const std::span<const char> maps =
      stack.maps ? std::span<const char>(*stack.maps) : std::span<const char>();
  return fmt::format("{}{} {} {} {} {} {} {}", kPrefix, stack.process, stack.program_counter,
                     stack.stack_pointer, stack.registers.size(), fmt::join(stack.registers, " "),
                     hex(stack.memory), hex(std::as_bytes(maps)));
}

std::optional<StackCopy> parse_stack_copy(std::string_view line) {
  if (!line.starts_with(kPrefix)) return std::nullopt;
  MessageWords words(line.substr(kPrefix.size()));
  StackCopy stack;
  stack.process = words.number<pid_t>();
  stack.program_counter = words.number<TraceeAddress>();
  stack.stack_pointer = words.number<TraceeAddress>();
  for (auto count = words.number<std::size_t>(); count > 0; --count)
    stack.registers.push_back(words.number<std::uint64_t>());
  stack.memory = bytes_of(words.next());
  const std::vector<std::byte> maps = bytes_of(words.next());
  stack.maps =
      std::make_shared<const std::string>(reinterpret_cast<const char*>(maps.data()), maps.size());
  return stack;
}

}  // namespace tcplab::capture
