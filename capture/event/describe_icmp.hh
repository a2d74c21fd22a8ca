// ICMP and ICMPv6 in words, as tcpdump has them; part of summarize().
#pragma once

#include <string>

#include "capture/decode/decode.hh"

namespace tcplab::capture {

/// "echo request, id 1, seq 2", "10.0.0.2 tcp port 8080 unreachable",
/// "neighbor solicitation, who has fd00::2".
std::string summarize_icmp(const IcmpMessage& icmp);

}  // namespace tcplab::capture
