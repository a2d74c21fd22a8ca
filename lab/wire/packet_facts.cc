#include "lab/wire/packet_facts.hh"

#include <algorithm>
#include <array>

namespace tcplab::lab {

using capture::SegmentTrait;

namespace {

std::int64_t relative(std::uint32_t number, const std::optional<std::uint32_t>& base) {
  return base ? std::int64_t{static_cast<std::int32_t>(number - *base)} : std::int64_t{number};
}

/// RFC 1122 section 3.2.2 lists the errors of ICMP. Of ICMPv6, errors are the types below 128 (RFC
/// 4443 section 2.1).
bool is_error(const capture::IcmpMessage& icmp) {
  constexpr std::array<std::uint8_t, 5> kErrorTypes = {3, 4, 5, 11, 12};
  if (icmp.family == base::Family::ipv6) return icmp.type < 128;
  return std::ranges::find(kErrorTypes, icmp.type) != kErrorTypes.end();
}

}  // namespace

PacketFacts packet_facts(const capture::DecodedFrame& frame, capture::SegmentTraits traits,
                         const capture::SequenceBases& bases) {
  PacketFacts facts{.traits = traits, .is_icmp_error = frame.icmp && is_error(*frame.icmp)};
  if (!frame.tcp) return facts;
  facts.segment = capture::header_of(*frame.tcp);
  facts.is_urgent = frame.tcp->has(capture::TcpFlags::kUrgent);
  facts.sequence = relative(facts.segment->sequence, bases.sequence);
  facts.acknowledgment = relative(facts.segment->acknowledgment, bases.acknowledgment);
  return facts;
}

PacketFacts facts_of_copy(PacketFacts original) {
  original.traits.remove(SegmentTrait::retransmission);
  original.traits.remove(SegmentTrait::spurious_retransmission);
  original.traits.remove(SegmentTrait::duplicate_ack);
  return original;
}

}  // namespace tcplab::lab
