// Selects frames for a fault or an expectation: by sender and receiver, and by a pcap filter.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "capture/files/filter.hh"
#include "netns/port.hh"

namespace tcplab::engine {

/// A frame as faults and expectations see it.
struct FrameView {
  const std::string& from;
  const std::string& to;  // empty: a broadcast
  netns::Bytes bytes;
  std::string_view link{};  // where it was sent; empty if the run has only one link
};

/// A direction ("kang > kodos"; empty: both) and a pcap filter (empty: every frame).
class FrameFilter {
public:
  /// Throws base::UsageError for a direction or filter that is not valid.
  FrameFilter(const std::string& direction, const std::string& expression);

  bool matches(const FrameView& frame) const;
  std::string describe() const;  // "kang > kodos, tcp[tcpflags] & tcp-rst != 0"
  const std::string& from() const { return from_; }
  const std::string& to() const { return to_; }
  const std::string& expression() const { return expression_; }

private:
  std::string from_;
  std::string to_;
  std::string expression_;
  std::optional<capture::PacketFilter> filter_;
};

}  // namespace tcplab::engine
