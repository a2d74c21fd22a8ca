// Follows the sequence space of one end of a TCP connection, from the segments that it sends and
// receives. Keeps the variables of RFC 9293 section 3.3.1 and classifies each segment that the end
// sends. Every view that speaks of a retransmission or a probe asks this tracker. Bounded memory.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>

#include "capture/follow/segment_header.hh"
#include "capture/follow/sequence_gaps.hh"

namespace tcplab::capture {

/// What a segment is for its sender. The names are Wireshark's (tcp.analysis.*) where it has one.
/// Octets include SYN and FIN. A RST has no trait.
enum class SegmentTrait : std::uint8_t {
  /// Has octets that were not sent before.
  new_data,
  /// Every octet was sent before. (tcp.analysis.retransmission also counts partial ones.)
  retransmission,
  /// A retransmission whose octets had all been acknowledged
  /// (tcp.analysis.spurious_retransmission).
  spurious_retransmission,
  /// Begins with octets that were sent before and goes on with new ones: the sender has
  /// repacketized (RFC 9293 section 3.8.1). Not a `retransmission`.
  partial_retransmission,
  /// Begins in a gap that the capture has passed over (tcp.analysis.out_of_order).
  out_of_order,
  /// RFC 9293 section 3.8.4, tcp.analysis.keep_alive: SEG.SEQ = SND.NXT-1, without SYN, FIN and
  /// RST.
  /// It has no data, or one octet of garbage, which RFC 1122 section 4.2.3.6 allows. The one octet
  /// must be acknowledged already; otherwise the segment is a retransmission.
  keepalive_probe,
  /// RFC 9293 section 3.8.6.1: the peer's window is zero, and the segment is a keepalive probe, or
  /// has one octet at SND.NXT or SND.NXT-1 (tcp.analysis.zero_window_probe). Linux sends no data in
  /// it (tcp_xmit_probe_skb()); Wireshark calls that one a keep-alive.
  window_probe,
  /// RFC 5681 section 2: no data, the greatest acknowledgment so far, the window as before, while
  /// data above that acknowledgment is outstanding. (tcp.analysis.duplicate_ack also counts those
  /// while none is outstanding.)
  duplicate_ack,
  /// Acknowledges octets for the first time.
  new_acknowledgment,
  /// Has no data, acknowledges nothing new, and announces a larger window
  /// (tcp.analysis.window_update).
  window_update,
  /// Announces a window of zero, without SYN (tcp.analysis.zero_window).
  zero_window,
};

class SegmentTraits {
public:
  SegmentTraits() = default;
  SegmentTraits(std::initializer_list<SegmentTrait> traits) {
    for (const SegmentTrait trait : traits) add(trait);
  }

  bool has(SegmentTrait trait) const { return (bits_ & bit(trait)) != 0; }
  void add(SegmentTrait trait) { bits_ |= bit(trait); }
  void remove(SegmentTrait trait) { bits_ &= ~bit(trait); }
  /// A probe of a window, or of whether the peer is alive.
  bool is_probe() const {
    return has(SegmentTrait::keepalive_probe) || has(SegmentTrait::window_probe);
  }

  bool operator==(const SegmentTraits&) const = default;

private:
  static unsigned bit(SegmentTrait trait) { return 1U << static_cast<unsigned>(trait); }

  unsigned bits_ = 0;
};

/// The variables of one end, in the header's own numbers. Subtract the initial sequence numbers to
/// show them to a person.
struct SequenceVariables {
  bool is_known = false;             // a segment of this end was seen; else nothing here is valid
  bool has_sent_syn = false;         // iss is from a SYN; else it is the number before the first
  std::uint32_t iss = 0;             // initial send sequence number
  std::optional<std::uint32_t> irs;  // initial receive sequence number; none before the peer's SYN
  std::uint32_t snd_una = 0;         // the oldest unacknowledged sequence number
  std::uint32_t snd_nxt = 0;         // the next sequence number to send
  bool is_acknowledged = false;      // an acknowledgment was received; else snd_una is the first
  std::uint32_t rcv_nxt = 0;         // the next sequence number expected; valid if irs is known
  std::uint32_t rcv_end = 0;         // the end of the receive window: rcv_nxt + RCV.WND
  std::uint8_t window_scale = 0;     // of the windows that it announces (RFC 7323)
  std::optional<std::uint32_t> ts_own;           // its last timestamp; none if not negotiated
  std::uint32_t ts_recent = 0;                   // the latest timestamp of the peer
  std::optional<std::uint32_t> acknowledgment;   // SEG.ACK of its last segment
  std::optional<std::uint32_t> window;           // SEG.WND of its last segment without SYN
  std::optional<std::uint32_t> peer_window;      // SEG.WND that it received last, without SYN
  std::optional<std::uint32_t> peer_syn_window;  // SEG.WND of the peer's SYN, which is not scaled
  std::uint8_t peer_window_scale = 0;            // of the windows that it receives (RFC 7323)
  std::optional<std::uint32_t> received_end;     // after the last octet received, holes or not
  std::optional<std::uint32_t> fin_end;          // after its FIN
  std::uint64_t octets = 0;                      // of data that it sent, each counted once

  std::uint32_t rcv_wnd() const { return rcv_end - rcv_nxt; }
  /// Returns the peer's last window as the header of its next segment would have it; empty before
  /// the peer's first segment. The window of a SYN is not scaled (RFC 7323 section 2.2).
  std::optional<std::uint16_t> peer_window_in_header(bool of_syn) const;
};

/// Where the segments are observed.
enum class Vantage : std::uint8_t {
  /// At the sender's own NIC. A TCP sends in order, so a number below SND.NXT was sent before, even
  /// if its frame was only counted (a flood). A SYN with another number begins a new connection.
  sender,
  /// Anywhere on the path. Frames may be missing, out of order or forged: numbers that were passed
  /// over are gaps, and once its SYN is acknowledged another SYN changes nothing (RFC 5961 section
  /// 4).
  path,
};

class SequenceTracker {
public:
  explicit SequenceTracker(Vantage vantage) : vantage_(vantage) {}

  /// The end sends a segment. Ignores a RST: its numbers may be those of the segment it refuses.
  SegmentTraits send(const SegmentHeader& segment);
  /// The peer's segment reaches the end. Ignores it if RFC 9293 section 3.10.7.4 does.
  void receive(const SegmentHeader& segment);
  /// Returns what send() would return, and changes nothing.
  SegmentTraits classify(const SegmentHeader& segment) const;
  /// True if `segment`, a SYN, is the first of a connection for this tracker.
  bool begins_connection(const SegmentHeader& segment) const;

  /// Corrects SND.NXT if `next` shows that all segments so far were probes: they had no data and
  /// one number, and `next` is the number after it (RFC 9293 section 3.8.4). The capture begins
  /// after the octet before. Returns true if it was so.
  bool began_with_probes(std::uint32_t next);

  const SequenceVariables& variables() const { return now_; }
  /// Returns what the capture has passed over and never shown: below what the peer has
  /// acknowledged the peer has it, even if the acknowledgment came before the frames around it.
  SequenceGaps::Missing missing() const { return gaps_.missing(acknowledged()); }

private:
  bool is_ignored_syn(const SegmentHeader& segment) const;
  void begin(const SegmentHeader& segment);
  SegmentTraits probe_traits(const SegmentHeader& segment) const;
  SegmentTraits data_traits(const SegmentHeader& segment) const;
  SegmentTraits acknowledgment_traits(const SegmentHeader& segment) const;
  bool is_new_acknowledgment(const SegmentHeader& segment) const;
  void advance_snd_nxt(const SegmentHeader& segment);
  void note_acknowledgment_sent(const SegmentHeader& segment);
  void receive_syn(const SegmentHeader& segment);
  bool is_acceptable(const SegmentHeader& segment) const;
  void acknowledge(std::uint32_t acknowledgment);
  void note_acknowledgment_ahead(const SegmentHeader& segment);
  std::uint32_t acknowledged() const;

  Vantage vantage_;
  SequenceVariables now_;
  SequenceGaps gaps_;                                // Vantage::path only
  std::optional<std::uint32_t> acknowledged_ahead_;  // more than the capture has; path only
  /// The greatest SEG.ACK so far that acknowledges only what the peer was seen to send.
  std::optional<std::uint32_t> greatest_acknowledgment_;
};

}  // namespace tcplab::capture
