// Networks and MTUs as scripts write them. Pure.
#pragma once

#include <string>

#include "base/endpoint.hh"
#include "netns/host.hh"

namespace tcplab::engine {

/// "10.9.0.0/16", "10.9.0.1" (all of its bits), "default" (none). Throws base::UsageError for any
/// other text, and for the other family.
netns::InterfaceAddress parse_network(const std::string& text, base::Family family);

/// Whether the address is in that network.
bool contains(const netns::InterfaceAddress& network, const base::IpAddress& address);

/// The same with every bit behind the prefix 0: the network's own address.
base::IpAddress network_address(const netns::InterfaceAddress& network);

/// The number as an MTU. Throws base::UsageError if it is not a whole number of bytes.
unsigned whole_mtu(double number);

/// Throws base::UsageError that begins with `what` for an MTU that the family cannot have:
/// RFC 791 section 3.2, RFC 8200 section 5.
void check_mtu(const std::string& what, unsigned mtu, base::Family family);

}  // namespace tcplab::engine
