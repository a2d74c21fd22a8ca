#include "capture/decode/decode_layers.hh"

namespace tcplab::capture {

namespace {

constexpr std::uint16_t kPppIpv4 = 0x0021;
constexpr std::uint16_t kPppIpv6 = 0x0057;
constexpr std::uint16_t kPppMpls = 0x0281;

void decode_ppp_protocol(DecodedFrame& frame, Bytes packet) {
  if (packet.size() < 2) return note_malformed(frame, "truncated PPP header");
  // RFC 1661 section 6.5: one octet, which is odd, if protocol fields are compressed.
  const bool is_short = (packet[0] & 1) != 0;
  const std::uint16_t protocol = is_short ? packet[0] : read_u16(packet, 0);
  packet = slice(packet, is_short ? 1 : 2);
  switch (protocol) {
    case kPppIpv4:
    case kPppIpv6:
      return decode_ip(frame, packet);
    case kPppMpls:
      return decode_mpls(frame, packet);
    default:
      frame.undecoded = {Undecoded::Kind::ppp_protocol, protocol};
  }
}

}  // namespace

// RFC 1662 section 3.1: address 0xff and control 3 may come first. Cisco's HDLC has address 0x0f or
// 0x8f, control 0 and an EtherType instead.
void decode_ppp(DecodedFrame& frame, Bytes packet) {
  if (packet.size() < 4) return note_malformed(frame, "truncated PPP header");
  const std::uint8_t address = packet[0];
  if ((address == 0x0f || address == 0x8f) && packet[1] == 0)
    return decode_network(frame, read_u16(packet, 2), slice(packet, 4));
  const bool has_address = address == 0xff && packet[1] == 0x03;
  decode_ppp_protocol(frame, slice(packet, has_address ? 2 : 0));
}

// RFC 2516: version and type, code (1 byte each), session, length (2 each).
void decode_pppoe(DecodedFrame& frame, Bytes packet) {
  constexpr std::size_t kSize = 6;
  if (packet.size() < kSize) return note_malformed(frame, "truncated PPPoE header");
  if (packet[1] != 0) {  // discovery
    frame.undecoded = {Undecoded::Kind::ether_type, 0x8863};
    return;
  }
  decode_ppp_protocol(frame, slice(packet, kSize, read_u16(packet, 4)));
}

// Q.922: an address of 2 to 4 bytes, whose last has the lowest bit set. RFC 2427: control 3, a byte
// of padding if there is any, NLPID. Cisco's has an EtherType instead.
void decode_frame_relay(DecodedFrame& frame, Bytes packet) {
  constexpr std::uint8_t kIpv4 = 0xcc;
  constexpr std::uint8_t kIpv6 = 0x8e;
  constexpr std::uint8_t kSnap = 0x80;
  std::size_t at = 1;
  while (at < 4 && at < packet.size() && (packet[at] & 1) == 0) ++at;
  packet = slice(packet, at + 1);
  if (packet.size() < 3) return note_malformed(frame, "truncated Frame Relay header");
  if (packet[0] != 0x03) return decode_network(frame, read_u16(packet, 0), slice(packet, 2));
  packet = slice(packet, packet[1] == 0 ? 2 : 1);
  const std::uint8_t nlpid = packet[0];
  if (nlpid == kIpv4 || nlpid == kIpv6) return decode_ip(frame, slice(packet, 1));
  if (nlpid == kSnap && packet.size() >= 6)
    return decode_network(frame, read_u16(packet, 4), slice(packet, 6));
  frame.undecoded = {Undecoded::Kind::nlpid, nlpid};
}

}  // namespace tcplab::capture
