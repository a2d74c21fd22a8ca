// Remembers the frames that one end of a connection has sent and received, so that a segment can be
// tied to the frame that it answers, acknowledges or retransmits. Compares numbers, not times.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>

#include "capture/event/event.hh"
#include "capture/follow/sequence_tracker.hh"

namespace tcplab::reports {

enum class SegmentRole : std::uint8_t {
  first,           // has octets that were not sent before
  retransmission,  // of `like`
  answer,          // a SYN,ACK or a RST whose numbers are from `like`
  acknowledgment,  // acknowledges `like` for the first time
  keepalive,
  window_probe,
  window_update,
  other,
};

struct RoleOfSegment {
  SegmentRole role = SegmentRole::other;
  std::uint64_t like = 0;  // a frame; 0 if it is unknown
};

class SegmentFlow {
public:
  /// This end sends `packet`, whose traits are known.
  RoleOfSegment sends(const capture::Packet& packet, capture::SegmentTraits traits);
  /// `packet` reaches this end.
  void gets(const capture::Packet& packet);

  /// Returns the offset of the packet's data in this end's stream, from 0; none if the SYN was not
  /// seen.
  std::optional<std::uint32_t> offset_of(const capture::Packet& packet) const;

  struct Arrival {
    std::uint64_t frame = 0;
    capture::Instant at{};
    bool wakes = false;  // data, FIN, RST or SYN: a program may be waiting for it
    bool has_ack = false;
    std::uint32_t end = 0;  // after its last octet
    std::uint32_t acknowledgment = 0;
  };
  /// Returns the last arrivals, oldest first.
  const std::deque<Arrival>& arrivals() const { return arrivals_; }

  /// Returns true if more than `octets` had arrived before `before`: a read(2) that was entered
  /// then, by a program that had read that many, did not have to wait.
  bool had_more_than(std::uint32_t octets, capture::Instant before) const;

  std::string forgotten;  // how the host lost the connection; empty if it has it

private:
  struct Sent {
    std::uint64_t frame = 0;
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
  };
  RoleOfSegment reset_role(const capture::SegmentHeader& header) const;
  RoleOfSegment acknowledgment_role(const capture::SegmentHeader& header) const;
  std::uint64_t frame_that_sent(std::uint32_t sequence) const;

  std::optional<std::uint32_t> first_;  // sequence number of the stream's first octet
  std::optional<std::uint32_t> peers_first_;
  std::deque<Sent> sent_;
  std::deque<Arrival> arrivals_;
};

}  // namespace tcplab::reports
