// Host names in a pcap filter. libpcap asks the machine's resolver for a name and waits for it;
// the lab's hosts are not to be found there. So names are replaced, or refused, beforehand.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/endpoint.hh"

namespace tcplab::capture {

/// A host's name and its addresses, as its peers have it in their /etc/hosts.
using HostNames = std::map<std::string, std::vector<base::IpAddress>>;

/// The expression with each name in the place of an address ("host kang", "src kang") replaced by
/// its addresses: "host (10.0.0.1 or fd00::1)". Throws base::UsageError, without the expression,
/// for a name that is not in the map: `"kang" is not the name of a host here`.
std::string replace_host_names(const std::string& expression, const HostNames& names);

}  // namespace tcplab::capture
