#include "capture/decode/decode.hh"
#include "capture/decode/decode_layers.hh"

namespace tcplab::capture {

namespace {

// Both loopback headers consist of the address family as a number of the capturing system: AF_INET
// is 2 everywhere, AF_INET6 is 10 on Linux, 24 on NetBSD and OpenBSD, 28 on FreeBSD, 30 on macOS.
// The IP version in the packet's first byte does not depend on the system, so we use that.
constexpr std::size_t kFamilySize = 4;
constexpr std::size_t kIpsecSize = 12;  // OpenBSD's: family, SPI, flags

// LINUX_SLL:  packet type, ARPHRD, address length (2 each), address (8), EtherType (2).
// LINUX_SLL2: EtherType, reserved (2 each), interface (4), ARPHRD (2), packet type, length (1
//             each), address (8).
struct CookedHeader {
  std::size_t size;
  std::size_t type;      // the offset of the EtherType
  std::size_t hardware;  // the offset of ARPHRD
};

void decode_cooked(DecodedFrame& frame, Bytes bytes, CookedHeader header) {
  constexpr std::uint16_t kRadiotap = 803;  // ARPHRD_IEEE80211_RADIOTAP
  constexpr std::uint16_t kNoIp = 824;      // ARPHRD_NETLINK: the type is no EtherType
  if (bytes.size() < header.size) return note_malformed(frame, "truncated Linux cooked header");
  const std::uint16_t hardware = read_u16(bytes, header.hardware);
  const Bytes packet = slice(bytes, header.size);
  if (hardware == kRadiotap) return decode_radiotap(frame, packet);
  if (hardware == kNoIp) {
    frame.undecoded = {Undecoded::Kind::link_type, 253};  // LINKTYPE_NETLINK
    return;
  }
  decode_network(frame, read_u16(bytes, header.type), packet);
}

// OpenBSD's pf: the header's length, without its padding, and the address family (1 byte each).
void decode_pflog(DecodedFrame& frame, Bytes bytes) {
  constexpr std::size_t kLeast = 45;  // up to the rule's direction; older versions end there
  const std::size_t size = bytes.empty() ? 0 : bytes[0];
  const std::size_t padded = (size + 3) / 4 * 4;
  if (size < kLeast || padded > bytes.size())
    return note_malformed(frame, "truncated PFLOG header");
  decode_ip(frame, slice(bytes, padded));
}

// Address family, version (1 byte each), resource (2); then attributes: length and type (2 each, in
// the byte order of the machine), value, padding to 4 bytes.
void decode_nflog(DecodedFrame& frame, Bytes bytes) {
  constexpr std::uint32_t kPayload = 9;  // NFULA_PAYLOAD
  constexpr std::uint32_t kMostSensible = 0x100;
  for (Bytes rest = slice(bytes, 4); rest.size() >= 4;) {
    const bool is_little = read_little16(rest, 2) < kMostSensible;
    const std::uint32_t type = is_little ? read_little16(rest, 2) : read_u16(rest, 2);
    const std::size_t size = is_little ? read_little16(rest, 0) : read_u16(rest, 0);
    if (size < 4) break;
    if (type == kPayload) return decode_ip(frame, slice(rest, 4, size - 4));
    rest = slice(rest, (size + 3) / 4 * 4);
  }
  note_malformed(frame, "truncated NFLOG header");
}

void decode_by_link(DecodedFrame& frame, Bytes bytes, LinkType link);

// A header that names the link type of what follows it. The numbers have the byte order of the
// machine, which is little-endian where these are used.
struct Wrapper {
  std::size_t link;  // the offset of the link type, 4 bytes
  bool is_long;      // its first 4 bytes are its length; else bytes 2 and 3 are
};

void decode_wrapped(DecodedFrame& frame, Bytes bytes, Wrapper wrapper) {
  if (bytes.size() < wrapper.link + 4) return note_malformed(frame, "truncated capture header");
  const std::size_t size = wrapper.is_long ? read_little32(bytes, 0) : read_little16(bytes, 2);
  const std::uint32_t link = read_little32(bytes, wrapper.link);
  if (size < wrapper.link + 4 || size > bytes.size())
    return note_malformed(frame, "truncated capture header");
  if (enter_tunnel(frame))
    decode_by_link(frame, slice(bytes, size), LinkType{static_cast<std::uint16_t>(link)});
}

// Prism: message, its length (4 bytes each, in the byte order of the machine). AVS may have the
// same link type, with a magic number first, and then its length.
void decode_prism(DecodedFrame& frame, Bytes bytes) {
  constexpr std::uint32_t kAvsMagic = 0x80211000;
  constexpr std::uint32_t kLongest = 0xffff;
  if (bytes.size() < 8) return note_malformed(frame, "truncated 802.11 capture header");
  const bool is_avs = (read_u32(bytes, 0) & 0xfffff000U) == kAvsMagic;
  const bool is_little = !is_avs && read_little32(bytes, 4) <= kLongest;
  const std::size_t size = is_little ? read_little32(bytes, 4) : read_u32(bytes, 4);
  if (size < 8 || size > bytes.size())
    return note_malformed(frame, "truncated 802.11 capture header");
  decode_wifi(frame, slice(bytes, size), false);
}

constexpr CookedHeader kCooked{.size = 16, .type = 14, .hardware = 2};
constexpr CookedHeader kCooked2{.size = 20, .type = 0, .hardware = 8};

void decode_by_link(DecodedFrame& frame, Bytes bytes, LinkType link) {
  switch (link) {
    case LinkType::ethernet:
      return decode_ethernet(frame, bytes);
    case LinkType::null:
    case LinkType::loop:
      return decode_ip(frame, slice(bytes, kFamilySize));
    case LinkType::raw:
    case LinkType::dlt_raw:
    case LinkType::openbsd_raw:
    case LinkType::ipv4:
    case LinkType::ipv6:
      return decode_ip(frame, bytes);
    case LinkType::openbsd_ipsec:
      return decode_ip(frame, slice(bytes, kIpsecSize));
    case LinkType::openbsd_pflog:
      return decode_pflog(frame, bytes);
    case LinkType::linux_sll:
      return decode_cooked(frame, bytes, kCooked);
    case LinkType::linux_sll2:
      return decode_cooked(frame, bytes, kCooked2);
    case LinkType::ppp:
    case LinkType::ppp_serial:
    case LinkType::cisco_hdlc:
      return decode_ppp(frame, bytes);
    case LinkType::ppp_with_direction:
      return decode_ppp(frame, slice(bytes, 1));
    case LinkType::pppd:
      return decode_ppp(frame, slice(bytes, 2));
    case LinkType::ppp_ether:
      return decode_pppoe(frame, bytes);
    case LinkType::frame_relay:
      return decode_frame_relay(frame, bytes);
    case LinkType::mpls:
      return decode_mpls(frame, bytes);
    case LinkType::ieee802_11:
      return decode_wifi(frame, bytes, false);
    case LinkType::radiotap:
      return decode_radiotap(frame, bytes);
    case LinkType::prism:
    case LinkType::avs:
      return decode_prism(frame, bytes);
    case LinkType::ppi:
      if (!bytes.empty() && bytes[0] != 0)
        return note_malformed(frame, "PPI header of another version");
      return decode_wrapped(frame, bytes, {.link = 4, .is_long = false});
    case LinkType::pktap:
      return decode_wrapped(frame, bytes, {.link = 8, .is_long = true});
    case LinkType::nflog:
      return decode_nflog(frame, bytes);
  }
  frame.undecoded = {Undecoded::Kind::link_type, static_cast<std::uint32_t>(link)};
}

}  // namespace

DecodedFrame decode(Bytes bytes, LinkType link, std::size_t length) {
  DecodedFrame frame{.bytes = bytes, .is_whole = length <= bytes.size()};
  decode_by_link(frame, bytes, link);
  return frame;
}

}  // namespace tcplab::capture
