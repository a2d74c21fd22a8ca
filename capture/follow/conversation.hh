// Follows one TCP connection through a capture: the states that its two ends must have been in, and
// what each segment was. Follows RFC 9293's state diagram (Figure 5) from the segments alone. A
// segment counts as received when the other end shows that it was, so a state is reported a little
// later than the end entered it. Pure; bounded memory.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "capture/decode/decode.hh"
#include "capture/decode/flow_key.hh"
#include "capture/event/event.hh"
#include "capture/follow/sequence_tracker.hh"

namespace tcplab::capture {

enum class ResetKind : std::uint8_t {
  none,
  refused,        // it answers a SYN
  no_connection,  // it answers a segment of a connection that its kernel does not have
  abort,          // RST,ACK in a live connection: ABORT, or closed with unread data
  gave_up,        // the same, after probes or retransmissions that were not answered
  after_close,    // its sender had sent a FIN: the program is gone
  out_of_place,   // the numbers are neither end's: forged, or of an earlier connection
};

struct StateChange {
  std::size_t end = 0;
  TcpState from = TcpState::closed;
  TcpState to = TcpState::closed;
};

/// Segments that a later one shows to have been probes: the capture begins with them.
struct FirstProbes {
  std::size_t end = 0;
  std::uint64_t count = 0;  // without the segment that is read
  SegmentTrait kind = SegmentTrait::keepalive_probe;
};

struct SegmentReading {
  std::size_t sender = 0;  // which end
  SegmentTraits traits;
  ResetKind reset = ResetKind::none;
  bool closes_window = false;  // announces a window of zero; the sender's last segment did not
  bool opens_window = false;   // announces a window; the sender's last segment announced zero
  std::array<SequenceVariables, 2> before;  // of both ends, before the segment
  std::vector<StateChange> changes;
  std::optional<FirstProbes> first_probes;
};

/// What one end did.
struct ConversationEnd {
  Endpoint address;
  TcpState state = TcpState::closed;
  std::uint64_t segments = 0;
  std::uint64_t octets = 0;         // of data, each counted once
  std::uint64_t data_frames = 0;    // with octets that were new to the capture
  std::uint64_t data_segments = 0;  // the same, as segments on the wire; see segments_in()
  std::uint64_t retransmissions = 0;
  std::uint64_t out_of_order = 0;
  std::uint64_t duplicate_acks = 0;
  std::uint64_t keepalive_probes = 0;
  std::uint64_t window_probes = 0;
  std::uint64_t zero_windows = 0;  // segments that announced one
  std::uint64_t unanswered = 0;    // retransmissions and probes since the other end's last segment
  std::uint64_t resets = 0;
  bool sent_syn = false;
  bool sent_syn_ack = false;
  bool sent_fin = false;
  std::optional<std::uint16_t> peer_mss;  // the option in the peer's SYN (RFC 9293 section 3.7.1)
  std::int64_t last_at = 0;               // nanoseconds since 1970
};

/// Returns how many octets of data one segment like this can have on the wire. Empty if the peer's
/// SYN was not captured.
std::optional<std::size_t> largest_segment(const TcpSegment& tcp, const ConversationEnd& sender);

/// Returns how many segments the frame is on the wire. A capture at a host has segments before the
/// NIC or the kernel splits them (TSO, GSO), or after it has joined them (GRO): up to 64 kB each.
/// 1 if the peer's SYN was not captured.
std::uint64_t segments_in(const TcpSegment& tcp, const ConversationEnd& sender);

class Conversation {
public:
  /// `first` is the sender of the first segment: end 0.
  Conversation(const FlowKey& first, std::int64_t at);

  /// Follows `frame`, the connection's next TCP segment in the order of the capture.
  SegmentReading note(const DecodedFrame& frame, std::int64_t at);

  /// True if a SYN may begin another connection of the same endpoints (section 3.6.1).
  bool is_over() const;

  const ConversationEnd& end(std::size_t which) const { return ends_[which].seen; }
  /// True if the capture has the connection's beginning.
  bool is_whole() const { return ends_[0].seen.sent_syn && !begins_with_syn_ack_; }
  /// True if the capture begins with the SYN,ACK: the SYN is not in it.
  bool begins_with_syn_ack() const { return begins_with_syn_ack_; }
  /// Returns the end that sent the SYN. Empty if no SYN was captured, or if both ends sent one.
  std::optional<std::size_t> client() const;
  /// Returns the end that sent frames, if the other end evidently sent some too and the capture has
  /// none of them.
  std::optional<std::size_t> only_direction() const;
  std::int64_t began_at() const { return began_at_; }
  std::int64_t last_at() const;
  ResetKind reset() const { return reset_; }
  std::size_t reset_by() const { return reset_by_; }
  /// Returns the traits of the segment before the reset.
  SegmentTraits reset_after() const { return reset_after_; }
  /// True if the last segment that the reset's receiver had sent was data.
  bool reset_after_data() const { return reset_after_data_; }
  /// Returns true if a segment other than a RST came after the reset.
  bool goes_on_after_reset() const { return goes_on_after_reset_; }
  /// Returns the state of an end when the reset came.
  TcpState reset_in(std::size_t which) const { return reset_in_[which]; }
  /// Returns the end that sent the first FIN.
  std::optional<std::size_t> closed_first() const { return closed_first_; }
  bool was_established() const { return was_established_; }
  /// Returns the states that the end may be in: the likely one first, then those that it had before
  /// the segments that were sent to it since its own last one. It may not have received them.
  std::vector<TcpState> possible_states(std::size_t which) const;
  /// Returns an end's sequence numbers, as far as the capture shows them.
  const SequenceVariables& numbers(std::size_t which) const {
    return ends_[which].tracker.variables();
  }

  /// Returns the octets of an end's data that the capture lacks, although it has later ones.
  SequenceGaps::Missing missing(std::size_t which) const { return ends_[which].tracker.missing(); }

private:
  struct End {
    ConversationEnd seen;
    SequenceTracker tracker{Vantage::path};
    bool fin_received = false;  // the other end's, by this one
    bool sent_data_last = false;
    std::vector<TcpState> since_spoke{TcpState::closed};
    bool was_answered = false;            // its segments show that the other end's arrived
    bool has_left_handshake = false;      // it sent a segment without SYN
    std::uint64_t syn_acks_unheeded = 0;  // SYN,ACKs after the acknowledgment of the first
    std::uint64_t others_segments = 0;    // of the other end, when this one spoke last
    std::optional<std::uint32_t> echo;    // TSecr of its last segment (RFC 7323)
  };

  void count(SegmentTraits traits, End& sender, End& receiver);
  void count_data(const TcpSegment& tcp, End& sender);
  void note_unseen_answer(const SegmentHeader& segment, std::size_t sender,
                          SegmentReading& reading);
  void note_window(const SegmentHeader& segment, SegmentReading& reading);
  void find_first_probes(const SegmentHeader& segment, std::size_t sender, SegmentReading& reading);
  void note_first_probes(const FirstProbes& probes, SegmentReading& reading);
  void find_repeated_probe(const SegmentHeader& segment, std::int64_t pause,
                           SegmentReading& reading);
  bool repeats_itself(const SegmentHeader& segment, std::int64_t pause,
                      const SequenceVariables& before, std::size_t sender) const;
  void open(const SegmentHeader& segment, std::size_t sender, SegmentReading& reading);
  void note_unheeded(const SegmentHeader& segment, std::size_t sender, SegmentReading& reading);
  void take_acknowledgment(const SegmentHeader& segment, std::size_t sender,
                           SegmentReading& reading);
  void take_fin(std::size_t sender, SegmentReading& reading);
  void take_reset(const SegmentHeader& segment, std::size_t sender, SegmentReading& reading);
  ResetKind kind_of_reset(const SegmentHeader& segment, std::size_t sender) const;
  void fin_arrives(std::size_t receiver, SegmentReading& reading);
  void fin_acknowledged(std::size_t sender, SegmentReading& reading);
  void move(std::size_t end, TcpState to, SegmentReading& reading);

  std::array<End, 2> ends_;
  std::int64_t began_at_ = 0;
  ResetKind reset_ = ResetKind::none;
  std::size_t reset_by_ = 0;
  SegmentTraits last_traits_;
  SegmentTraits reset_after_;
  bool reset_after_data_ = false;
  bool goes_on_after_reset_ = false;
  std::array<TcpState, 2> reset_in_{};
  std::optional<std::size_t> closed_first_;
  bool was_established_ = false;
  bool begins_with_syn_ack_ = false;
};

}  // namespace tcplab::capture
