#include "lab/wire/packet_layout.hh"

#include <netinet/in.h>

#include "capture/decode/decode.hh"
#include "capture/decode/decode_layers.hh"

namespace tcplab::lab {

namespace {

constexpr std::size_t kEthernetHeader = 14;
constexpr std::size_t kVlanTag = 4;

std::size_t offset_of(netns::Bytes part, netns::Bytes frame) {
  return static_cast<std::size_t>(part.data() - frame.data());
}

using Span = std::span<std::uint8_t>;

/// RFC 1071: the one's complement sum of 16-bit words; a zero follows a last odd byte.
std::uint32_t sum(netns::Bytes bytes) {
  std::uint32_t total = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i)
    total += i % 2 == 0 ? std::uint32_t{bytes[i]} << 8 : bytes[i];
  return total;
}

std::uint16_t fold(std::uint32_t total) {
  while (total > 0xffff) total = (total & 0xffff) + (total >> 16);
  return static_cast<std::uint16_t>(~total);
}

/// RFC 9293 section 3.1, RFC 8200 section 8.1: the sum includes addresses, protocol and length.
std::uint32_t pseudo_header(netns::Bytes frame, const PacketLayout& layout) {
  const auto addresses =
      layout.is_ipv4 ? frame.subspan(layout.ip + 12, 8) : frame.subspan(layout.ip + 8, 32);
  return sum(addresses) + layout.protocol +
         static_cast<std::uint32_t>(layout.end - layout.transport);
}

/// Returns the checksum's offset in the transport header.
std::optional<std::size_t> checksum_offset(std::uint8_t protocol) {
  switch (protocol) {
    case IPPROTO_TCP:
      return 16;
    case IPPROTO_UDP:
      return 6;
    case IPPROTO_ICMP:
    case IPPROTO_ICMPV6:
      return 2;
  }
  return std::nullopt;
}

}  // namespace

void put_u16(std::span<std::uint8_t> frame, std::size_t at, std::size_t value) {
  frame[at] = static_cast<std::uint8_t>(value >> 8);
  frame[at + 1] = static_cast<std::uint8_t>(value);
}

std::optional<PacketLayout> layout_of(netns::Bytes frame) {
  const capture::DecodedFrame decoded = capture::decode(frame);
  if (!decoded.ip || decoded.ip->payload.empty()) return std::nullopt;
  PacketLayout layout;
  layout.is_ipv4 = decoded.ip->source.family == base::Family::ipv4;
  layout.protocol = decoded.ip->protocol;
  layout.ip = kEthernetHeader + (decoded.ethernet->vlan ? kVlanTag : 0);
  layout.transport = offset_of(decoded.ip->payload, frame);
  layout.end = layout.transport + decoded.ip->payload.size();
  layout.payload = layout.transport;
  if (decoded.tcp) layout.payload = layout.end - decoded.tcp->payload.size();
  if (decoded.udp) layout.payload = layout.end - decoded.udp->payload.size();
  return layout;
}

void fix_lengths(Span frame, const PacketLayout& layout) {
  if (layout.is_ipv4) {
    put_u16(frame, layout.ip + 2, layout.length());
  } else {
    put_u16(frame, layout.ip + 4, layout.length() - capture::kIpv6HeaderSize);
  }
  if (layout.protocol == IPPROTO_UDP)
    put_u16(frame, layout.transport + 4, layout.end - layout.transport);
}

void fix_checksums(Span frame, const PacketLayout& layout) {
  if (layout.is_ipv4) {
    put_u16(frame, layout.ip + 10, 0);
    const std::size_t header = (frame[layout.ip] & 0x0fU) * 4U;
    put_u16(frame, layout.ip + 10, fold(sum(frame.subspan(layout.ip, header))));
  }
  const auto offset = checksum_offset(layout.protocol);
  if (!offset || layout.transport + *offset + 2 > layout.end) return;
  const std::size_t at = layout.transport + *offset;
  put_u16(frame, at, 0);
  std::uint32_t total = sum(frame.subspan(layout.transport, layout.end - layout.transport));
  if (layout.protocol != IPPROTO_ICMP) total += pseudo_header(frame, layout);
  put_u16(frame, at, fold(total));
}

}  // namespace tcplab::lab
