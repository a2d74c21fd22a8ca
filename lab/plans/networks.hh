// Networks and MTUs as scripts write them. Pure.
#pragma once

#include <string>

#include "base/endpoint.hh"
#include "netns/host.hh"

namespace tcplab::lab {

/// Parses "10.9.0.0/16", "10.9.0.1" (the whole address) and "default" (length 0). Throws
/// base::UsageError for any other text, and for the other family.
netns::InterfaceAddress parse_network(const std::string& text, base::Family family);

/// True if the address is in that network.
bool contains(const netns::InterfaceAddress& network, const base::IpAddress& address);

/// Returns the network's own address: every bit after the prefix is 0.
base::IpAddress network_address(const netns::InterfaceAddress& network);

/// The number as an MTU. Throws base::UsageError if it is not a whole number of bytes.
unsigned whole_mtu(double number);

/// Throws base::UsageError that begins with `what` for an MTU that the family cannot have:
/// RFC 791 section 3.2, RFC 8200 section 5.
void check_mtu(const std::string& what, unsigned mtu, base::Family family);

}  // namespace tcplab::lab
