#include "capture/follow/conversation_facts.hh"

#include <algorithm>

#include "capture/decode/tcp_checksum.hh"
#include "capture/follow/handshake_facts.hh"
#include "capture/follow/probe_facts.hh"
#include "capture/follow/sequence_number.hh"

namespace tcplab::capture {

namespace {

constexpr std::size_t kMostErrors = 8;

void count_checksum(const DecodedFrame& frame, EndFacts& facts) {
  const auto is_right = has_right_checksum(frame);
  if (is_right == true) ++facts.right_checksums;
  if (is_right == false && frame.tcp->length > 0) ++facts.wrong_checksums;
}

void note_hop_limit(std::uint8_t hop_limit, EndFacts& facts) {
  if (!facts.hop_limit) facts.hop_limit = hop_limit;
  if (*facts.hop_limit != hop_limit) facts.has_several_hop_limits = true;
}

/// True if the segment has other contents than the one before with its numbers.
bool is_altered(const TcpSegment& tcp, Duplicate duplicate) {
  const bool is_silent = !tcp.has(TcpFlags::kSyn) && !tcp.has(TcpFlags::kFin) && tcp.length < 2;
  return duplicate == Duplicate::altered && !is_silent;
}

}  // namespace

void ConversationFacts::note(const DecodedFrame& frame, std::int64_t at, const Conversation& talk,
                             const SegmentReading& reading, Duplicate duplicate) {
  const SeenSegment seen{.frame = frame, .at = at, .talk = talk, .reading = reading};
  const TcpSegment& tcp = seen.tcp();
  EndFacts& facts = ends_.at(seen.sender());
  recent_.at(seen.sender()).add(tcp.sequence);
  pauses_.note(tcp, at, talk, reading);
  count_checksum(frame, facts);
  if (reading.first_probes) note_first_probes(*reading.first_probes, ends_);
  if (tcp.has(TcpFlags::kRst)) return note_reset(seen);
  trigger_finder_.note(tcp, at, reading);
  note_hop_limit(frame.ip->hop_limit, facts);
  if (is_altered(tcp, duplicate)) {
    ++facts.rare.edit().altered;
    return;
  }
  strange_.note(seen, facts);
  reordering_.note(seen, delivery_.duplicate_acks(seen.sender()), facts);
  if (note_handshake(seen, ends_)) strange_.note_stray_syn(seen);
  if (tcp.has(TcpFlags::kSyn)) hops_of_syn_ = 1;
  note_windows(reading, facts);
  note_probe(reading, ends_);
  delivery_.note(seen, ending_.facts().replied_last, ends_);
  ending_.note(seen, facts);
}

void ConversationFacts::note_reset(const SeenSegment& seen) {
  EndFacts& sender = ends_.at(seen.sender());
  if (!sender.reset_hop_limit) sender.reset_hop_limit = seen.frame.ip->hop_limit;
  strange_.note_reset(seen, ends_.at(seen.receiver()));
  if (note_refused_stray(seen, ends_)) return;
  if (seen.reading.reset == ResetKind::out_of_place)
    return strange_.note_misplaced_reset(seen, sender);
  ending_.note_reset(seen, trigger_finder_.find(seen.tcp(), seen.at, seen.reading), ends_);
}

void ConversationFacts::note_forwarded(const DecodedFrame& frame, std::size_t sender) {
  RareFacts& facts = ends_.at(sender).rare.edit();
  ++facts.forwarded;
  facts.not_forwarded = 0;
  if (frame.tcp->has(TcpFlags::kSyn)) hops_ = std::max(hops_, ++hops_of_syn_);
}

void ConversationFacts::note_copy(const DecodedFrame& frame, std::size_t sender) {
  if (frame.tcp->length > 0) ++ends_.at(sender).rare.edit().copies;
}

void ConversationFacts::note_icmp(const DecodedFrame& frame, std::size_t sender,
                                  const Conversation& talk) {
  const IcmpMessage& icmp = *frame.icmp;
  const SequenceVariables& numbers = talk.numbers(sender);
  RareFacts& facts = ends_.at(sender).rare.edit();
  ++facts.icmp_errors;
  if (facts.icmp.size() >= kMostErrors) return;
  const std::uint32_t sequence = icmp.quoted->sequence;
  const bool has_oldest = numbers.is_acknowledged || numbers.has_sent_syn;
  // An error about a probe (SND.UNA-1), or about a segment that was acknowledged since, is honest.
  const bool was_sent = recent_.at(sender).contains(sequence);
  const bool is_above = !has_oldest || !is_before(sequence, numbers.snd_una);
  const bool is_below = !numbers.is_known || !is_before(numbers.snd_nxt, sequence);
  const bool is_in_place = was_sent || (is_above && is_below);
  facts.icmp.push_back({.kind = kind_of(icmp),
                        .mtu = icmp.mtu,
                        .from = frame.ip->source,
                        .is_from_peer = frame.ip->source == icmp.quoted->destination.address,
                        .is_in_place = is_in_place,
                        .state = talk.states().end(sender).now});
}

void ConversationFacts::RecentNumbers::add(std::uint32_t sequence) {
  constexpr std::size_t kMost = 64;
  if (numbers_.size() < kMost) return numbers_.push_back(sequence);
  numbers_.at(oldest_) = sequence;
  oldest_ = (oldest_ + 1) % kMost;
}

bool ConversationFacts::RecentNumbers::contains(std::uint32_t sequence) const {
  return std::ranges::find(numbers_, sequence) != numbers_.end();
}

}  // namespace tcplab::capture
