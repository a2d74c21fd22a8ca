// What a capture shows of one connection beside its states (conversation.hh): counts and marks that
// tell one kind of trouble from another. Facts only; what they look like is for reports/diagnosis.
// Pure; bounded memory.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "capture/decode/decode.hh"
#include "capture/follow/conversation.hh"
#include "capture/follow/sightings.hh"

namespace tcplab::capture {

/// The segment with the oldest octet that is not acknowledged, and how often it was sent.
struct Attempt {
  std::uint32_t sequence = 0;
  std::size_t length = 0;  // of the first of them; 0: nothing is under way
  std::size_t shortest = 0;
  std::uint64_t again = 0;          // sendings after the first
  std::uint64_t again_at_full = 0;  // of them those that were not shorter
  bool peer_spoke = false;          // it repeated its acknowledgment, or had later octets (SACK)
  std::int64_t first_at = 0;        // nanoseconds since 1970
  std::int64_t last_at = 0;
  std::array<std::int64_t, 8> waits{};  // between the sendings, the first eight
};

/// An ICMP error that quotes a segment of this end.
struct IcmpError {
  enum class Kind : std::uint8_t {
    no_route,  // net unreachable, no route
    no_host,   // host or address unreachable
    no_port,
    prohibited,   // by administration: codes 9, 10, 13; ICMPv6 1, 5, 6
    unreachable,  // of another code
    too_big,      // fragmentation needed, packet too big
    expired,      // time exceeded: the hop limit was used up
    other,
  };
  Kind kind = Kind::other;
  std::uint32_t mtu = 0;
  base::IpAddress from;
  bool is_from_peer = false;  // not from a router
  bool is_in_place = true;    // the number that it quotes was under way (RFC 5927 section 4.1)
  TcpState state = TcpState::closed;  // of the end whose segment it quotes
};

struct EndFacts {
  // The handshake.
  std::uint64_t syns = 0;
  std::uint64_t syn_acks = 0;
  std::uint64_t syn_acks_after_answer = 0;  // sent again though its acknowledgment was seen
  std::uint64_t stray_syns = 0;             // out of a connection that was open
  std::uint64_t other_syns = 0;             // with another initial number than the first
  bool syn_asked_for_ecn = false;           // the first; RFC 3168 section 6.1.1
  bool syn_gave_up_ecn = false;             // a later one
  std::size_t syn_data = 0;                 // octets in a SYN (RFC 7413)
  bool syn_data_again = false;              // and once more without it
  bool answered_syn_by_ack = false;         // of other numbers: it has a connection already
  std::int64_t first_syn_at = 0;
  std::int64_t last_syn_at = 0;

  // Data.
  std::uint64_t data_segments = 0;
  std::uint64_t data_again = 0;
  std::uint64_t again_after_ack = 0;  // though its acknowledgment was seen: that got lost
  std::uint64_t needless = 0;         // the other end says that it had them (D-SACK, RFC 2883)
  std::uint64_t asked_for = 0;        // after three acknowledgments repeated, or SACK
  std::uint64_t copies = 0;
  std::uint64_t altered = 0;
  std::uint64_t holes_filled = 0;  // SACK told of a hole, and nothing was sent again
  std::size_t largest_passed = 0;  // the longest segment that was acknowledged
  Attempt attempt;
  std::optional<Attempt> healed;  // the hardest that got through in the end
  bool first_data_again = false;
  std::uint64_t farther = 0;  // segments that a router was seen to forward
  std::uint64_t stayed = 0;   // data since then that none was
  std::uint64_t urgent = 0;
  std::uint64_t nagled = 0;  // small segments that waited for a delayed ACK

  // Windows and probes.
  std::uint64_t windows_closed = 0;
  bool window_is_closed = false;
  bool window_opened = false;  // after it had been closed
  std::uint64_t window_probes = 0;
  std::uint64_t probes_after_opening = 0;
  std::uint64_t keepalives = 0;
  std::uint64_t keepalives_answered = 0;
  std::uint64_t keepalives_waiting = 0;  // since the other end last spoke

  // The end.
  std::uint64_t fins_again = 0;
  std::uint64_t fins_again_after_ack = 0;
  std::uint64_t data_after_peer_fin = 0;
  bool data_after_peer_fin_passed = false;
  std::uint64_t spoke_after_reset = 0;  // data, after "its" reset
  std::uint64_t data_over_fin = 0;      // where "its" FIN had its number
  std::uint64_t data_after_over = 0;    // after both had closed
  std::uint64_t resets_out_of_place = 0;
  std::uint64_t resets_again = 0;  // more of them
  std::uint64_t challenges = 0;    // pure ACKs in answer to a reset or SYN out of place

  // What no end of this connection sends.
  std::uint64_t flagless = 0;          // neither SYN, ACK nor RST
  std::uint64_t flagless_refused = 0;  // and answered with a RST
  std::uint64_t acks_unsent = 0;       // acknowledges what was not sent, and is told so
  std::uint64_t denials = 0;           // ACKs whose number is before what "it" had sent

  std::vector<IcmpError> icmp;  // the first few
  std::uint64_t icmp_errors = 0;
  std::optional<std::uint8_t> hop_limit;        // of its first segment
  std::optional<std::uint8_t> reset_hop_limit;  // of its first RST
};

/// The other connections of the capture.
struct Surroundings {
  bool listener_answers_others = false;  // the same endpoint has made another connection
  bool follows_time_wait = false;        // the same pair's connection before ended in TIME_WAIT
  std::uint64_t never_completed = 0;     // with the same listener: SYN,ACK, and no third segment
  std::array<std::uint64_t, 2> sought = {0, 0};  // ARP, ND: asked for that end, no answer
};

class ConversationFacts {
public:
  /// After `conversation` has read the same frame.
  void note(const DecodedFrame& frame, std::int64_t at, const Conversation& conversation,
            const SegmentReading& reading, Sighting sighting);
  /// A frame that the conversation was not told of, as it is farther on its way.
  void note_farther(const DecodedFrame& frame, std::size_t sender);
  /// A packet of that end that is there once more, and that the conversation was not told of.
  void note_copy(const DecodedFrame& frame, std::size_t sender);
  /// An ICMP error that quotes a segment of the end `sender`.
  void note_icmp(const DecodedFrame& frame, std::size_t sender, const Conversation& conversation);

  const EndFacts& end(std::size_t which) const { return ends_[which].told; }
  bool closed_at_once() const { return closed_at_once_; }
  bool opened_at_once() const { return ends_[0].told.syns > 0 && ends_[1].told.syns > 0; }
  bool reset_after_fin() const { return reset_after_fin_; }
  bool reset_after_opening() const { return reset_after_opening_; }
  bool reset_after_over() const { return reset_after_over_; }
  bool data_after_reset() const { return data_after_reset_; }
  /// Who sent data last, before any reset.
  std::optional<std::size_t> replied_last() const { return replied_last_; }
  /// How long after the first FIN the reset came, in nanoseconds.
  std::int64_t reset_delay() const { return reset_at_ - fin_at_; }
  /// The most of one SYN that the capture has, each with a lower hop limit.
  std::uint64_t hops() const { return hops_; }

  Surroundings around;

private:
  struct Sent {
    std::uint32_t end;
    std::size_t length;
    std::int64_t at;
  };
  struct End {
    EndFacts told;
    bool known = false;
    std::optional<std::uint32_t> first;  // the initial sequence number
    std::uint32_t next = 0;
    std::uint32_t acked = 0;  // by the other end, as the capture saw it
    bool has_ack = false;
    std::optional<std::uint32_t> fin;
    std::uint64_t repeats = 0;  // acknowledgments that the other end has repeated
    bool hole = false;          // SACK has told of octets behind `acked`
    std::uint64_t again_in_hole = 0;
    std::deque<Sent> under_way;
    std::int64_t small_at = 0;     // its last small segment that is not acknowledged
    std::int64_t late_ack_at = 0;  // an ACK of that which came late
  };

  void note_syn(const TcpSegment& tcp, std::int64_t at, std::size_t sender,
                const Conversation& talk);
  bool note_same(const TcpSegment& tcp, std::size_t sender, Sighting sighting);
  void note_data(const TcpSegment& tcp, std::int64_t at, std::size_t sender,
                 const SegmentReading& reading);
  void note_again(const TcpSegment& tcp, End& end);
  void note_out_of_time(const TcpSegment& tcp, std::size_t sender);
  void note_nagle(const TcpSegment& tcp, std::int64_t at, std::size_t sender);
  void note_attempt(const TcpSegment& tcp, std::int64_t at, End& end, bool is_again);
  void note_acknowledgment(const TcpSegment& tcp, std::int64_t at, std::size_t sender,
                           const SegmentReading& reading);
  void advance(std::uint32_t acknowledgment, std::int64_t at, End& end);
  void note_sack(const TcpSegment& tcp, End& end, bool repeats);
  void note_windows(std::size_t sender, const SegmentReading& reading);
  void note_probe(std::size_t sender, const SegmentReading& reading);
  void note_closing(const TcpSegment& tcp, std::int64_t at, std::size_t sender);
  void note_reset(const DecodedFrame& frame, std::int64_t at, const SegmentReading& reading);
  void note_answer(const TcpSegment& tcp, std::size_t sender, const Conversation& talk);
  void note_impossible(const TcpSegment& tcp, std::size_t sender, const SegmentReading& reading);

  std::array<End, 2> ends_;
  bool closed_at_once_ = false;
  bool was_reset_ = false;
  bool reset_after_fin_ = false;
  bool reset_after_opening_ = false;
  bool reset_after_over_ = false;
  bool was_over_ = false;
  bool data_after_reset_ = false;
  std::optional<std::size_t> replied_last_;
  bool last_had_fin_ = false;
  bool last_opened_window_ = false;
  std::optional<std::size_t> to_be_challenged_;  // the end that got a reset or SYN out of place
  std::int64_t fin_at_ = 0;
  std::int64_t reset_at_ = 0;
  std::uint64_t hops_ = 0;
  std::uint64_t hops_of_syn_ = 1;
  bool last_was_flagless_ = false;
  std::size_t last_sender_ = 0;
  std::size_t reset_by_ = 0;
  std::uint32_t reset_sequence_ = 0;
};

}  // namespace tcplab::capture
