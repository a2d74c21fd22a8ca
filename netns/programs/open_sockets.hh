// The sockets that a process has open, by inode number (proc_pid_fd(5)).
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>

namespace tcplab::netns {

/// Whether a process has a socket open.
enum class Holding {
  yes,
  no,
  unknown,  // the process has too many descriptors to read all of them for one question
};

/// Finds out whether a process has a socket open. To read every descriptor for each question would
/// take quadratic time with many connections. So it remembers the descriptor of each socket, and
/// looks for a new one at the next few numbers: a kernel assigns the lowest free one (open(2)).
/// Only if the process has few descriptors, it then reads all of them.
class OpenSockets {
public:
  explicit OpenSockets(pid_t process);

  /// Returns whether one of the process's descriptors is the socket with that inode; no if the
  /// process has ended.
  Holding look_for(std::uint32_t inode);

  /// Reads every descriptor.
  void read_all();
  /// Returns true if the process had that socket when its descriptors were last read.
  bool had(std::uint32_t inode) const { return descriptors_.contains(inode); }

private:
  std::optional<std::uint32_t> inode_at(int descriptor) const;
  bool is_at(int descriptor, std::uint32_t inode);
  void remember(int descriptor, std::uint32_t inode);

  std::string folder_;  // "/proc/PID/fd/"
  std::unordered_map<std::uint32_t, int> descriptors_;
  int next_ = 0;           // after the highest descriptor that is a known socket
  std::size_t count_ = 0;  // of all descriptors, when they were last read
};

}  // namespace tcplab::netns
