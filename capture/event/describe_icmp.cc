#include "capture/event/describe_icmp.hh"

#include <netinet/icmp6.h>
#include <netinet/in.h>
#include <netinet/ip_icmp.h>

#include <fmt/format.h>

namespace tcplab::capture {

namespace {

// RFC 4861 and RFC 3810; glibc has no name for the last.
constexpr std::uint8_t kMulticastListenerReport2 = 143;

std::string destination(const IcmpMessage& icmp) {
  return icmp.quoted ? icmp.quoted->destination.address.to_string() : "destination";
}

std::string port_unreachable(const IcmpMessage& icmp) {
  if (!icmp.quoted || icmp.quoted->destination.port == 0)
    return destination(icmp) + " port unreachable";
  const bool is_tcp = icmp.quoted->protocol == IPPROTO_TCP;
  return fmt::format("{} {} port {} unreachable", destination(icmp), is_tcp ? "tcp" : "udp",
                     icmp.quoted->destination.port);
}

std::string unreachable_v4(const IcmpMessage& icmp) {
  switch (icmp.code) {
    case ICMP_NET_UNREACH:
      return "net " + destination(icmp) + " unreachable";
    case ICMP_HOST_UNREACH:
      return "host " + destination(icmp) + " unreachable";
    case ICMP_PROT_UNREACH:
      return destination(icmp) + " protocol unreachable";
    case ICMP_PORT_UNREACH:
      return port_unreachable(icmp);
    case ICMP_FRAG_NEEDED:
      return fmt::format("{} unreachable - need to frag (mtu {})", destination(icmp), icmp.mtu);
    case ICMP_NET_ANO:
    case ICMP_HOST_ANO:
    case ICMP_PKT_FILTERED:
      return "host " + destination(icmp) + " unreachable - admin prohibited";
    default:
      return fmt::format("{} unreachable, code {}", destination(icmp), icmp.code);
  }
}

std::string unreachable_v6(const IcmpMessage& icmp) {
  switch (icmp.code) {
    case ICMP6_DST_UNREACH_NOROUTE:
      return "unreachable route " + destination(icmp);
    case ICMP6_DST_UNREACH_ADMIN:
      return "unreachable prohibited " + destination(icmp);
    case ICMP6_DST_UNREACH_ADDR:
      return "unreachable address " + destination(icmp);
    case ICMP6_DST_UNREACH_NOPORT:
      return port_unreachable(icmp);
    default:
      return fmt::format("{} unreachable, code {}", destination(icmp), icmp.code);
  }
}

std::string echo(const IcmpMessage& icmp, std::string_view what) {
  return fmt::format("echo {}, id {}, seq {}", what, icmp.identifier, icmp.sequence);
}

std::string target(const IcmpMessage& icmp) {
  return icmp.target ? icmp.target->to_string() : "nobody";
}

std::string summarize_v4(const IcmpMessage& icmp) {
  switch (icmp.type) {
    case ICMP_ECHO:
      return echo(icmp, "request");
    case ICMP_ECHOREPLY:
      return echo(icmp, "reply");
    case ICMP_DEST_UNREACH:
      return unreachable_v4(icmp);
    case ICMP_TIME_EXCEEDED:
      return "time exceeded in-transit to " + destination(icmp);
    case ICMP_REDIRECT:
      return "redirect for " + destination(icmp);
    case ICMP_PARAMETERPROB:
      return "parameter problem about " + destination(icmp);
    default:
      return fmt::format("type {}, code {}", icmp.type, icmp.code);
  }
}

std::string summarize_v6(const IcmpMessage& icmp) {
  switch (icmp.type) {
    case ICMP6_ECHO_REQUEST:
      return echo(icmp, "request");
    case ICMP6_ECHO_REPLY:
      return echo(icmp, "reply");
    case ICMP6_DST_UNREACH:
      return unreachable_v6(icmp);
    case ICMP6_PACKET_TOO_BIG:
      return fmt::format("packet too big for {}, mtu {}", destination(icmp), icmp.mtu);
    case ICMP6_TIME_EXCEEDED:
      return "time exceeded in-transit to " + destination(icmp);
    case ICMP6_PARAM_PROB:
      return "parameter problem about " + destination(icmp);
    case ND_ROUTER_SOLICIT:
      return "router solicitation";
    case ND_ROUTER_ADVERT:
      return "router advertisement";
    case ND_NEIGHBOR_SOLICIT:
      return "neighbor solicitation, who has " + target(icmp);
    case ND_NEIGHBOR_ADVERT:
      return "neighbor advertisement, tgt is " + target(icmp);
    case ND_REDIRECT:
      return "redirect to " + target(icmp);
    case kMulticastListenerReport2:
      return "multicast listener report v2";
    default:
      return fmt::format("type {}, code {}", icmp.type, icmp.code);
  }
}

}  // namespace

std::string summarize_icmp(const IcmpMessage& icmp) {
  return icmp.family == base::Family::ipv4 ? summarize_v4(icmp) : summarize_v6(icmp);
}

}  // namespace tcplab::capture
