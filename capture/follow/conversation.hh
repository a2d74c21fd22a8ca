// What a capture tells of one TCP connection: the states that its two ends must have been in, and
// what each segment was. Follows RFC 9293's state diagram by what is on the wire, taking a segment
// for received when the other end shows that it was: so the states are those of the ends, a little
// later than they were there. Pure; bounded memory.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "capture/decode/decode.hh"
#include "capture/decode/flow_key.hh"
#include "capture/event/event.hh"
#include "capture/follow/sequence_gaps.hh"

namespace tcplab::capture {

enum class SegmentKind : std::uint8_t {
  ordinary,
  retransmission,     // every octet of it was sent before
  out_of_order,       // it fills a gap that the capture has seen: sent, or seen, in another order
  keepalive_probe,    // RFC 9293 section 3.8.4: one octet before the next, at most one of data
  zero_window_probe,  // section 3.8.6.1: an octet into a window of zero
  duplicate_ack,      // RFC 5681 section 2
};

enum class ResetKind : std::uint8_t {
  none,
  refused,        // in answer to a SYN
  no_connection,  // in answer to a segment of a connection that its kernel does not have
  abort,          // RST, ACK out of a live connection: ABORT, or closed with unread data
  gave_up,        // the same after probes or retransmissions that nobody answered
  after_close,    // of an end that had sent its FIN: its program is gone
  out_of_place,   // neither end's numbers: forged, or of another life of the connection
};

struct StateChange {
  std::size_t end = 0;
  TcpState from = TcpState::closed;
  TcpState to = TcpState::closed;
};

struct SegmentReading {
  std::size_t sender = 0;  // which end
  SegmentKind kind = SegmentKind::ordinary;
  ResetKind reset = ResetKind::none;
  bool closes_window = false;  // it announces a window of zero, and the one before did not
  bool opens_window = false;   // the other way round
  std::vector<StateChange> changes;
};

/// What one end did.
struct ConversationEnd {
  Endpoint address;
  TcpState state = TcpState::closed;
  std::uint64_t segments = 0;
  std::uint64_t octets = 0;         // of data, each counted once
  std::uint64_t data_segments = 0;  // that brought them
  std::uint64_t retransmissions = 0;
  std::uint64_t out_of_order = 0;
  std::uint64_t duplicate_acks = 0;
  std::uint64_t keepalive_probes = 0;
  std::uint64_t zero_windows = 0;  // segments that announced one
  std::uint64_t unanswered = 0;    // retransmissions and probes since the other end last spoke
  bool sent_syn = false;
  bool sent_fin = false;
  std::int64_t last_at = 0;  // nanoseconds since 1970
};

class Conversation {
public:
  /// `first` is the sender of the first segment: end 0.
  Conversation(const FlowKey& first, std::int64_t at);

  /// `frame` is a TCP segment of this connection, the next in the order of the capture.
  SegmentReading note(const DecodedFrame& frame, std::int64_t at);

  /// A SYN that begins another connection of the same pair of endpoints (section 3.6.1).
  bool is_over() const;

  const ConversationEnd& end(std::size_t which) const { return ends_[which].told; }
  /// The capture has its beginning.
  bool is_whole() const { return ends_[0].told.sent_syn; }
  std::int64_t began_at() const { return began_at_; }
  std::int64_t last_at() const;
  ResetKind reset() const { return reset_; }
  std::size_t reset_by() const { return reset_by_; }
  /// What the segment before the reset was, and the states that it found the ends in.
  SegmentKind reset_after() const { return reset_after_; }
  /// The last that its receiver had sent was data.
  bool reset_after_data() const { return reset_after_data_; }
  TcpState reset_in(std::size_t which) const { return reset_in_[which]; }
  /// Who sent the first FIN.
  std::optional<std::size_t> closed_first() const { return closed_first_; }
  bool was_established() const { return was_established_; }

private:
  struct End {
    ConversationEnd told;
    bool known = false;                // the numbers below mean something
    std::uint32_t next = 0;            // behind the last octet that was sent
    std::uint32_t window = 1;          // as it announced last
    std::optional<std::uint32_t> fin;  // behind its FIN
    bool fin_received = false;         // the other end's, by this one
    bool sent_data_last = false;
    SequenceGaps gaps;  // what the capture has passed over
    std::uint32_t last_ack = 0;
  };

  SegmentKind kind_of(const TcpSegment& segment, const End& sender, const End& receiver) const;
  void note_window(const TcpSegment& segment, End& sender, SegmentReading& reading);
  void count(SegmentKind kind, End& sender, End& receiver);
  void take_sequence(const TcpSegment& segment, End& sender);
  void take_octets(const TcpSegment& segment, End& sender);
  void open(const TcpSegment& segment, std::size_t sender, SegmentReading& reading);
  void take_acknowledgment(const TcpSegment& segment, std::size_t sender, SegmentReading& reading);
  void take_fin(const TcpSegment& segment, std::size_t sender, SegmentReading& reading);
  void take_reset(const TcpSegment& segment, std::size_t sender, SegmentReading& reading);
  ResetKind kind_of_reset(const TcpSegment& segment, std::size_t sender) const;
  void fin_arrives(std::size_t receiver, SegmentReading& reading);
  void fin_acknowledged(std::size_t sender, SegmentReading& reading);
  void move(std::size_t end, TcpState to, SegmentReading& reading);

  std::array<End, 2> ends_;
  std::int64_t began_at_ = 0;
  ResetKind reset_ = ResetKind::none;
  std::size_t reset_by_ = 0;
  SegmentKind last_kind_ = SegmentKind::ordinary;
  SegmentKind reset_after_ = SegmentKind::ordinary;
  bool reset_after_data_ = false;
  std::array<TcpState, 2> reset_in_{};
  std::optional<std::size_t> closed_first_;
  bool was_established_ = false;
};

}  // namespace tcplab::capture
