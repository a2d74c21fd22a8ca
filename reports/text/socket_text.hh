// What a kernel has of a socket right now, in words: its queues, how it sends, what its timer is
// for.
#pragma once

#include <string>

#include "capture/event/socket_detail.hh"
#include "reports/text/call_text.hh"

namespace tcplab::reports {

/// "FIN_WAIT1, port 40000 with kodos:8080"
std::string ends_text(const capture::Socket& socket, const HostNames& names);
/// "queues: 22 out, 0 in; 1 segment unacked", in bytes; empty where the kernel keeps no queues.
std::string queues_text(const capture::SocketDetail& detail);
/// "cwnd 10, rto 204 ms, rtt 0.1 ms"; empty where it sends no more.
std::string sending_text(const capture::SocketDetail& detail);
/// "sends its SYN again in 0.8 s", "TIME_WAIT ends in 58.2 s", "no timer runs".
std::string timer_text(const capture::Socket& socket);

}  // namespace tcplab::reports
