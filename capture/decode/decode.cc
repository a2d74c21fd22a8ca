#include "capture/decode/decode.hh"

#include <algorithm>

#include "capture/decode/decode_layers.hh"

namespace tcplab::capture {

namespace {

MacBytes read_mac(Bytes bytes, std::size_t at) {
  MacBytes mac;
  std::copy_n(bytes.begin() + at, mac.size(), mac.begin());
  return mac;
}

//  0                   6                   12   14
// +-------------------+-------------------+----+---------
// | destination       | source            |type| payload
// +-------------------+-------------------+----+---------
// An 802.1Q tag comes before the type: 0x8100, then priority (3 bits), drop eligible (1), VLAN
// (12).
void decode_ethernet(DecodedFrame& frame) {
  const Bytes bytes = frame.bytes;
  if (bytes.size() < kEthernetHeaderSize) {
    frame.malformed = "truncated Ethernet header";
    return;
  }
  EthernetHeader& header = frame.ethernet.emplace();
  header.destination = read_mac(bytes, 0);
  header.source = read_mac(bytes, 6);
  header.type = read_u16(bytes, 12);
  Bytes packet = slice(bytes, kEthernetHeaderSize);
  while (is_vlan_tag(header.type)) {
    if (packet.size() < kVlanTagSize) {
      frame.malformed = "truncated 802.1Q tag";
      return;
    }
    header.vlan = read_u16(packet, 0) & 0xfff;
    header.type = read_u16(packet, 2);
    packet = slice(packet, kVlanTagSize);
  }
  decode_network(frame, header.type, packet);
}

// RFC 826:  hardware type, protocol type (2 bytes each), their address sizes (1 each),
//           operation (2), hardware and protocol address of the sender, then of the target.
void decode_arp(DecodedFrame& frame, Bytes packet) {
  constexpr std::size_t kSize = 28;
  if (packet.size() < kSize) {
    frame.malformed = "truncated ARP packet";
    return;
  }
  if (read_u16(packet, 2) != kEtherTypeIpv4 || packet[4] != 6 || packet[5] != 4) {
    frame.malformed = "ARP not for IPv4 over Ethernet";
    return;
  }
  ArpPacket& arp = frame.arp.emplace();
  arp.operation = read_u16(packet, 6);
  arp.sender_mac = read_mac(packet, 8);
  arp.sender = base::IpAddress::from_bytes(base::Family::ipv4, &packet[14]);
  arp.target_mac = read_mac(packet, 18);
  arp.target = base::IpAddress::from_bytes(base::Family::ipv4, &packet[24]);
}

// RFC 791 section 3.1. Segmentation offload leaves a total length of 0: the packet then reaches to
// the end of the frame.
void decode_ipv4(DecodedFrame& frame, Bytes packet) {
  if (packet.size() < kIpv4HeaderSize) {
    frame.malformed = "truncated IPv4 header";
    return;
  }
  const std::size_t header_size = (packet[0] & 0xfU) * 4;
  const std::size_t total = read_u16(packet, 2);
  if (packet[0] >> 4 != 4) frame.malformed = "IPv4 header with another IP version";
  if (header_size < kIpv4HeaderSize) frame.malformed = "IPv4 header length is too small";
  if (header_size > packet.size()) frame.malformed = "truncated IPv4 options";
  if (total != 0 && total < header_size) frame.malformed = "IPv4 total length is too small";
  if (!frame.malformed.empty()) return;
  if (total > packet.size()) frame.malformed = "truncated IPv4 packet";
  IpHeader& ip = frame.ip.emplace();
  ip.traffic_class = packet[1];
  ip.identification = read_u16(packet, 4);
  ip.more_fragments = (packet[6] & 0x20) != 0;
  ip.fragment_offset = static_cast<std::uint16_t>((read_u16(packet, 6) & 0x1fff) * 8);
  ip.hop_limit = packet[8];
  ip.protocol = packet[9];
  ip.source = base::IpAddress::from_bytes(base::Family::ipv4, &packet[12]);
  ip.destination = base::IpAddress::from_bytes(base::Family::ipv4, &packet[16]);
  ip.payload = slice(packet, header_size, total == 0 ? SIZE_MAX : total - header_size);
  ip.length = total == 0 ? ip.payload.size() : total - header_size;
  decode_transport(frame);
}

void decode_ipv6(DecodedFrame& frame, Bytes packet) {
  if (packet.size() < kIpv6HeaderSize) {
    frame.malformed = "truncated IPv6 header";
    return;
  }
  if (packet[0] >> 4 != 6) {
    frame.malformed = "IPv6 header with another IP version";
    return;
  }
  // A payload length of 0 means a jumbogram (RFC 2675), or segmentation offload left it so.
  const std::size_t stated = read_u16(packet, 4);
  const std::size_t total = stated == 0 ? packet.size() : kIpv6HeaderSize + stated;
  if (total > packet.size()) frame.malformed = "truncated IPv6 packet";
  packet = slice(packet, 0, total);
  IpHeader& ip = frame.ip.emplace();
  ip.traffic_class = static_cast<std::uint8_t>(read_u16(packet, 0) >> 4);
  ip.protocol = packet[6];
  ip.hop_limit = packet[7];
  ip.source = base::IpAddress::from_bytes(base::Family::ipv6, &packet[8]);
  ip.destination = base::IpAddress::from_bytes(base::Family::ipv6, &packet[24]);
  const auto chain = walk_ipv6_extensions(packet);
  if (!chain) {
    frame.malformed = "truncated IPv6 extension header";
    return;
  }
  ip.protocol = chain->protocol;
  ip.more_fragments = chain->more_fragments;
  ip.fragment_offset = chain->fragment_offset;
  ip.identification = chain->identification;
  ip.payload = slice(packet, chain->offset);
  ip.length = total - std::min(total, chain->offset);
  decode_transport(frame);
}

bool is_ipv6_extension(std::uint8_t protocol) {
  return protocol == 0 || protocol == 43 || protocol == 44 || protocol == 60;
}

}  // namespace

// RFC 8200 sections 4.3 to 4.6. Hop-by-hop options (0), routing (43) and destination options (60)
// begin with the next header and the length: the number of 8-byte units after the first 8 bytes.
// A fragment header (44) has 8 bytes: next header, reserved, offset (13 bits) and flags,
// identification.
std::optional<Ipv6Chain> walk_ipv6_extensions(Bytes packet) {
  constexpr std::uint8_t kFragment = 44;
  Ipv6Chain chain{.protocol = packet[6], .offset = kIpv6HeaderSize};
  while (is_ipv6_extension(chain.protocol) && chain.fragment_offset == 0) {
    if (packet.size() < chain.offset + 8) return std::nullopt;
    const Bytes header = slice(packet, chain.offset);
    const bool is_fragment = chain.protocol == kFragment;
    const std::size_t size = is_fragment ? 8 : (header[1] + 1U) * 8;
    if (size > header.size()) return std::nullopt;
    if (is_fragment) {
      chain.fragment_offset = read_u16(header, 2) & 0xfff8;
      chain.more_fragments = (header[3] & 1) != 0;
      chain.identification = read_u32(header, 4);
    }
    chain.protocol = header[0];
    chain.offset += size;
  }
  return chain;
}

void decode_network(DecodedFrame& frame, std::uint16_t type, Bytes packet) {
  switch (type) {
    case kEtherTypeIpv4:
      return decode_ipv4(frame, packet);
    case kEtherTypeIpv6:
      return decode_ipv6(frame, packet);
    case kEtherTypeArp:
      return decode_arp(frame, packet);
    default:
      return;
  }
}

DecodedFrame decode(Bytes bytes) {
  DecodedFrame frame{.bytes = bytes};
  decode_ethernet(frame);
  return frame;
}

}  // namespace tcplab::capture
