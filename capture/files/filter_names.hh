// Replaces host names in a pcap filter. libpcap would ask the machine's resolver and wait for it,
// but the resolver does not know the lab's hosts.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/endpoint.hh"

namespace tcplab::capture {

/// Host names and their addresses, as in the /etc/hosts of the lab's hosts.
using HostNames = std::map<std::string, std::vector<base::IpAddress>>;

/// Returns the expression with each name in place of an address ("host kang", "src kang") replaced
/// by its addresses: "host (10.0.0.1 or fd00::1)". Throws base::UsageError for a name that is not
/// in the map: `"kang" is not the name of a host here`.
std::string replace_host_names(const std::string& expression, const HostNames& names);

}  // namespace tcplab::capture
