#include "lab/wire/neighbour_answer.hh"

#include <algorithm>
#include <tins/arp.h>
#include <tins/ethernetII.h>
#include <tins/icmpv6.h>
#include <tins/ipv6.h>

namespace tcplab::lab {

namespace {

constexpr std::uint16_t kArpRequest = 1;
constexpr std::uint8_t kSolicitation = 135;  // RFC 4861 section 4.3
constexpr std::uint8_t kHopLimit = 255;      // RFC 4861 section 7.1: from this link

bool has(const netns::NicConfig& nic, const base::IpAddress& address) {
  return std::ranges::any_of(nic.addresses,
                             [&](const auto& each) { return each.address == address; });
}

Tins::HWAddress<6> link_address(const std::array<std::uint8_t, 6>& bytes) { return {bytes.data()}; }

std::vector<std::uint8_t> arp_reply(const capture::ArpPacket& request,
                                    const netns::NicConfig& nic) {
  auto frame = Tins::ARP::make_arp_reply(
      Tins::IPv4Address(request.sender.to_string()), Tins::IPv4Address(request.target.to_string()),
      link_address(request.sender_mac), link_address(nic.mac.bytes));
  return frame.serialize();
}

std::vector<std::uint8_t> advertisement(const capture::DecodedFrame& solicitation,
                                        const netns::NicConfig& nic) {
  const base::IpAddress& target = *solicitation.icmp->target;
  Tins::ICMPv6 icmp(Tins::ICMPv6::NEIGHBOUR_ADVERT);
  icmp.target_addr(Tins::IPv6Address(target.to_string()));
  icmp.solicited(1);
  icmp.override(1);
  icmp.target_link_layer_addr(link_address(nic.mac.bytes));
  Tins::IPv6 ip(Tins::IPv6Address(solicitation.ip->source.to_string()),
                Tins::IPv6Address(target.to_string()));
  ip.hop_limit(kHopLimit);
  Tins::EthernetII frame(link_address(solicitation.ethernet->source), link_address(nic.mac.bytes));
  frame /= ip / icmp;
  return frame.serialize();
}

/// A question without a sender looks for a duplicate of the sender's own address.
bool solicits(const capture::DecodedFrame& frame) {
  return frame.icmp && frame.ip && frame.ethernet && frame.icmp->family == base::Family::ipv6 &&
         frame.icmp->type == kSolicitation && frame.icmp->target &&
         frame.ip->source != base::IpAddress{.family = base::Family::ipv6};
}

}  // namespace

std::optional<base::IpAddress> asked_neighbour(const capture::DecodedFrame& frame) {
  if (solicits(frame)) return frame.icmp->target;
  if (!frame.arp || frame.arp->operation != kArpRequest ||
      frame.arp->sender == base::IpAddress{.family = base::Family::ipv4} ||
      frame.arp->sender == frame.arp->target)
    return std::nullopt;
  return frame.arp->target;
}

std::optional<std::vector<std::uint8_t>> neighbour_answer(const capture::DecodedFrame& frame,
                                                          const netns::NicConfig& nic) {
  if (frame.arp && frame.arp->operation == kArpRequest && has(nic, frame.arp->target))
    return arp_reply(*frame.arp, nic);
  if (solicits(frame) && has(nic, *frame.icmp->target)) return advertisement(frame, nic);
  return std::nullopt;
}

}  // namespace tcplab::lab
