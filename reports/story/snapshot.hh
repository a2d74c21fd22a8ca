// A moment of a run that is stepped through: what hangs in the air, and what both ends' kernels
// have meanwhile. A value, made in the run's process and shown by the one that a person looks at.
#pragma once

#include <string>
#include <vector>

#include "capture/event/socket_detail.hh"

namespace tcplab::reports {

struct HeldFrame {
  std::uint64_t frame = 0;
  std::string from;
  std::string to;
  std::string summary;  // as tcpdump(8) writes it, its numbers relative
  std::string why{};    // what faults have done to it on the way
  capture::nanoseconds held{};
};

struct HostSnapshot {
  std::string host;
  bool has_power = true;
  std::vector<capture::SocketDetail> sockets{};  // connections; no listeners
};

struct Snapshot {
  bool is_stepping = true;          // else frames pass by themselves
  std::vector<HeldFrame> frames{};  // the next to go first
  std::vector<HostSnapshot> hosts{};
};

}  // namespace tcplab::reports
