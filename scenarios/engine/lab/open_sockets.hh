// The sockets that a process has open, by inode number (proc_pid_fd(5)).
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>

namespace tcplab::engine {

/// Answers whether a process has a socket open. Reading every descriptor for each question would
/// make many connections quadratic. So it remembers where each socket was, and looks at the next
/// few descriptors before it reads all of them: a kernel gives out the lowest free number
/// (open(2)).
class OpenSockets {
public:
  explicit OpenSockets(pid_t process);

  /// Returns true if one of the process's descriptors is the socket with that inode. False if the
  /// process has ended.
  bool contains(std::uint32_t inode);

private:
  std::optional<std::uint32_t> inode_at(int descriptor) const;
  bool is_at(int descriptor, std::uint32_t inode);
  void remember(int descriptor, std::uint32_t inode);
  void scan();

  std::string folder_;  // "/proc/PID/fd/"
  std::unordered_map<std::uint32_t, int> descriptors_;
  int next_ = 0;  // after the highest descriptor that is a known socket
};

}  // namespace tcplab::engine
