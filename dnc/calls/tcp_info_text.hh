// Formats TCP_INFO, the kernel's data about a connection (tcp(7), linux/tcp.h), for people.
#pragma once

#include <string>

struct tcp_info;

namespace tcplab::dnc {

/// Returns several lines: state, timers, round-trip time, windows, unacknowledged and lost
/// segments.
std::string tcp_info_text(const tcp_info& info);

}  // namespace tcplab::dnc
