// Names ICMP messages in a few words, for an arrow with little room.
#pragma once

#include <string>

#include "capture/event/event.hh"

namespace tcplab::reports {

/// Returns "ICMP frag needed, mtu 1400", "ICMP host unreachable"; empty for other protocols, and
/// for messages without a short name.
std::string icmp_label(const capture::Packet& packet);

}  // namespace tcplab::reports
