// Formats the state of a kernel's socket: queues, congestion window, timer.
#pragma once

#include <string>

#include "capture/event/socket_detail.hh"
#include "reports/text/call_text.hh"

namespace tcplab::reports {

/// Returns "FIN_WAIT1, port 40000 with kodos:8080".
std::string ends_text(const capture::Socket& socket, const HostNames& names);
/// Returns "queues: 22 out, 0 in; 1 segment unacked", in bytes; empty if the socket has no queues.
std::string queues_text(const capture::SocketDetail& detail);
/// Returns "cwnd 10, rto 204 ms, rtt 0.1 ms"; empty if the socket cannot send any more.
std::string sending_text(const capture::SocketDetail& detail);
/// Returns "retransmits the SYN in 0.8 s", "TIME_WAIT ends in 58.2 s" or "no timer".
std::string timer_text(const capture::Socket& socket);

}  // namespace tcplab::reports
