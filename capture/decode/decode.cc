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

/// RFC 791 section 3.1. Returns what is wrong with the header; empty if nothing.
std::string_view fault_of_ipv4(Bytes packet) {
  if (packet.size() < kIpv4HeaderSize) return "truncated IPv4 header";
  const std::size_t header_size = (packet[0] & 0xfU) * 4;
  const std::size_t total = read_u16(packet, 2);
  if (packet[0] >> 4 != 4) return "IPv4 header with another IP version";
  if (header_size < kIpv4HeaderSize) return "IPv4 header length is too small";
  if (total != 0 && total < header_size) return "IPv4 total length is too small";
  if (header_size > packet.size()) return "truncated IPv4 options";
  return {};
}

/// Returns how long the IP packet is: as long as its header says, but not longer than a frame that
/// was captured whole.
std::size_t length_of(const DecodedFrame& frame, std::size_t stated, std::size_t captured) {
  return frame.is_whole ? std::min(stated, captured) : stated;
}

/// Notes an IP packet that does not fit its frame, unless a layer in it has said more.
void note_truncated(DecodedFrame& frame, std::size_t stated, std::size_t captured,
                    std::string_view what) {
  if (stated > captured)
    note_malformed(frame, frame.is_whole ? "IP packet is longer than its frame" : what);
}

// Segmentation offload leaves a total length of 0: the packet then reaches to the end of the frame.
void decode_ipv4(DecodedFrame& frame, Bytes packet) {
  if (const std::string_view fault = fault_of_ipv4(packet); !fault.empty())
    return note_malformed(frame, fault);
  const std::size_t header_size = (packet[0] & 0xfU) * 4;
  const std::size_t captured = packet.size();
  const std::size_t stated = read_u16(packet, 2) == 0 ? captured : read_u16(packet, 2);
  const std::size_t total = length_of(frame, stated, captured);
  IpHeader& ip = frame.ip.emplace();
  ip.traffic_class = packet[1];
  ip.identification = read_u16(packet, 4);
  ip.more_fragments = (packet[6] & 0x20) != 0;
  ip.fragment_offset = static_cast<std::uint16_t>((read_u16(packet, 6) & 0x1fff) * 8);
  ip.hop_limit = packet[8];
  ip.protocol = packet[9];
  ip.source = base::IpAddress::from_bytes(base::Family::ipv4, &packet[12]);
  ip.destination = base::IpAddress::from_bytes(base::Family::ipv4, &packet[16]);
  ip.packet = slice(packet, 0, total);
  ip.payload = slice(ip.packet, header_size);
  ip.length = total - header_size;
  decode_transport(frame);
  note_truncated(frame, stated, captured, "truncated IPv4 packet");
}

void decode_ipv6(DecodedFrame& frame, Bytes packet) {
  if (packet.size() < kIpv6HeaderSize) return note_malformed(frame, "truncated IPv6 header");
  if (packet[0] >> 4 != 6) return note_malformed(frame, "IPv6 header with another IP version");
  // A payload length of 0 means a jumbogram (RFC 2675), or segmentation offload left it so.
  const std::size_t captured = packet.size();
  const std::size_t stated =
      read_u16(packet, 4) == 0 ? captured : kIpv6HeaderSize + read_u16(packet, 4);
  const std::size_t total = length_of(frame, stated, captured);
  packet = slice(packet, 0, total);
  IpHeader& ip = frame.ip.emplace();
  ip.traffic_class = static_cast<std::uint8_t>(read_u16(packet, 0) >> 4);
  ip.protocol = packet[6];
  ip.hop_limit = packet[7];
  ip.source = base::IpAddress::from_bytes(base::Family::ipv6, &packet[8]);
  ip.destination = base::IpAddress::from_bytes(base::Family::ipv6, &packet[24]);
  const auto chain = walk_ipv6_extensions(packet);
  if (!chain) return note_malformed(frame, "truncated IPv6 extension header");
  ip.protocol = chain->protocol;
  ip.more_fragments = chain->more_fragments;
  ip.fragment_offset = chain->fragment_offset;
  ip.identification = chain->identification;
  ip.packet = packet;
  ip.payload = slice(packet, chain->offset);
  ip.length = total - std::min(total, chain->offset);
  decode_transport(frame);
  note_truncated(frame, stated, captured, "truncated IPv6 packet");
}

constexpr std::uint8_t kFragment = 44;
constexpr std::uint8_t kAuthentication = 51;

bool is_ipv6_extension(std::uint8_t protocol) {
  return protocol == 0 || protocol == 43 || protocol == kFragment || protocol == kAuthentication ||
         protocol == 60 || protocol == 135;
}

std::size_t size_of_extension(std::uint8_t protocol, Bytes header) {
  if (protocol == kFragment) return 8;
  return protocol == kAuthentication ? (header[1] + 2U) * 4 : (header[1] + 1U) * 8;
}

bool is_ipv4(Bytes packet) { return packet[0] >> 4 == 4; }

}  // namespace

// RFC 8200 sections 4.3 to 4.6. Hop-by-hop options (0), routing (43), destination options (60) and
// mobility (135, RFC 6275) begin with the next header and the length: the number of 8-byte units
// after the first 8 bytes. The authentication header (51, RFC 4302) counts 4-byte units after 8.
// A fragment header (44) has 8 bytes: next header, reserved, offset (13 bits) and flags,
// identification.
std::optional<Ipv6Chain> walk_ipv6_extensions(Bytes packet) {
  Ipv6Chain chain{.protocol = packet[6], .offset = kIpv6HeaderSize};
  while (is_ipv6_extension(chain.protocol) && chain.fragment_offset == 0) {
    if (packet.size() < chain.offset + 8) return std::nullopt;
    const Bytes header = slice(packet, chain.offset);
    const bool is_fragment = chain.protocol == kFragment;
    const std::size_t size = size_of_extension(chain.protocol, header);
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

void note_malformed(DecodedFrame& frame, std::string_view what) {
  if (frame.malformed.empty()) frame.malformed = what;
}

//  0                   6                   12   14
// +-------------------+-------------------+----+---------
// | destination       | source            |type| payload
// +-------------------+-------------------+----+---------
// A type below 1536 is a length: LLC follows. An 802.1Q tag comes before the type: 0x8100, then
// priority (3 bits), drop eligible (1), VLAN (12).
void decode_ethernet(DecodedFrame& frame, Bytes bytes) {
  if (bytes.size() < kEthernetHeaderSize) return note_malformed(frame, "truncated Ethernet header");
  EthernetHeader& header = frame.ethernet.emplace();
  header.destination = read_mac(bytes, 0);
  header.source = read_mac(bytes, 6);
  header.type = read_u16(bytes, 12);
  Bytes packet = slice(bytes, kEthernetHeaderSize);
  while (is_vlan_tag(header.type)) {
    if (packet.size() < kVlanTagSize) return note_malformed(frame, "truncated 802.1Q tag");
    header.vlan = read_u16(packet, 0) & 0xfff;
    header.type = read_u16(packet, 2);
    packet = slice(packet, kVlanTagSize);
  }
  decode_network(frame, header.type, packet);
}

void decode_ip(DecodedFrame& frame, Bytes packet) {
  if (packet.empty()) return note_malformed(frame, "no IP packet");
  if (is_ipv4(packet)) return decode_ipv4(frame, packet);
  decode_ipv6(frame, packet);
}

// IEEE 802.2: DSAP, SSAP, control (1 byte each). SNAP (RFC 1042): both are 0xaa, control is 3, and
// an organization (3 bytes) and an EtherType follow.
void decode_llc(DecodedFrame& frame, Bytes packet) {
  constexpr std::size_t kSnapSize = 8;
  constexpr std::uint32_t kLlc = 4;  // LINUX_SLL's number for it
  if (packet.size() < 3) return note_malformed(frame, "truncated LLC header");
  const bool is_snap = packet[0] == 0xaa && packet[1] == 0xaa;
  if (!is_snap) {
    frame.undecoded = {Undecoded::Kind::ether_type, kLlc};
    return;
  }
  if (packet.size() < kSnapSize) return note_malformed(frame, "truncated SNAP header");
  decode_network(frame, read_u16(packet, 6), slice(packet, kSnapSize));
}

void decode_network(DecodedFrame& frame, std::uint16_t type, Bytes packet) {
  constexpr std::uint16_t kLowestType = 1536;
  while (is_vlan_tag(type) && packet.size() >= kVlanTagSize) {
    type = read_u16(packet, 2);
    packet = slice(packet, kVlanTagSize);
  }
  if (type < kLowestType) return decode_llc(frame, packet);
  switch (type) {
    case kEtherTypeIpv4:
      return decode_ipv4(frame, packet);
    case kEtherTypeIpv6:
      return decode_ipv6(frame, packet);
    case kEtherTypeArp:
      return decode_arp(frame, packet);
    case kEtherTypeMpls:
    case kEtherTypeMplsMulticast:
      return decode_mpls(frame, packet);
    case kEtherTypePppoe:
      return decode_pppoe(frame, packet);
    case kEtherTypePpp:
      return decode_ppp(frame, packet);
    case kEtherTypeBridged:
      return decode_ethernet(frame, packet);
    default:
      frame.undecoded = {Undecoded::Kind::ether_type, type};
  }
}

DecodedFrame decode(Bytes bytes) { return decode(bytes, LinkType::ethernet); }

}  // namespace tcplab::capture
