// Which frames a fault or an expectation is about: who sent them to whom, and what is in them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "capture/files/filter.hh"
#include "netns/port.hh"

namespace tcplab::engine {

/// A frame as faults and expectations see it: who sent it to whom, and its bytes.
struct FrameView {
  const std::string& from;
  const std::string& to;  // empty: to all
  netns::Bytes bytes;
  std::string_view link{};  // where it was sent; without a name where there is but one
};

/// Which frames: a direction ("kang > kodos"; both ways when empty) and a pcap filter (all
/// when empty).
class FrameFilter {
public:
  /// Throws base::UsageError for a direction or filter that cannot be read.
  FrameFilter(const std::string& direction, const std::string& expression);

  bool matches(const FrameView& frame) const;
  std::string describe() const;  // "kang > kodos, tcp[tcpflags] & tcp-rst != 0"
  const std::string& from() const { return from_; }
  const std::string& to() const { return to_; }

private:
  std::string from_;
  std::string to_;
  std::string expression_;
  std::optional<capture::PacketFilter> filter_;
};

}  // namespace tcplab::engine
