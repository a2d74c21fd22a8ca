// TCP_INFO for people: what the kernel knows of a connection (tcp(7), linux/tcp.h).
#pragma once

#include <string>

struct tcp_info;

namespace tcplab::dnc {

/// Several lines: state and timers, round trip, windows, what is outstanding and was lost.
std::string tcp_info_text(const tcp_info& info);

}  // namespace tcplab::dnc
