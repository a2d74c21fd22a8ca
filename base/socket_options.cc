#include "base/socket_options.hh"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <strings.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>

namespace tcplab::base {

namespace {

using Kind = OptionKind;

constexpr std::array kOptions = {
    SocketOption{"SO_ERROR", SOL_SOCKET, SO_ERROR, Kind::error},
    SocketOption{"SO_REUSEADDR", SOL_SOCKET, SO_REUSEADDR},
    SocketOption{"SO_REUSEPORT", SOL_SOCKET, SO_REUSEPORT},
    SocketOption{"SO_KEEPALIVE", SOL_SOCKET, SO_KEEPALIVE},
    SocketOption{"SO_LINGER", SOL_SOCKET, SO_LINGER, Kind::linger},
    SocketOption{"SO_OOBINLINE", SOL_SOCKET, SO_OOBINLINE},
    SocketOption{"SO_SNDBUF", SOL_SOCKET, SO_SNDBUF},
    SocketOption{"SO_RCVBUF", SOL_SOCKET, SO_RCVBUF},
    SocketOption{"SO_RCVLOWAT", SOL_SOCKET, SO_RCVLOWAT},
    SocketOption{"SO_SNDTIMEO", SOL_SOCKET, SO_SNDTIMEO, Kind::duration},
    SocketOption{"SO_RCVTIMEO", SOL_SOCKET, SO_RCVTIMEO, Kind::duration},
    SocketOption{"SO_ZEROCOPY", SOL_SOCKET, SO_ZEROCOPY},
    SocketOption{"SO_TIMESTAMPING", SOL_SOCKET, SO_TIMESTAMPING},
    SocketOption{"SO_ACCEPTCONN", SOL_SOCKET, SO_ACCEPTCONN},
    SocketOption{"SO_TYPE", SOL_SOCKET, SO_TYPE},
    SocketOption{"TCP_NODELAY", IPPROTO_TCP, TCP_NODELAY},
    SocketOption{"TCP_CORK", IPPROTO_TCP, TCP_CORK},
    SocketOption{"TCP_QUICKACK", IPPROTO_TCP, TCP_QUICKACK},
    SocketOption{"TCP_MAXSEG", IPPROTO_TCP, TCP_MAXSEG},
    SocketOption{"TCP_KEEPIDLE", IPPROTO_TCP, TCP_KEEPIDLE},
    SocketOption{"TCP_KEEPINTVL", IPPROTO_TCP, TCP_KEEPINTVL},
    SocketOption{"TCP_KEEPCNT", IPPROTO_TCP, TCP_KEEPCNT},
    SocketOption{"TCP_SYNCNT", IPPROTO_TCP, TCP_SYNCNT},
    SocketOption{"TCP_LINGER2", IPPROTO_TCP, TCP_LINGER2},
    SocketOption{"TCP_DEFER_ACCEPT", IPPROTO_TCP, TCP_DEFER_ACCEPT},
    SocketOption{"TCP_USER_TIMEOUT", IPPROTO_TCP, TCP_USER_TIMEOUT},
    SocketOption{"TCP_WINDOW_CLAMP", IPPROTO_TCP, TCP_WINDOW_CLAMP},
    SocketOption{"TCP_NOTSENT_LOWAT", IPPROTO_TCP, TCP_NOTSENT_LOWAT},
    SocketOption{"TCP_FASTOPEN", IPPROTO_TCP, TCP_FASTOPEN},
    SocketOption{"TCP_FASTOPEN_CONNECT", IPPROTO_TCP, TCP_FASTOPEN_CONNECT},
    SocketOption{"TCP_CONGESTION", IPPROTO_TCP, TCP_CONGESTION, Kind::name},
    SocketOption{"TCP_MD5SIG", IPPROTO_TCP, TCP_MD5SIG, Kind::key},
    SocketOption{"TCP_REPAIR", IPPROTO_TCP, TCP_REPAIR},
    SocketOption{"TCP_INQ", IPPROTO_TCP, TCP_INQ},
    SocketOption{"IP_TTL", IPPROTO_IP, IP_TTL},
    SocketOption{"IP_MINTTL", IPPROTO_IP, IP_MINTTL},
    SocketOption{"IP_TOS", IPPROTO_IP, IP_TOS},
    SocketOption{"IP_MTU", IPPROTO_IP, IP_MTU},
    SocketOption{"IP_MTU_DISCOVER", IPPROTO_IP, IP_MTU_DISCOVER},
    SocketOption{"IP_RECVERR", IPPROTO_IP, IP_RECVERR},
    SocketOption{"IPV6_V6ONLY", IPPROTO_IPV6, IPV6_V6ONLY},
    SocketOption{"IPV6_UNICAST_HOPS", IPPROTO_IPV6, IPV6_UNICAST_HOPS},
    SocketOption{"IPV6_MINHOPCOUNT", IPPROTO_IPV6, IPV6_MINHOPCOUNT},
    SocketOption{"IPV6_RECVERR", IPPROTO_IPV6, IPV6_RECVERR},
};

}  // namespace

std::span<const SocketOption> socket_options() { return kOptions; }

const SocketOption* find_socket_option(std::string_view name) {
  const auto matches = [name](const SocketOption& option) {
    return option.name.size() == name.size() &&
           strncasecmp(option.name.data(), name.data(), name.size()) == 0;
  };
  const auto found = std::find_if(kOptions.begin(), kOptions.end(), matches);
  return found == kOptions.end() ? nullptr : &*found;
}

const SocketOption* find_socket_option(int level, int number) {
  const auto found = std::find_if(
      kOptions.begin(), kOptions.end(),
      [&](const SocketOption& option) { return option.level == level && option.number == number; });
  return found == kOptions.end() ? nullptr : &*found;
}

}  // namespace tcplab::base
