#include "capture/decode/decode_layers.hh"

namespace tcplab::capture {

namespace {

constexpr std::uint16_t kErspan2 = 0x88be;
constexpr std::uint16_t kErspan3 = 0x22eb;
constexpr std::uint16_t kWccp = 0x883e;

/// Returns true if the bytes can be an Ethernet frame that a pseudowire carries.
bool looks_like_ethernet(Bytes bytes) {
  if (bytes.size() < kEthernetHeaderSize) return false;
  const std::uint16_t type = read_u16(bytes, 12);
  return is_vlan_tag(type) || type == kEtherTypeIpv4 || type == kEtherTypeIpv6 ||
         type == kEtherTypeArp || type == kEtherTypeMpls || type == kEtherTypePppoe;
}

/// Returns true if the bytes are an IP header. An Ethernet address can begin with the same digit.
bool looks_like_ip(Bytes bytes) {
  if (bytes.size() >= kIpv6HeaderSize && bytes[0] >> 4 == 6) return true;
  if (bytes.size() < kIpv4HeaderSize || bytes[0] >> 4 != 4) return false;
  const std::size_t header_size = (bytes[0] & 0xfU) * 4;
  return header_size >= kIpv4HeaderSize && read_u16(bytes, 2) >= header_size;
}

// ERSPAN type II: version and VLAN (2 bytes), session (2), index (4). Type I has no header, and no
// GRE sequence number. Type III has 12 bytes, and 8 more if its last bit is set.
void decode_erspan(DecodedFrame& frame, std::uint16_t type, bool has_number, Bytes packet) {
  const bool is_second = type == kErspan2;
  if (is_second && !has_number) return decode_ethernet(frame, packet);
  if (packet.size() < (is_second ? 8 : 12)) return note_malformed(frame, "truncated ERSPAN header");
  if (packet[0] >> 4 != (is_second ? 1 : 2))
    return note_malformed(frame, "ERSPAN header of another version");
  if (is_second) return decode_ethernet(frame, slice(packet, 8));
  decode_ethernet(frame, slice(packet, (packet[11] & 1) != 0 ? 20 : 12));
}

// RFC 7348: flags (1 byte), reserved (3), network identifier (3), reserved (1).
void decode_vxlan(DecodedFrame& frame, Bytes payload) {
  constexpr std::uint8_t kHasIdentifier = 0x08;
  if (payload.size() < 8 || (payload[0] & kHasIdentifier) == 0) return;
  if (enter_tunnel(frame)) decode_ethernet(frame, slice(payload, 8));
}

// RFC 8926: version and length of the options in 4-byte units, flags (1 byte each), EtherType (2),
// network identifier (3), reserved (1).
void decode_geneve(DecodedFrame& frame, Bytes payload) {
  if (payload.size() < 8 || payload[0] >> 6 != 0) return;
  if (enter_tunnel(frame))
    decode_network(frame, read_u16(payload, 2), slice(payload, 8 + (payload[0] & 0x3fU) * 4));
}

// 3GPP TS 29.281: version and flags, type (1 byte each), length (2), tunnel (4); if a flag says so,
// sequence number (2), N-PDU number and type of the next extension (1 each). An extension begins
// with its length in 4-byte units, and ends with the type of the next.
void decode_gtp(DecodedFrame& frame, Bytes payload) {
  constexpr std::uint8_t kVersion1 = 0x30;
  constexpr std::uint8_t kPacket = 255;
  constexpr std::size_t kSize = 8;
  if (payload.size() < kSize || (payload[0] & 0xf0) != kVersion1 || payload[1] != kPacket) return;
  std::size_t at = kSize;
  if ((payload[0] & 0x07) != 0) {
    at += 4;
    bool has_more = (payload[0] & 0x04) != 0;
    while (has_more && at < payload.size() && payload[at - 1] != 0) {
      if (payload[at] == 0) return note_malformed(frame, "GTP extension of length 0");
      at += payload[at] * 4U;
    }
  }
  if (at < payload.size() && enter_tunnel(frame)) decode_ip(frame, slice(payload, at));
}

}  // namespace

bool enter_tunnel(DecodedFrame& frame) {
  constexpr std::uint8_t kMost = 8;  // more come from a loop, or from an attack
  frame.udp.reset();
  if (++frame.tunnels <= kMost) return true;
  frame.undecoded = {Undecoded::Kind::nested, kMost};
  return false;
}

// RFC 3032: label (20 bits), traffic class (3), bottom of stack (1), TTL (8). What follows the last
// label has no type: IP begins with its version; a pseudowire's control word with 0 (RFC 4385), and
// its messages about the connection with 1; else an Ethernet frame may follow without it.
void decode_mpls(DecodedFrame& frame, Bytes packet) {
  constexpr std::size_t kLabelSize = 4;
  bool is_last = false;
  while (!is_last) {
    if (packet.size() < kLabelSize) return note_malformed(frame, "truncated MPLS label");
    is_last = (packet[2] & 1) != 0;
    packet = slice(packet, kLabelSize);
  }
  if (!enter_tunnel(frame)) return;
  if (looks_like_ip(packet)) return decode_ip(frame, packet);
  const bool has_control_word = packet.size() > 4 && packet[0] >> 4 == 0;
  if (has_control_word && looks_like_ethernet(slice(packet, 4)))
    return decode_ethernet(frame, slice(packet, 4));
  if (looks_like_ethernet(packet)) return decode_ethernet(frame, packet);
  frame.undecoded = {Undecoded::Kind::pseudowire, 0};
}

// RFC 2784 and 2890: flags and version, EtherType (2 bytes each); then, as flags say, checksum and
// offset (4 together), key (4), sequence number (4). RFC 2637 (version 1, PPTP): and acknowledgment
// (4).
void decode_gre(DecodedFrame& frame, Bytes packet) {
  constexpr std::uint16_t kChecksumOrRouting = 0xc000;
  constexpr std::uint16_t kKey = 0x2000;
  constexpr std::uint16_t kNumber = 0x1000;
  constexpr std::uint16_t kAcknowledgment = 0x0080;
  if (packet.size() < 4) return note_malformed(frame, "truncated GRE header");
  const std::uint16_t flags = read_u16(packet, 0);
  const std::uint16_t type = read_u16(packet, 2);
  const bool has_number = (flags & kNumber) != 0;
  std::size_t size = 4;
  if ((flags & kChecksumOrRouting) != 0) size += 4;
  if ((flags & kKey) != 0) size += 4;
  if (has_number) size += 4;
  if ((flags & 7) == 1 && (flags & kAcknowledgment) != 0) size += 4;
  if (!enter_tunnel(frame)) return;
  packet = slice(packet, size);
  if (packet.empty()) return;  // a keepalive, or PPTP's acknowledgment
  if (type == kErspan2 || type == kErspan3) return decode_erspan(frame, type, has_number, packet);
  if (type == kWccp) return decode_ip(frame, slice(packet, packet[0] >> 4 == 4 ? 0 : 4));
  decode_network(frame, type, packet);
}

void decode_udp_tunnel(DecodedFrame& frame) {
  const std::uint16_t port = frame.udp->destination_port;
  const Bytes payload = frame.udp->payload;
  switch (port) {
    case 4789:  // RFC 7348
    case 8472:  // Linux, before there was a number
      return decode_vxlan(frame, payload);
    case 6081:
      return decode_geneve(frame, payload);
    case 2152:
      return decode_gtp(frame, payload);
    case 6635:  // RFC 7510
      return decode_mpls(frame, payload);
    case 1701:   // L2TP
    case 3544:   // Teredo
    case 4500:   // IPsec through a NAT
    case 4790:   // VXLAN-GPE
    case 37008:  // TZSP
    case 51820:  // WireGuard
      frame.undecoded = {Undecoded::Kind::udp_port, port};
      return;
    default:
      return;
  }
}

}  // namespace tcplab::capture
