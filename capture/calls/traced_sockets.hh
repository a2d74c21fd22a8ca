// Finds out which descriptors of traced programs are TCP sockets, and their connections. A
// descriptor is found by its inode in /proc/PID/fd (proc_pid_fd(5)), so dup, fork and SCM_RIGHTS
// need no bookkeeping. The inode is looked up once, and again after the descriptor may have been
// closed.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "base/endpoint.hh"
#include "base/file_descriptor.hh"
#include "base/socket_options.hh"
#include "capture/event/event.hh"

namespace tcplab::capture {

struct TracedSocket {
  bool is_tcp = false;
  std::optional<base::Endpoint> local;
  std::optional<base::Endpoint> remote;  // none for a listener
  std::uint64_t received = 0;            // bytes, by calls of traced programs
  std::uint64_t sent = 0;
};

class TracedSockets {
public:
  /// Returns the socket, or nullptr if the descriptor is no TCP socket. The pointer is valid until
  /// the next call. The process must be stopped.
  TracedSocket* find(pid_t process, int descriptor);

  /// As find(), but asks the kernel for the addresses again: after connect(2), say.
  TracedSocket* refresh(pid_t process, int descriptor);

  /// Returns the TCP state of the descriptor's socket as its kernel has it now (tcp_info in
  /// tcp(7)); empty if it has none.
  std::optional<TcpState> state(pid_t process, int descriptor);

  /// Sets an option of the descriptor's socket: setsockopt(2), with a number. Returns an errno; 0
  /// if it is set.
  int set_option(pid_t process, int descriptor, const base::SocketOption& option, int value);

  /// Returns whether the kernel has refused to show a socket (pidfd_getfd(2)): then find() cannot
  /// Returns whether the kernel has refused to show a socket (pidfd_getfd(2)). Then find() is
  /// unreliable.
  bool is_refused() const { return is_refused_; }

  /// Returns the open descriptors of a process, in order.
  static std::vector<int> descriptors(pid_t process);

  /// The thread is about to close descriptors of its process, from `first` to `last`. Until its
  /// next stop, when it has done so, nothing new of the process is remembered.
  void closes(pid_t process, pid_t thread, int first, int last);

  /// The thread has stopped: what it was about to close is closed.
  void has_closed(pid_t process, pid_t thread);

  /// All descriptors may have changed: after exec(2).
  void forget_descriptors(pid_t process);

  /// The process's descriptors change unseen (others share them, or io_uring(7) closes them): each
  /// is looked up at each call.
  void never_remember(pid_t process);

  /// Forgets a process that has ended. Its sockets stay known: others may hold them.
  void forget(pid_t process) { processes_.erase(process); }

private:
  struct Found {
    std::uint64_t inode = 0;
    bool is_socket = false;
  };
  struct Process {
    base::FileDescriptor descriptors;  // its /proc/PID/fd
    base::FileDescriptor pidfd;
    std::unordered_map<int, Found> known;
    std::vector<pid_t> closing;  // its threads that are in a call that closes
    bool remembers = true;
  };

  Process& open(pid_t process);
  static void reopen(pid_t process, Process& opened);
  Found look(pid_t process, int descriptor);
  base::FileDescriptor duplicate(pid_t process, int descriptor);
  void ask(pid_t process, int descriptor, TracedSocket& socket);

  std::unordered_map<pid_t, Process> processes_;
  std::unordered_map<std::uint64_t, TracedSocket> sockets_;  // by inode
  bool is_refused_ = false;
};

}  // namespace tcplab::capture
