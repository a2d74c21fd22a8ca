// Bytes of a frame, and how to read numbers from them: in network byte order, or little-endian.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

namespace tcplab::capture {

using Bytes = std::span<const std::uint8_t>;

// The caller must check that the number lies within the bytes.
constexpr std::uint16_t read_u16(Bytes bytes, std::size_t at) {
  return static_cast<std::uint16_t>(bytes[at] << 8 | bytes[at + 1]);
}

constexpr std::uint32_t read_u32(Bytes bytes, std::size_t at) {
  return std::uint32_t{read_u16(bytes, at)} << 16 | read_u16(bytes, at + 2);
}

constexpr std::uint16_t read_little16(Bytes bytes, std::size_t at) {
  return static_cast<std::uint16_t>(bytes[at + 1] << 8 | bytes[at]);
}

constexpr std::uint32_t read_little32(Bytes bytes, std::size_t at) {
  return std::uint32_t{read_little16(bytes, at + 2)} << 16 | read_little16(bytes, at);
}

/// Returns at most `length` bytes, starting at `from`; empty if `from` is past the end.
constexpr Bytes slice(Bytes bytes, std::size_t from, std::size_t length = SIZE_MAX) {
  if (from >= bytes.size()) return {};
  return bytes.subspan(from, std::min(length, bytes.size() - from));
}

}  // namespace tcplab::capture
