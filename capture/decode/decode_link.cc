#include "capture/decode/decode.hh"
#include "capture/decode/decode_layers.hh"

namespace tcplab::capture {

namespace {

// Both loopback headers consist of the address family as a number of the capturing system: AF_INET
// is 2 everywhere, AF_INET6 is 10 on Linux, 24 on NetBSD and OpenBSD, 28 on FreeBSD, 30 on macOS.
// The IP version in the packet's first byte does not depend on the system, so we use that.
void decode_ip(DecodedFrame& frame, Bytes packet) {
  if (packet.empty()) {
    frame.malformed = "no IP packet";
    return;
  }
  decode_network(frame, packet[0] >> 4 == 6 ? kEtherTypeIpv6 : kEtherTypeIpv4, packet);
}

// LINUX_SLL:  packet type, ARPHRD, address length (2 each), address (8), EtherType (2).
// LINUX_SLL2: EtherType, reserved (2 each), interface (4), ARPHRD (2), packet type, length (1
//             each), address (8).
struct CookedHeader {
  std::size_t size;
  std::size_t type;  // the offset of the EtherType
};

void decode_cooked(DecodedFrame& frame, CookedHeader header) {
  if (frame.bytes.size() < header.size) {
    frame.malformed = "truncated Linux cooked header";
    return;
  }
  std::uint16_t type = read_u16(frame.bytes, header.type);
  Bytes packet = slice(frame.bytes, header.size);
  while (is_vlan_tag(type) && packet.size() >= kVlanTagSize) {
    type = read_u16(packet, 2);
    packet = slice(packet, kVlanTagSize);
  }
  decode_network(frame, type, packet);
}

}  // namespace

DecodedFrame decode(Bytes bytes, LinkType link) {
  constexpr std::size_t kFamilySize = 4;
  if (link == LinkType::ethernet) return decode(bytes);
  DecodedFrame frame{.bytes = bytes};
  switch (link) {
    case LinkType::ethernet:
      break;
    case LinkType::null:
    case LinkType::loop:
      decode_ip(frame, slice(bytes, kFamilySize));
      break;
    case LinkType::raw:
      decode_ip(frame, bytes);
      break;
    case LinkType::linux_sll:
      decode_cooked(frame, {.size = 16, .type = 14});
      break;
    case LinkType::linux_sll2:
      decode_cooked(frame, {.size = 20, .type = 0});
      break;
  }
  return frame;
}

}  // namespace tcplab::capture
