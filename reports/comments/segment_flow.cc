#include "reports/comments/segment_flow.hh"

#include <algorithm>

namespace tcplab::reports {

using capture::Packet;

namespace {

constexpr std::size_t kMostRemembered = 64;

bool has(const Packet& packet, char flag) { return packet.flags.find(flag) != std::string::npos; }

std::uint32_t end_of(const Packet& packet) {
  return packet.sequence + packet.length + (has(packet, 'S') ? 1U : 0U) +
         (has(packet, 'F') ? 1U : 0U);
}

/// RFC 9293 section 3.4: modulo 2^32.
bool is_before(std::uint32_t one, std::uint32_t other) {
  return static_cast<std::int32_t>(one - other) < 0;
}

template <typename Element>
void remember(std::deque<Element>& elements, Element element) {
  elements.push_back(element);
  if (elements.size() > kMostRemembered) elements.pop_front();
}

}  // namespace

RoleOfSegment SegmentFlow::sends(const Packet& packet) {
  const std::uint32_t end = end_of(packet);
  if (has(packet, 'R')) return reset_role(packet);
  if (has(packet, 'S')) forgotten.clear();  // another connection
  RoleOfSegment role;
  const bool occupies = end != packet.sequence;
  if (!occupies) role = acknowledgment_role(packet);
  if (has(packet, 'S')) first_ = packet.sequence + 1;
  if (!occupies && next_ && packet.sequence == *next_ - 1) {
    role.role = peers_window_ == 0 ? SegmentRole::window_probe : SegmentRole::keepalive;
  } else if (occupies && next_ && !is_before(*next_, end) && !has(packet, 'S')) {
    role = {SegmentRole::again, sent_in(packet)};
  } else if (has(packet, 'S') && sent_in(packet) != 0) {
    role = {SegmentRole::again, sent_in(packet)};
  } else if (occupies) {
    role = {SegmentRole::first, 0};
    if (has(packet, 'S') && has(packet, '.')) role = acknowledgment_role(packet);
    remember(sent_, {packet.frame, packet.sequence, end});
  }
  if (!next_ || has(packet, 'S') || is_before(*next_, end)) next_ = end;
  if (has(packet, '.')) acknowledged_ = packet.acknowledgment;
  if (!has(packet, 'S')) window_ = packet.window;  // a SYN's is not scaled (RFC 7323 section 2.2)
  return role;
}

void SegmentFlow::gets(const Packet& packet) {
  const bool wakes = packet.length > 0 || has(packet, 'F') || has(packet, 'R') || has(packet, 'S');
  if (has(packet, 'S')) peers_first_ = packet.sequence + 1;
  if (!has(packet, 'R') && !has(packet, 'S')) peers_window_ = packet.window;
  remember(arrivals_, {packet.frame, packet.delivered.value_or(packet.sent), wakes,
                       has(packet, '.'), end_of(packet), packet.acknowledgment});
}

std::optional<std::uint32_t> SegmentFlow::offset_of(const Packet& packet) const {
  if (!first_) return std::nullopt;
  return packet.sequence + (has(packet, 'S') ? 1U : 0U) - *first_;
}

bool SegmentFlow::had_more_than(std::uint32_t octets, capture::Instant before) const {
  return std::ranges::any_of(arrivals_, [&](const Arrival& arrival) {
    return arrival.at < before && arrival.wakes && peers_first_ &&
           is_before(*peers_first_ + octets, arrival.end);
  });
}

/// RFC 9293 section 3.10.7.1: what has no connection is answered by a RST with its own numbers:
/// without ACK, and <SEQ=SEG.ACK>; or where that had none, <ACK=SEG.SEQ+SEG.LEN>.
RoleOfSegment SegmentFlow::reset_role(const Packet& packet) const {
  const auto found =
      std::find_if(arrivals_.rbegin(), arrivals_.rend(), [&](const Arrival& arrival) {
        return has(packet, '.') ? !arrival.has_ack && packet.acknowledgment == arrival.end
                                : arrival.has_ack && packet.sequence == arrival.acknowledgment;
      });
  if (found == arrivals_.rend()) return {};
  return {SegmentRole::answer, found->frame};
}

RoleOfSegment SegmentFlow::acknowledgment_role(const Packet& packet) const {
  if (acknowledged_ == packet.acknowledgment) {
    const bool grows = window_ && packet.window > *window_;
    return {grows ? SegmentRole::window : SegmentRole::other, 0};
  }
  const auto found = std::ranges::find_if(arrivals_, [&](const Arrival& arrival) {
    return arrival.wakes && arrival.end == packet.acknowledgment;
  });
  if (found == arrivals_.end()) return {};
  return {has(packet, 'S') ? SegmentRole::answer : SegmentRole::acknowledgment, found->frame};
}

std::uint64_t SegmentFlow::sent_in(const Packet& packet) const {
  const auto found = std::ranges::find_if(sent_, [&](const Sent& sent) {
    return packet.sequence - sent.begin < sent.end - sent.begin;
  });
  return found == sent_.end() ? 0 : found->frame;
}

}  // namespace tcplab::reports
