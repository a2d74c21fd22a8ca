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

constexpr std::size_t kEthernetHeaderSize = 14;
constexpr std::size_t kVlanTagSize = 4;

/// Returns true for the EtherType of a customer tag (IEEE 802.1Q), or of the provider tag before it
/// (802.1ad, "QinQ").
constexpr bool is_vlan_tag(std::uint16_t type) { return type == kEtherTypeVlan || type == 0x88a8; }
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

void decode_network(DecodedFrame& frame, std::uint16_t type, Bytes packet);
void decode_transport(DecodedFrame& frame);
void decode_icmp(DecodedFrame& frame, Bytes message);
TcpOptions decode_tcp_options(Bytes options, bool& is_well_formed);

}  // namespace tcplab::capture
