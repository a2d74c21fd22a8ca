// TCP_INFO, the kernel's data about a connection (tcp(7), linux/tcp.h): as text for people, and as
// members with their names.
#pragma once

#include <array>
#include <string>

#include "dnc/calls/call_record.hh"

struct tcp_info;

namespace tcplab::dnc {

/// Returns several lines: state, timers, round-trip time, windows, unacknowledged and lost
/// segments.
std::string tcp_info_text(const tcp_info& info);

inline constexpr std::size_t kTcpInfoMembers = 32;
/// Returns every member, with the units of linux/tcp.h: times are in microseconds, but those named
/// tcpi_last_* are in milliseconds.
std::array<MemberValue, kTcpInfoMembers> tcp_info_members(const tcp_info& info);

}  // namespace tcplab::dnc
