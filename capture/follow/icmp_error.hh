// Sorts the ICMP errors that quote a TCP segment.
#pragma once

#include <cstdint>

#include "capture/decode/decode.hh"
#include "capture/event/event.hh"

namespace tcplab::capture {

/// An ICMP error that quotes a segment of one end.
struct IcmpError {
  enum class Kind : std::uint8_t {
    no_route,  // net unreachable, no route
    no_host,   // host or address unreachable
    no_port,
    prohibited,   // administratively: codes 9, 10, 13; ICMPv6 1, 5, 6
    unreachable,  // another code
    too_big,      // fragmentation needed, packet too big
    expired,      // time exceeded: the hop limit was used up
    other,
  };
  Kind kind = Kind::other;
  std::uint32_t mtu = 0;
  base::IpAddress from;
  bool is_from_peer = false;          // false: from a router
  bool is_in_place = true;            // it quotes an unacknowledged number (RFC 5927 section 4.1)
  TcpState state = TcpState::closed;  // of the end whose segment it quotes
};

/// Returns the kind that an ICMP or ICMPv6 message's type and code say.
IcmpError::Kind kind_of(const IcmpMessage& icmp);

}  // namespace tcplab::capture
