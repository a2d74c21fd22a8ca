// Follows one TCP connection through a capture: what each segment was, what each end did, and the
// RST that ended it. Pure; bounded memory.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "capture/decode/decode.hh"
#include "capture/decode/flow_key.hh"
#include "capture/follow/first_probes.hh"
#include "capture/follow/segment_reading.hh"
#include "capture/follow/sequence_tracker.hh"
#include "capture/follow/state_tracker.hh"

namespace tcplab::capture {

/// The RST that ended the connection.
struct ConversationReset {
  ResetKind kind = ResetKind::none;
  std::size_t by = 0;
  SegmentTraits after;               // of the segment before it
  bool after_data = false;           // the last segment that its receiver had sent was data
  bool goes_on = false;              // a segment other than a RST came after it
  std::array<TcpState, 2> states{};  // of the ends, when it came
};

/// What one end did.
struct ConversationEnd {
  Endpoint address;
  std::uint32_t segments = 0;
  std::uint64_t octets = 0;         // of data, each counted once
  std::uint32_t data_frames = 0;    // with octets that were new to the capture
  std::uint32_t data_segments = 0;  // the same, as segments on the wire; see segments_in()
  std::uint32_t retransmissions = 0;
  std::uint32_t out_of_order = 0;
  std::uint32_t duplicate_acks = 0;
  std::uint32_t keepalive_probes = 0;
  std::uint32_t window_probes = 0;
  std::uint32_t zero_windows = 0;  // segments that announced one
  std::uint32_t unanswered = 0;    // retransmissions and probes since the other end's last segment
  std::uint32_t resets = 0;
  std::optional<std::uint16_t> peer_mss;  // the option in the peer's SYN (RFC 9293 section 3.7.1)
  std::int64_t last_at = 0;               // nanoseconds since 1970
};

/// Returns how many octets of data one segment like this can have on the wire. Empty if the peer's
/// SYN was not captured.
std::optional<std::size_t> largest_segment(const TcpSegment& tcp, const ConversationEnd& sender);

/// Returns how many segments the frame is on the wire. A capture at a host has segments before the
/// NIC or the kernel splits them (TSO, GSO), or after it has joined them (GRO): up to 64 kB each.
/// 1 if the peer's SYN was not captured.
std::uint32_t segments_in(const TcpSegment& tcp, const ConversationEnd& sender);

class Conversation {
public:
  /// `first` is the sender of the first segment: end 0.
  Conversation(const FlowKey& first, std::int64_t at);

  /// Follows `frame`, the connection's next TCP segment in the order of the capture.
  SegmentReading note(const DecodedFrame& frame, std::int64_t at);

  /// Returns the states of the two ends, and how the connection was opened and closed.
  const StateTracker& states() const { return states_; }
  const ConversationReset& reset() const { return reset_; }
  const ConversationEnd& end(std::size_t which) const { return ends_.at(which); }
  std::int64_t began_at() const { return began_at_; }
  std::int64_t last_at() const;
  /// Returns an end's sequence numbers, as far as the capture shows them.
  const SequenceVariables& numbers(std::size_t which) const {
    return trackers_.at(which).variables();
  }
  /// Returns the octets of an end's data that the capture lacks, although it has later ones.
  SequenceGaps::Missing missing(std::size_t which) const { return trackers_.at(which).missing(); }

private:
  void count(SegmentTraits traits, std::size_t sender);
  void count_data(const TcpSegment& tcp, std::size_t sender);
  void note_first_probes(const FirstProbes& probes, SegmentReading& reading);
  void note_window(const SegmentHeader& segment, SegmentReading& reading);
  void take_reset(const SegmentHeader& segment, SegmentReading& reading);
  ResetKind kind_of_reset(const SegmentHeader& segment, std::size_t sender) const;

  std::array<ConversationEnd, 2> ends_;
  std::array<bool, 2> sent_data_last_{};
  SequenceTrackers trackers_{SequenceTracker{Vantage::path}, SequenceTracker{Vantage::path}};
  StateTracker states_;
  FirstProbeFinder first_probes_;
  std::int64_t began_at_ = 0;
  ConversationReset reset_;
  SegmentTraits last_traits_;
};

}  // namespace tcplab::capture
