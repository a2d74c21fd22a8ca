#include "reports/comments/segment_flow.hh"

#include <algorithm>

#include "capture/follow/sequence_number.hh"

namespace tcplab::reports {

using capture::Packet;
using capture::SegmentHeader;
using capture::SegmentTrait;

namespace {

constexpr std::size_t kMostRemembered = 64;

template <typename Element>
void remember(std::deque<Element>& elements, Element element) {
  elements.push_back(element);
  if (elements.size() > kMostRemembered) elements.pop_front();
}

}  // namespace

RoleOfSegment SegmentFlow::sends(const Packet& packet, capture::SegmentTraits traits) {
  const SegmentHeader header = capture::header_of(packet);
  if (header.rst) return reset_role(header);
  if (header.syn) forgotten.clear();  // another connection
  if (header.syn) first_ = packet.sequence + 1;
  if (traits.has(SegmentTrait::new_data))
    remember(sent_, {packet.frame, packet.sequence, header.end()});
  if (traits.has(SegmentTrait::window_probe)) return {SegmentRole::window_probe, 0};
  if (traits.has(SegmentTrait::keepalive_probe)) return {SegmentRole::keepalive, 0};
  if (traits.has(SegmentTrait::retransmission))
    return {SegmentRole::retransmission, frame_that_sent(packet.sequence)};
  const bool answers = header.syn && header.ack;
  if (header.occupied() > 0 && !answers) return {SegmentRole::first, 0};
  if (traits.has(SegmentTrait::window_update)) return {SegmentRole::window_update, 0};
  if (traits.has(SegmentTrait::new_acknowledgment)) return acknowledgment_role(header);
  return {};
}

void SegmentFlow::gets(const Packet& packet) {
  const SegmentHeader header = capture::header_of(packet);
  if (header.syn) peers_first_ = packet.sequence + 1;
  remember(arrivals_,
           {packet.frame, packet.delivered.value_or(packet.sent),
            header.occupied() > 0 || header.rst, header.ack, header.end(), packet.acknowledgment});
}

std::optional<std::uint32_t> SegmentFlow::offset_of(const Packet& packet) const {
  if (!first_) return std::nullopt;
  return packet.sequence + (capture::header_of(packet).syn ? 1U : 0U) - *first_;
}

bool SegmentFlow::had_more_than(std::uint32_t octets, capture::Instant before) const {
  return std::ranges::any_of(arrivals_, [&](const Arrival& arrival) {
    return arrival.at < before && arrival.wakes && peers_first_ &&
           capture::is_before(*peers_first_ + octets, arrival.end);
  });
}

/// RFC 9293 section 3.10.7.1: a host without the connection answers with a RST. It has no ACK and
/// <SEQ=SEG.ACK>; if the segment had no ACK, it has <ACK=SEG.SEQ+SEG.LEN>.
RoleOfSegment SegmentFlow::reset_role(const SegmentHeader& header) const {
  const auto found =
      std::find_if(arrivals_.rbegin(), arrivals_.rend(), [&](const Arrival& arrival) {
        return header.ack ? !arrival.has_ack && header.acknowledgment == arrival.end
                          : arrival.has_ack && header.sequence == arrival.acknowledgment;
      });
  if (found == arrivals_.rend()) return {};
  return {SegmentRole::answer, found->frame};
}

RoleOfSegment SegmentFlow::acknowledgment_role(const SegmentHeader& header) const {
  const auto found = std::ranges::find_if(arrivals_, [&](const Arrival& arrival) {
    return arrival.wakes && arrival.end == header.acknowledgment;
  });
  if (found == arrivals_.end()) return {};
  return {header.syn ? SegmentRole::answer : SegmentRole::acknowledgment, found->frame};
}

std::uint64_t SegmentFlow::frame_that_sent(std::uint32_t sequence) const {
  const auto found = std::ranges::find_if(
      sent_, [&](const Sent& sent) { return sequence - sent.begin < sent.end - sent.begin; });
  return found == sent_.end() ? 0 : found->frame;
}

}  // namespace tcplab::reports
