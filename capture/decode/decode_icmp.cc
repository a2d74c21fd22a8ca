#include <netinet/icmp6.h>
#include <netinet/in.h>
#include <netinet/ip_icmp.h>

#include "capture/decode/decode_layers.hh"

namespace tcplab::capture {

namespace {

constexpr std::size_t kIcmpHeaderSize = 8;

void quote_ports(QuotedPacket& quoted, Bytes transport) {
  const bool has_ports = quoted.protocol == IPPROTO_TCP || quoted.protocol == IPPROTO_UDP;
  if (!has_ports || transport.size() < 8) return;
  quoted.source.port = read_u16(transport, 0);
  quoted.destination.port = read_u16(transport, 2);
  if (quoted.protocol == IPPROTO_TCP) quoted.sequence = read_u32(transport, 4);
}

std::optional<QuotedPacket> quote_ipv4(Bytes packet) {
  if (packet.size() < kIpv4HeaderSize) return std::nullopt;
  QuotedPacket quoted{.protocol = packet[9]};
  quoted.source.address = base::IpAddress::from_bytes(base::Family::ipv4, &packet[12]);
  quoted.destination.address = base::IpAddress::from_bytes(base::Family::ipv4, &packet[16]);
  quote_ports(quoted, slice(packet, (packet[0] & 0xfU) * 4));
  return quoted;
}

std::optional<QuotedPacket> quote_ipv6(Bytes packet) {
  if (packet.size() < kIpv6HeaderSize) return std::nullopt;
  const auto chain = walk_ipv6_extensions(packet);
  QuotedPacket quoted{.protocol = chain ? chain->protocol : packet[6]};
  quoted.source.address = base::IpAddress::from_bytes(base::Family::ipv6, &packet[8]);
  quoted.destination.address = base::IpAddress::from_bytes(base::Family::ipv6, &packet[24]);
  if (chain && chain->fragment_offset == 0) quote_ports(quoted, slice(packet, chain->offset));
  return quoted;
}

void take_echo(IcmpMessage& icmp, Bytes message) {
  icmp.identifier = read_u16(message, 4);
  icmp.sequence = read_u16(message, 6);
}

void decode_icmpv4_body(IcmpMessage& icmp, Bytes message) {
  switch (icmp.type) {
    case ICMP_ECHO:
    case ICMP_ECHOREPLY:
      return take_echo(icmp, message);
    case ICMP_DEST_UNREACH:
      if (icmp.code == ICMP_FRAG_NEEDED) icmp.mtu = read_u16(message, 6);  // RFC 1191 section 4
      [[fallthrough]];
    case ICMP_SOURCE_QUENCH:
    case ICMP_REDIRECT:
    case ICMP_TIME_EXCEEDED:
    case ICMP_PARAMETERPROB:
      icmp.quoted = quote_ipv4(slice(message, kIcmpHeaderSize));
      return;
    default:
      return;
  }
}

void take_target(DecodedFrame& frame, IcmpMessage& icmp, Bytes message) {
  if (message.size() < kIcmpHeaderSize + 16) {
    note_malformed(frame, "truncated neighbour discovery message");
    return;
  }
  icmp.target = base::IpAddress::from_bytes(base::Family::ipv6, &message[kIcmpHeaderSize]);
}

void decode_icmpv6_body(DecodedFrame& frame, IcmpMessage& icmp, Bytes message) {
  switch (icmp.type) {
    case ICMP6_ECHO_REQUEST:
    case ICMP6_ECHO_REPLY:
      return take_echo(icmp, message);
    case ND_NEIGHBOR_SOLICIT:
    case ND_NEIGHBOR_ADVERT:
    case ND_REDIRECT:
      return take_target(frame, icmp, message);
    case ICMP6_PACKET_TOO_BIG:
      icmp.mtu = read_u32(message, 4);  // RFC 4443 section 3.2
      [[fallthrough]];
    case ICMP6_DST_UNREACH:
    case ICMP6_TIME_EXCEEDED:
    case ICMP6_PARAM_PROB:
      icmp.quoted = quote_ipv6(slice(message, kIcmpHeaderSize));
      return;
    default:
      return;
  }
}

}  // namespace

void decode_icmp(DecodedFrame& frame, Bytes message) {
  const bool is_version_6 = frame.ip->protocol == IPPROTO_ICMPV6;
  if (message.size() < kIcmpHeaderSize) {
    frame.malformed = is_version_6 ? "truncated ICMPv6 header" : "truncated ICMP header";
    return;
  }
  IcmpMessage& icmp = frame.icmp.emplace();
  icmp.family = is_version_6 ? base::Family::ipv6 : base::Family::ipv4;
  icmp.type = message[0];
  icmp.code = message[1];
  if (is_version_6)
    decode_icmpv6_body(frame, icmp, message);
  else
    decode_icmpv4_body(icmp, message);
}

}  // namespace tcplab::capture
