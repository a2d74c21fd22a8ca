// Turns the raw arguments and results of traced system calls into `call` events. Reads the memory
// and the descriptors of the program, which must be stopped.
#pragma once

#include <sys/types.h>

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <tuple>

#include "capture/calls/call_stop.hh"
#include "capture/calls/imposed_option.hh"
#include "capture/calls/traced_sockets.hh"
#include "capture/event/event.hh"

namespace tcplab::capture {

class CallDecoder {
public:
  /// At the entry. Returns nothing if the call is not about a TCP socket.
  std::optional<Call> enter(const CallStop& stop);

  /// Returns whether the kernel refuses to show the program's sockets.
  bool is_refused() const { return sockets_.is_refused(); }

  /// At the return: fills in the result, which is -errno if the call failed. Returns false if the
  /// call turns out not to be about a TCP socket.
  bool leave(const CallStop& stop, std::int64_t result, Call& call);

  /// At the entry of a call on a socket: its TCP state; empty if it has none.
  std::optional<TcpState> state(const CallStop& stop, const Call& call) {
    return sockets_.state(stop.process, call.fd);
  }
  /// Sets an option of the socket of a stopped process. Returns the call, as if the program had
  /// made it, marked as the lab's.
  Call set_option(const CallStop& stop, int descriptor, const ImposedOption& option);
  /// At the entry of a call on a socket: how many bytes the socket has moved in the call's
  /// direction.
  std::uint64_t bytes_before(const CallStop& stop, const Call& call);

  /// At any stop, before enter(): keeps track of what closes descriptors.
  void stopped(pid_t process, pid_t thread) { sockets_.has_closed(process, thread); }

  /// All descriptors of a process may have changed: after exec(2).
  void forget_descriptors(pid_t process) { sockets_.forget_descriptors(process); }
  /// They may change unseen from now on.
  void distrust_descriptors(pid_t process) { sockets_.never_remember(process); }

  /// Forgets a process that has ended.
  void forget(pid_t process);

private:
  using EpollKey = std::tuple<pid_t, int, std::uint64_t>;  // process, epoll descriptor, data

  void note_closing(const CallStop& stop);
  bool enter_one(const CallStop& stop, Call& call);
  bool enter_socket(const CallStop& stop, Call& call);
  bool enter_close_range(const CallStop& stop, Call& call);
  bool enter_epoll_control(const CallStop& stop, Call& call);
  bool enter_wait(const CallStop& stop, Call& call);
  void count_bytes(const CallStop& stop, const Call& call);
  void leave_accept(const CallStop& stop, Call& call);
  void leave_option(const CallStop& stop, Call& call);
  void leave_poll(const CallStop& stop, Call& call);
  void leave_select(const CallStop& stop, Call& call);
  void leave_epoll(const CallStop& stop, Call& call);
  bool take_socket(pid_t process, int descriptor, Call& call);
  void take_addresses(const TracedSocket& socket, Call& call);
  void add_ready(pid_t process, int descriptor, int events, Call& call);

  TracedSockets sockets_;
  std::map<EpollKey, int> epolls_;  // the TCP sockets that they watch
};

}  // namespace tcplab::capture
