// What one end of a connection has sent and got: enough to tell which frame a segment answers,
// which it repeats, and whether it probes. Numbers only, so that it holds whatever the time.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>

#include "capture/event/event.hh"

namespace tcplab::reports {

enum class SegmentRole : std::uint8_t {
  first,           // some of what it has was not sent before
  again,           // sent before: `like`
  answer,          // a SYN,ACK or a RST whose numbers are those of `like`
  acknowledgment,  // of `like`, for the first time, and of what was before it
  keepalive,       // RFC 9293 section 3.8.4
  window_probe,
  window,  // acknowledges nothing new, and announces a larger window
  other,
};

struct RoleOfSegment {
  SegmentRole role = SegmentRole::other;
  std::uint64_t like = 0;  // a frame; 0: none that is known
};

class SegmentFlow {
public:
  /// This end sends it.
  RoleOfSegment sends(const capture::Packet& packet);
  /// It has reached this end.
  void gets(const capture::Packet& packet);

  /// Where its octets stand in this end's stream, from 0; nothing when the SYN was not seen.
  std::optional<std::uint32_t> offset_of(const capture::Packet& packet) const;

  struct Arrival {
    std::uint64_t frame = 0;
    capture::Instant at{};
    bool wakes = false;  // data, FIN, RST or SYN: something for a program
    bool has_ack = false;
    std::uint32_t end = 0;  // behind its last octet
    std::uint32_t acknowledgment = 0;
  };
  /// The last ones, oldest first.
  const std::deque<Arrival>& arrivals() const { return arrivals_; }

  /// Something had come before that for a program that has read so many octets: a read(2) that
  /// was entered then did not have to wait.
  bool had_more_than(std::uint32_t octets, capture::Instant before) const;

  std::string forgotten;  // how its host has lost the connection; empty: it has not

private:
  struct Sent {
    std::uint64_t frame = 0;
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
  };
  RoleOfSegment reset_role(const capture::Packet& packet) const;
  RoleOfSegment acknowledgment_role(const capture::Packet& packet) const;
  std::uint64_t sent_in(const capture::Packet& packet) const;

  std::optional<std::uint32_t> first_;  // of the stream
  std::optional<std::uint32_t> next_;   // behind the last octet that was sent
  std::optional<std::uint32_t> acknowledged_;
  std::optional<std::uint32_t> peers_first_;
  std::optional<std::uint32_t> window_;
  std::uint32_t peers_window_ = 1;
  std::deque<Sent> sent_;
  std::deque<Arrival> arrivals_;
};

}  // namespace tcplab::reports
