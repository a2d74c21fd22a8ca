// Facts about one end of a captured connection: counts and flags that distinguish causes of
// failure. Several classes of this folder find them. A capture can have 200,000 connections at
// once: counters have 32 bits, and what few connections have takes memory on demand.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/on_demand.hh"
#include "capture/follow/icmp_error.hh"

namespace tcplab::capture {

/// The times between the first eight transmissions of a segment, and the next: nanoseconds.
using Waits = std::array<std::int64_t, 8>;

/// The segment with the oldest unacknowledged octet, and its retransmissions.
struct Attempt {
  std::uint32_t sequence = 0;
  std::uint32_t length = 0;  // when sent first; 0 if nothing is unacknowledged
  std::uint32_t shortest = 0;
  std::uint32_t retransmits = 0;
  std::uint32_t full_size_retransmits = 0;  // at least as long as the first
  std::uint32_t full_size_after_icmp = 0;   // of these, after an ICMP error to the sender
  std::uint32_t shortest_later = 0;  // the shortest segment of later octets; 0 if none was sent
  bool is_beyond_header = false;     // sent beyond the peer's window, had that not been scaled
  bool peer_spoke = false;           // the peer sent duplicate ACKs, or SACK of later octets
  std::int64_t first_at = 0;         // nanoseconds since 1970
  std::int64_t last_at = 0;
  base::OnDemand<Waits> waits;
};

/// The data that an end has sent since the peer last sent data.
struct LastData {
  std::uint64_t octets = 0;
  std::int64_t at = 0;               // of the last segment; nanoseconds since 1970
  std::int64_t acknowledged_at = 0;  // all of it; 0 if it is not
  std::int64_t after = 0;            // the time without data of either end before its last segment
};

/// What the first SYN or SYN,ACK of an end offers.
struct SynOptions {
  bool maximum_segment_size = false;
  bool window_scale = false;
  bool sack = false;
  bool timestamps = false;
};

/// What few ends of connections do.
struct RareFacts {
  // The handshake.
  std::uint32_t syn_acks_after_answer = 0;  // retransmitted after their acknowledgment was seen
  std::uint32_t wrong_syn_acks = 0;         // that acknowledge another number than the SYN's
  std::uint32_t other_syn_acks = 0;         // with another initial number than the SYN,ACK before
  std::uint32_t stray_syns = 0;             // in a connection that was open
  std::uint32_t stray_syns_refused = 0;     // of these, answered as by a host without connection
  std::uint32_t stray_syns_waiting = 0;     // of these, since the other end's last segment
  std::int64_t first_stray_at = 0;          // of those that wait; nanoseconds since 1970
  std::uint32_t other_syns = 0;             // with another initial number than the SYN before
  std::uint32_t syn_data = 0;               // octets in a SYN (RFC 7413)
  bool syn_data_retransmitted = false;      // the same octets after the SYN

  // Data.
  /// Retransmissions that the peer acknowledged although it had acknowledged the octets before: it
  /// got both. Without D-SACK.
  std::uint32_t doubly_acknowledged = 0;
  std::uint32_t copies = 0;
  std::uint32_t altered = 0;
  std::uint32_t holes_filled = 0;   // SACK reported a hole, and no retransmission filled it
  std::uint32_t forwarded = 0;      // segments that a router was seen to forward
  std::uint32_t not_forwarded = 0;  // data segments since the last of those
  std::uint32_t urgent = 0;
  std::uint32_t nagled = 0;  // small segments that waited for a delayed ACK

  // Windows and probes.
  std::uint32_t windows_closed = 0;
  bool window_is_closed = false;
  bool window_opened = false;  // after it had been closed
  std::uint32_t window_probes = 0;
  std::uint32_t probes_after_opening = 0;
  std::uint32_t keepalives = 0;
  std::uint32_t keepalives_answered = 0;
  std::uint32_t keepalives_waiting = 0;  // since the other end's last segment

  // The end.
  std::uint32_t fin_retransmits = 0;
  std::uint32_t fin_retransmits_after_ack = 0;
  std::uint32_t data_after_peer_fin = 0;
  bool data_after_peer_fin_passed = false;
  std::uint32_t spoke_after_reset = 0;  // data segments after a RST in its name
  std::uint32_t data_over_fin = 0;      // data at the number of a FIN in its name
  std::uint32_t data_after_over = 0;    // data after both ends had closed
  std::uint32_t resets_out_of_place = 0;
  std::int64_t reset_offset = 0;  // of the last of these: SEG.SEQ minus the peer's RCV.NXT
  std::uint32_t more_resets = 0;  // after the first
  std::uint32_t challenges = 0;   // pure ACKs in answer to a RST or SYN out of place
  /// If its RST acknowledges the peer's last data: that long after it, in nanoseconds.
  std::int64_t reset_after_data = 0;

  // What no end of this connection sends.
  std::uint32_t flagless = 0;          // segments without SYN, ACK and RST
  std::uint32_t flagless_refused = 0;  // of these, answered with a RST
  std::uint32_t acks_unsent = 0;       // ACKs of octets that the peer had not sent
  /// ACKs whose SEG.SEQ is below octets that were acknowledged, although their sender has not gone
  /// on from those octets since. If it has, newer data had overtaken the ACKs.
  std::uint32_t stale_acks = 0;

  std::vector<IcmpError> icmp;  // the first few
  std::uint32_t icmp_errors = 0;
};

struct EndFacts {
  std::uint32_t right_checksums = 0;  // segments
  std::uint32_t wrong_checksums = 0;  // segments with data; not as offload leaves them
  // The handshake.
  std::uint32_t syns = 0;
  std::uint32_t syn_acks = 0;
  bool syn_asked_for_ecn = false;  // the first SYN; RFC 3168 section 6.1.1
  bool syn_gave_up_ecn = false;    // a later SYN
  SynOptions syn_options;
  bool answered_syn_by_ack = false;  // with other numbers: an older connection exists
  std::int64_t first_syn_at = 0;
  std::int64_t last_syn_at = 0;

  // Data.
  std::uint32_t data_segments = 0;
  std::uint32_t data_retransmits = 0;
  std::uint32_t retransmits_after_ack = 0;  // the capture has their acknowledgment
  std::uint32_t repeats_after_ack = 0;      // of these, of the same octets, and nothing new since
  std::uint32_t spurious_retransmits = 0;   // reported by the peer (D-SACK, RFC 2883)
  std::uint32_t fast_retransmits = 0;       // after three duplicate ACKs, or SACK
  /// Segments that fill a gap, and were sent before the one that left it: their timestamp or
  /// identification is older, or they came in less than the shortest round trip, too soon
  /// to be asked for.
  std::uint32_t overtaken = 0;
  std::uint32_t largest_seen = 0;    // the longest segment in the capture
  std::uint32_t largest_passed = 0;  // the longest segment that was acknowledged
  LastData last_data;
  Attempt attempt;
  base::OnDemand<Attempt> recovered;  // the most retransmitted one that was acknowledged
  bool first_data_retransmitted = false;
  bool first_data_unheard = false;              // the same, and the peer had only sent its SYN,ACK
  bool fin_before_reply = false;                // its last data had no reply when it sent its FIN
  bool has_several_hop_limits = false;          // its segments that are no RST differ
  std::optional<std::uint8_t> hop_limit;        // of its first segment that is no RST
  std::optional<std::uint8_t> reset_hop_limit;  // of its first RST
  /// The shortest time from a segment of the peer to its acknowledgment, the SYN,ACK first, in
  /// nanoseconds; 0 if the handshake does not tell.
  std::int64_t round_trip = 0;

  base::OnDemand<RareFacts> rare;
};

/// Returns true if a segment was retransmitted, and then acknowledged.
inline bool has_recovered(const EndFacts& facts) { return facts.recovered->retransmits > 0; }

/// Of the two ends of a connection.
using FactsOfEnds = std::array<EndFacts, 2>;

}  // namespace tcplab::capture
