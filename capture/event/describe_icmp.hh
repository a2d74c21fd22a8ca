// Describes ICMP and ICMPv6 as tcpdump does; a part of summarize().
#pragma once

#include <string>

#include "capture/decode/decode.hh"

namespace tcplab::capture {

/// Returns "echo request, id 1, seq 2", "10.0.0.2 tcp port 8080 unreachable",
/// "neighbor solicitation, who has fd00::2".
std::string summarize_icmp(const IcmpMessage& icmp);

}  // namespace tcplab::capture
