#include "capture/follow/conversation_facts.hh"

#include <netinet/icmp6.h>
#include <netinet/ip_icmp.h>

#include <algorithm>

#include "capture/follow/connection_numbers.hh"

namespace tcplab::capture {

namespace {

constexpr std::size_t kMostErrors = 8;

IcmpError::Kind unreachable_v4(std::uint8_t code) {
  switch (code) {
    case ICMP_NET_UNREACH:
      return IcmpError::Kind::no_route;
    case ICMP_HOST_UNREACH:
      return IcmpError::Kind::no_host;
    case ICMP_PORT_UNREACH:
      return IcmpError::Kind::no_port;
    case ICMP_FRAG_NEEDED:
      return IcmpError::Kind::too_big;
    case ICMP_NET_ANO:
    case ICMP_HOST_ANO:
    case ICMP_PKT_FILTERED:
      return IcmpError::Kind::prohibited;
    default:
      return IcmpError::Kind::unreachable;
  }
}

// RFC 4443 section 3.1.
IcmpError::Kind unreachable_v6(std::uint8_t code) {
  constexpr std::uint8_t kFailedPolicy = 5;
  constexpr std::uint8_t kRejectRoute = 6;
  switch (code) {
    case ICMP6_DST_UNREACH_NOROUTE:
      return IcmpError::Kind::no_route;
    case ICMP6_DST_UNREACH_ADDR:
      return IcmpError::Kind::no_host;
    case ICMP6_DST_UNREACH_NOPORT:
      return IcmpError::Kind::no_port;
    case ICMP6_DST_UNREACH_ADMIN:
    case kFailedPolicy:
    case kRejectRoute:
      return IcmpError::Kind::prohibited;
    default:
      return IcmpError::Kind::unreachable;
  }
}

IcmpError::Kind kind_of(const IcmpMessage& icmp) {
  const bool is_v4 = icmp.family == base::Family::ipv4;
  if (icmp.type == (is_v4 ? ICMP_DEST_UNREACH : ICMP6_DST_UNREACH))
    return is_v4 ? unreachable_v4(icmp.code) : unreachable_v6(icmp.code);
  if (!is_v4 && icmp.type == ICMP6_PACKET_TOO_BIG) return IcmpError::Kind::too_big;
  return icmp.type == (is_v4 ? ICMP_TIME_EXCEEDED : ICMP6_TIME_EXCEEDED) ? IcmpError::Kind::expired
                                                                         : IcmpError::Kind::other;
}

/// By the headers: the capture may have cut the frame short.
std::uint32_t occupied(const TcpSegment& tcp) {
  return static_cast<std::uint32_t>(tcp.length) + (tcp.has(TcpFlags::kSyn) ? 1U : 0U) +
         (tcp.has(TcpFlags::kFin) ? 1U : 0U);
}

bool is_pure_ack(const TcpSegment& tcp) {
  const auto others = TcpFlags::kSyn | TcpFlags::kFin | TcpFlags::kRst;
  return tcp.has(TcpFlags::kAck) && (tcp.flags & others) == 0 && tcp.length == 0;
}

}  // namespace

void ConversationFacts::note(const DecodedFrame& frame, std::int64_t at, const Conversation& talk,
                             const SegmentReading& reading, Sighting sighting) {
  const TcpSegment& tcp = *frame.tcp;
  const std::size_t sender = reading.sender;
  End& self = ends_.at(sender);
  if (tcp.has(TcpFlags::kRst)) return note_reset(frame, at, reading);
  if (!self.told.hop_limit) self.told.hop_limit = frame.ip->hop_limit;
  if (note_same(tcp, sender, sighting)) return;
  note_answer(tcp, sender, talk);
  note_impossible(tcp, sender, reading);
  if (tcp.has(TcpFlags::kSyn)) note_syn(tcp, at, sender, talk);
  last_was_flagless_ = (tcp.flags & (TcpFlags::kSyn | TcpFlags::kAck)) == 0;
  note_windows(sender, reading);
  note_probe(sender, reading);
  if (tcp.has(TcpFlags::kAck)) note_acknowledgment(tcp, at, sender, reading);
  note_data(tcp, at, sender, reading);
  note_closing(tcp, at, sender);
  const std::uint32_t end = tcp.sequence + occupied(tcp);
  if (!self.known || is_before(self.next, end)) self.next = end;
  self.known = true;
  last_sender_ = sender;
  was_over_ = talk.is_over() && talk.end(0).sent_fin && talk.end(1).sent_fin;
}

bool ConversationFacts::note_same(const TcpSegment& tcp, std::size_t sender, Sighting sighting) {
  const bool is_silent = !tcp.has(TcpFlags::kSyn) && !tcp.has(TcpFlags::kFin) && tcp.length < 2;
  if (sighting == Sighting::first || is_silent) return false;
  EndFacts& told = ends_.at(sender).told;
  if (sighting == Sighting::altered) ++told.altered;
  if (sighting == Sighting::copy && tcp.length > 0) ++told.copies;
  return true;
}

void ConversationFacts::note_farther(const DecodedFrame& frame, std::size_t sender) {
  EndFacts& told = ends_.at(sender).told;
  ++told.farther;
  told.stayed = 0;
  if (frame.tcp->has(TcpFlags::kSyn)) hops_ = std::max(hops_, ++hops_of_syn_);
}

void ConversationFacts::note_copy(const DecodedFrame& frame, std::size_t sender) {
  if (frame.tcp->length > 0) ++ends_.at(sender).told.copies;
}

void ConversationFacts::note_icmp(const DecodedFrame& frame, std::size_t sender,
                                  const Conversation& talk) {
  const IcmpMessage& icmp = *frame.icmp;
  const End& self = ends_.at(sender);
  EndFacts& told = ends_.at(sender).told;
  ++told.icmp_errors;
  if (told.icmp.size() >= kMostErrors) return;
  const std::uint32_t sequence = icmp.quoted->sequence;
  const std::uint32_t oldest = self.has_ack ? self.acked : self.first.value_or(sequence);
  const std::uint32_t fresh = self.known ? self.next : sequence;
  const bool is_in_place = !is_before(sequence, oldest) && !is_before(fresh, sequence);
  told.icmp.push_back({.kind = kind_of(icmp),
                       .mtu = icmp.mtu,
                       .from = frame.ip->source,
                       .is_from_peer = frame.ip->source == icmp.quoted->destination.address,
                       .is_in_place = is_in_place,
                       .state = talk.end(sender).state});
}

void ConversationFacts::note_syn(const TcpSegment& tcp, std::int64_t at, std::size_t sender,
                                 const Conversation& talk) {
  End& self = ends_.at(sender);
  EndFacts& told = self.told;
  hops_of_syn_ = 1;
  const bool answers = tcp.has(TcpFlags::kAck);
  if (talk.was_established() && self.known && (!answers || told.syn_acks == 0)) {
    ++told.stray_syns;
    to_be_challenged_ = 1 - sender;
    return;
  }
  if (answers) {
    ++told.syn_acks;
    if (self.has_ack) ++told.syn_acks_after_answer;
    if (!self.first) self.first = tcp.sequence;
    return;
  }
  if (self.first && *self.first != tcp.sequence) ++told.other_syns;
  if (!self.first) self.first = tcp.sequence;
  const bool asks_for_ecn = tcp.has(TcpFlags::kEcnEcho) && tcp.has(TcpFlags::kWindowReduced);
  if (told.syns == 0) told.syn_asked_for_ecn = asks_for_ecn;
  if (told.syns > 0 && told.syn_asked_for_ecn && !asks_for_ecn) told.syn_gave_up_ecn = true;
  told.syn_data = std::max(told.syn_data, tcp.length);
  if (told.syns++ == 0) told.first_syn_at = at;
  told.last_syn_at = at;
}

void ConversationFacts::note_windows(std::size_t sender, const SegmentReading& reading) {
  EndFacts& told = ends_.at(sender).told;
  if (reading.closes_window) {
    ++told.windows_closed;
    told.window_is_closed = true;
  }
  if (reading.opens_window && told.window_is_closed) {
    told.window_is_closed = false;
    told.window_opened = true;
  }
  last_opened_window_ = reading.opens_window && told.window_opened;
}

void ConversationFacts::note_probe(std::size_t sender, const SegmentReading& reading) {
  EndFacts& self = ends_.at(sender).told;
  EndFacts& other = ends_.at(1 - sender).told;
  if (other.keepalives_waiting > 0) ++other.keepalives_answered;
  other.keepalives_waiting = 0;
  if (reading.kind == SegmentKind::zero_window_probe) ++self.window_probes;
  if (reading.kind != SegmentKind::keepalive_probe) return;
  if (other.window_opened) {
    ++self.probes_after_opening;
  } else {
    ++self.keepalives;
    ++self.keepalives_waiting;
  }
}

void ConversationFacts::note_closing(const TcpSegment& tcp, std::int64_t at, std::size_t sender) {
  last_had_fin_ = tcp.has(TcpFlags::kFin);
  if (!last_had_fin_) return;
  End& self = ends_.at(sender);
  const End& other = ends_.at(1 - sender);
  if (self.fin) {
    ++self.told.fins_again;
    if (self.has_ack && !is_before(self.acked, *self.fin)) ++self.told.fins_again_after_ack;
    return;
  }
  self.fin = tcp.sequence + occupied(tcp);
  if (other.fin && is_before(tcp.acknowledgment, *other.fin)) closed_at_once_ = true;
  if (!other.fin) fin_at_ = at;
}

void ConversationFacts::note_reset(const DecodedFrame& frame, std::int64_t at,
                                   const SegmentReading& reading) {
  const std::size_t sender = reading.sender;
  EndFacts& told = ends_.at(sender).told;
  if (!told.reset_hop_limit) told.reset_hop_limit = frame.ip->hop_limit;
  if (last_was_flagless_ && last_sender_ != sender) ++ends_.at(1 - sender).told.flagless_refused;
  if (reading.reset == ResetKind::out_of_place) {
    ++told.resets_out_of_place;
    to_be_challenged_ = 1 - sender;
    return;
  }
  if (was_reset_) {
    ++told.resets_again;
    return;
  }
  was_reset_ = true;
  reset_by_ = sender;
  reset_sequence_ = frame.tcp->sequence;
  reset_at_ = at;
  reset_after_fin_ = last_had_fin_ && last_sender_ != sender;
  reset_after_opening_ = last_opened_window_ && last_sender_ != sender;
  reset_after_over_ = was_over_;
}

// RFC 5961 sections 3.2, 4.2: what is out of place is answered with an ACK, and nothing else.
void ConversationFacts::note_answer(const TcpSegment& tcp, std::size_t sender,
                                    const Conversation& talk) {
  EndFacts& told = ends_.at(sender).told;
  if (is_pure_ack(tcp) && talk.end(1 - sender).sent_syn && !talk.end(sender).sent_syn)
    told.answered_syn_by_ack = true;
  if (to_be_challenged_ == sender && is_pure_ack(tcp)) ++told.challenges;
  to_be_challenged_.reset();
}

void ConversationFacts::note_impossible(const TcpSegment& tcp, std::size_t sender,
                                        const SegmentReading& reading) {
  End& self = ends_.at(sender);
  const End& other = ends_.at(1 - sender);
  if ((tcp.flags & (TcpFlags::kSyn | TcpFlags::kAck)) == 0) ++self.told.flagless;
  if (tcp.has(TcpFlags::kUrgent) && tcp.length > 0) ++self.told.urgent;
  if (!is_pure_ack(tcp) || !self.known || !other.known) return;
  if (is_before(other.next, tcp.acknowledgment)) {
    ++self.told.acks_unsent;
    to_be_challenged_ = 1 - sender;
  }
  const bool is_probe = reading.kind == SegmentKind::keepalive_probe ||
                        reading.kind == SegmentKind::zero_window_probe;
  const bool is_late = other.has_ack && is_before(tcp.acknowledgment, other.acked);
  if (!is_probe && !is_late && self.has_ack && is_before(tcp.sequence, self.acked))
    ++self.told.denials;
}

}  // namespace tcplab::capture
