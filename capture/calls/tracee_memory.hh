// Reads the memory of a stopped program: process_vm_readv(2).
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

namespace tcplab::capture {

/// An address in the traced program.
using TraceeAddress = std::uint64_t;

/// Returns how many bytes were read: less than asked at the end of a mapping, 0 if there is none.
std::size_t read_tracee(pid_t thread, TraceeAddress address, std::span<std::byte> bytes);

/// Reads a value; nothing if it is not all there.
template <typename Value>
requires std::is_trivially_copyable_v<Value> std::optional<Value> read_value(
    pid_t thread, TraceeAddress address) {
  Value value{};
  const auto bytes = std::as_writable_bytes(std::span(&value, 1));
  if (address == 0 || read_tracee(thread, address, bytes) != bytes.size()) return std::nullopt;
  return value;
}

/// Reads up to `count` values, as many as are there.
template <typename Value>
requires std::is_trivially_copyable_v<Value> std::vector<Value> read_values(pid_t thread,
                                                                            TraceeAddress address,
                                                                            std::size_t count) {
  std::vector<Value> values(count);
  const std::size_t size =
      address == 0 ? 0 : read_tracee(thread, address, std::as_writable_bytes(std::span(values)));
  values.resize(size / sizeof(Value));
  return values;
}

}  // namespace tcplab::capture
