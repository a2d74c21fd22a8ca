// One of the two ends of a connection, or none. It has one octet, where std::optional<std::size_t>
// has 16: a capture can have 200,000 connections at once.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tcplab::capture {

class WhichEnd {
public:
  WhichEnd() = default;
  WhichEnd(std::size_t end) : end_(static_cast<std::uint8_t>(end)) {}

  explicit operator bool() const { return end_ != kNone; }
  /// There must be one.
  std::size_t operator*() const { return end_; }
  bool operator==(std::size_t end) const { return end_ == end; }

private:
  static constexpr std::uint8_t kNone = 2;

  std::uint8_t end_ = kNone;
};

}  // namespace tcplab::capture
