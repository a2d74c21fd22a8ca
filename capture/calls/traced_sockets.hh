// Which descriptors of traced programs are TCP sockets, and of which connection. A descriptor is
// found by its inode in /proc/PID/fd (proc_pid_fd(5)), so dup, fork, close and SCM_RIGHTS need no
// bookkeeping.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <unordered_map>

#include "base/endpoint.hh"
#include "base/file_descriptor.hh"

namespace tcplab::capture {

struct TracedSocket {
  bool is_tcp = false;
  std::optional<base::Endpoint> local;
  std::optional<base::Endpoint> remote;  // none for a listener
};

class TracedSockets {
public:
  /// Returns the socket, or nullptr if the descriptor is no TCP socket. The pointer is valid until
  /// the next call. The process must be stopped.
  TracedSocket* find(pid_t process, int descriptor);

  /// As find(), but asks the kernel for the addresses again: after connect(2), say.
  TracedSocket* refresh(pid_t process, int descriptor);

  /// Returns the inode of a descriptor of any kind; 0 if it is not open.
  std::uint64_t inode(pid_t process, int descriptor);

  /// Forgets a process that has ended. Its sockets stay known: others may hold them.
  void forget(pid_t process) { processes_.erase(process); }

private:
  struct Process {
    base::FileDescriptor descriptors;  // its /proc/PID/fd
    base::FileDescriptor pidfd;
  };
  struct Found {
    std::uint64_t inode = 0;
    bool is_socket = false;
  };

  Process& open(pid_t process);
  Found look(pid_t process, int descriptor);
  void ask(pid_t process, int descriptor, TracedSocket& socket);

  std::unordered_map<pid_t, Process> processes_;
  std::unordered_map<std::uint64_t, TracedSocket> sockets_;  // by inode
};

}  // namespace tcplab::capture
