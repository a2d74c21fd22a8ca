// A snapshot of a run under --step: the held frames, and the kernels' sockets. The run's process
// makes it; the process with the terminal shows it.
#pragma once

#include <string>
#include <vector>

#include "capture/event/socket_detail.hh"

namespace tcplab::reports {

struct HeldFrame {
  std::uint64_t frame = 0;
  std::string from;
  std::string to;
  std::string summary;  // as tcpdump(8) prints it, with relative numbers
  std::string why{};    // what faults did to it
  capture::nanoseconds held{};
  std::size_t retransmissions = 0;  // sent meanwhile, and set aside
};

struct HostSnapshot {
  std::string host;
  bool has_power = true;
  std::vector<capture::SocketDetail> sockets{};  // connections, without listeners
};

struct Snapshot {
  bool is_stepping = true;          // false: frames pass without a pause
  bool time_stops = false;          // during a pause; otherwise the kernels' timers run
  std::vector<HeldFrame> frames{};  // in the order of delivery
  std::vector<HostSnapshot> hosts{};
};

}  // namespace tcplab::reports
