#include "capture/follow/icmp_error.hh"

#include <netinet/icmp6.h>
#include <netinet/ip_icmp.h>

namespace tcplab::capture {

namespace {

IcmpError::Kind unreachable_v4(std::uint8_t code) {
  switch (code) {
    case ICMP_NET_UNREACH:
      return IcmpError::Kind::no_route;
    case ICMP_HOST_UNREACH:
      return IcmpError::Kind::no_host;
    case ICMP_PORT_UNREACH:
      return IcmpError::Kind::no_port;
    case ICMP_FRAG_NEEDED:
      return IcmpError::Kind::too_big;
    case ICMP_NET_ANO:
    case ICMP_HOST_ANO:
    case ICMP_PKT_FILTERED:
      return IcmpError::Kind::prohibited;
    default:
      return IcmpError::Kind::unreachable;
  }
}

// RFC 4443 section 3.1.
IcmpError::Kind unreachable_v6(std::uint8_t code) {
  constexpr std::uint8_t kFailedPolicy = 5;
  constexpr std::uint8_t kRejectRoute = 6;
  switch (code) {
    case ICMP6_DST_UNREACH_NOROUTE:
      return IcmpError::Kind::no_route;
    case ICMP6_DST_UNREACH_ADDR:
      return IcmpError::Kind::no_host;
    case ICMP6_DST_UNREACH_NOPORT:
      return IcmpError::Kind::no_port;
    case ICMP6_DST_UNREACH_ADMIN:
    case kFailedPolicy:
    case kRejectRoute:
      return IcmpError::Kind::prohibited;
    default:
      return IcmpError::Kind::unreachable;
  }
}

}  // namespace

IcmpError::Kind kind_of(const IcmpMessage& icmp) {
  const bool is_v4 = icmp.family == base::Family::ipv4;
  if (icmp.type == (is_v4 ? ICMP_DEST_UNREACH : ICMP6_DST_UNREACH))
    return is_v4 ? unreachable_v4(icmp.code) : unreachable_v6(icmp.code);
  if (!is_v4 && icmp.type == ICMP6_PACKET_TOO_BIG) return IcmpError::Kind::too_big;
  return icmp.type == (is_v4 ? ICMP_TIME_EXCEEDED : ICMP6_TIME_EXCEEDED) ? IcmpError::Kind::expired
                                                                         : IcmpError::Kind::other;
}

}  // namespace tcplab::capture
