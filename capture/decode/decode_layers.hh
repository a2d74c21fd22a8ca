// The decoders of the layers, for decode*.cc only. Each decodes the bytes of its layer into
// `frame`. If it cannot decode all of them, it sets `malformed` to the reason.
#pragma once

#include <cstdint>
#include <optional>

#include "base/bytes.hh"
#include "capture/decode/decoded_frame.hh"

namespace tcplab::capture {

constexpr std::uint16_t kEtherTypeIpv4 = 0x0800;
constexpr std::uint16_t kEtherTypeArp = 0x0806;
constexpr std::uint16_t kEtherTypeVlan = 0x8100;
constexpr std::uint16_t kEtherTypeIpv6 = 0x86dd;
constexpr std::uint16_t kEtherTypeBridged = 0x6558;  // an Ethernet frame in a tunnel (RFC 1701)
constexpr std::uint16_t kEtherTypePpp = 0x880b;
constexpr std::uint16_t kEtherTypeMpls = 0x8847;
constexpr std::uint16_t kEtherTypeMplsMulticast = 0x8848;
constexpr std::uint16_t kEtherTypePppoe = 0x8864;  // RFC 2516; 0x8863 is its discovery

constexpr std::size_t kEthernetHeaderSize = 14;
constexpr std::size_t kVlanTagSize = 4;

/// Returns true for the EtherType of a customer tag (IEEE 802.1Q), or of the provider tag before it
/// (802.1ad, "QinQ"; 0x9100 before that was standardized).
constexpr bool is_vlan_tag(std::uint16_t type) {
  return type == kEtherTypeVlan || type == 0x88a8 || type == 0x9100;
}
constexpr std::size_t kIpv4HeaderSize = 20;  // without options
constexpr std::size_t kIpv6HeaderSize = 40;

/// What follows from the extension headers of an IPv6 packet (RFC 8200 section 4).
struct Ipv6Chain {
  std::uint8_t protocol = 0;  // of the payload
  std::size_t offset = 0;     // of the payload, from the start of the IPv6 header
  bool more_fragments = false;
  std::uint16_t fragment_offset = 0;
  std::uint32_t identification = 0;
};
/// Returns nullopt if the packet ends within its extension headers. `packet` must contain at least
/// the IPv6 header.
std::optional<Ipv6Chain> walk_ipv6_extensions(Bytes packet);

void decode_ethernet(DecodedFrame& frame, Bytes bytes);
/// Decodes what follows an EtherType.
void decode_network(DecodedFrame& frame, std::uint16_t type, Bytes packet);
/// Decodes an IP packet of either version.
void decode_ip(DecodedFrame& frame, Bytes packet);
/// Decodes what follows a length in place of an EtherType: LLC (IEEE 802.2), with SNAP (RFC 1042).
void decode_llc(DecodedFrame& frame, Bytes packet);
void decode_transport(DecodedFrame& frame);
void decode_icmp(DecodedFrame& frame, Bytes message);

void decode_ppp(DecodedFrame& frame, Bytes packet);
void decode_pppoe(DecodedFrame& frame, Bytes packet);
void decode_mpls(DecodedFrame& frame, Bytes packet);
void decode_gre(DecodedFrame& frame, Bytes packet);
void decode_frame_relay(DecodedFrame& frame, Bytes packet);
/// Decodes an 802.11 frame. `is_padded`: its header is padded to a multiple of 4 bytes.
void decode_wifi(DecodedFrame& frame, Bytes bytes, bool is_padded);
void decode_radiotap(DecodedFrame& frame, Bytes bytes);
/// Decodes what a datagram carries, if it is of a tunnel.
void decode_udp_tunnel(DecodedFrame& frame);
/// Counts a tunnel. Returns false, and says so in the frame, if there are too many.
bool enter_tunnel(DecodedFrame& frame);
/// Says what is wrong with the frame, unless something was wrong before.
void note_malformed(DecodedFrame& frame, std::string_view what);

TcpOptions decode_tcp_options(Bytes options, bool& is_well_formed);

}  // namespace tcplab::capture
