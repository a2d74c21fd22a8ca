#include "capture/decode/flow_key.hh"

#include <netinet/in.h>

#include <cstring>

#include "capture/decode/decode_layers.hh"

namespace tcplab::capture {

namespace {

/// The IP packet of a frame, and the offset of its TCP header.
struct TcpPlace {
  base::Family family;
  Bytes packet;
  std::size_t header;
};

std::optional<TcpPlace> find_in_ipv4(Bytes packet) {
  if (packet.size() < kIpv4HeaderSize) return std::nullopt;
  const bool is_first_fragment = (read_u16(packet, 6) & 0x1fff) == 0;
  if (packet[9] != IPPROTO_TCP || !is_first_fragment) return std::nullopt;
  const std::size_t header_size = (packet[0] & 0xfU) * 4;
  if (packet[0] >> 4 != 4 || header_size < kIpv4HeaderSize) return std::nullopt;
  return TcpPlace{base::Family::ipv4, packet, header_size};
}

std::optional<TcpPlace> find_in_ipv6(Bytes packet) {
  if (packet.size() < kIpv6HeaderSize || packet[0] >> 4 != 6) return std::nullopt;
  if (packet[6] == IPPROTO_TCP) return TcpPlace{base::Family::ipv6, packet, kIpv6HeaderSize};
  const auto chain = walk_ipv6_extensions(packet);
  if (!chain || chain->protocol != IPPROTO_TCP || chain->fragment_offset != 0) return std::nullopt;
  return TcpPlace{base::Family::ipv6, packet, chain->offset};
}

std::optional<TcpPlace> find_tcp(Bytes frame) {
  if (frame.size() < kEthernetHeaderSize) return std::nullopt;
  std::uint16_t type = read_u16(frame, 12);
  Bytes packet = slice(frame, kEthernetHeaderSize);
  while (is_vlan_tag(type) && packet.size() >= kVlanTagSize) {
    type = read_u16(packet, 2);
    packet = slice(packet, kVlanTagSize);
  }
  if (type == kEtherTypeIpv4) return find_in_ipv4(packet);
  if (type == kEtherTypeIpv6) return find_in_ipv6(packet);
  return std::nullopt;
}

base::Endpoint endpoint_at(const TcpPlace& place, bool is_source) {
  const bool is_ipv4 = place.family == base::Family::ipv4;
  const std::size_t first = is_ipv4 ? 12 : 8;
  const std::size_t size = is_ipv4 ? 4 : 16;
  const std::uint8_t* address = &place.packet[is_source ? first : first + size];
  return {base::IpAddress::from_bytes(place.family, address),
          read_u16(place.packet, is_source ? place.header : place.header + 2)};
}

std::uint64_t mix(std::uint64_t hash, std::uint64_t value) {
  hash = (hash ^ value) * 0x9e3779b97f4a7c15U;  // 2^64 divided by the golden ratio
  return hash ^ hash >> 32;
}

std::uint64_t mix(std::uint64_t hash, const base::Endpoint& endpoint) {
  std::uint64_t halves[2];
  static_assert(sizeof halves == sizeof endpoint.address.bytes);
  std::memcpy(halves, endpoint.address.bytes.data(), sizeof halves);
  return mix(mix(mix(hash, halves[0]), halves[1]), endpoint.port);
}

}  // namespace

std::size_t FlowKeyHash::operator()(const FlowKey& key) const {
  return mix(mix(0, key.source), key.destination);
}

std::optional<FlowKey> flow_of(Bytes frame) {
  const auto place = find_tcp(frame);
  if (!place || place->packet.size() < place->header + 4) return std::nullopt;
  return FlowKey{endpoint_at(*place, true), endpoint_at(*place, false)};
}

}  // namespace tcplab::capture
