// Asks the kernels of all hosts for their sockets: at each poll, and when they destroy sockets.
// Finds changes that no frame causes and the kernel does not report: by timers, and by programs
// that nobody traces.
#pragma once

#include <functional>
#include <map>
#include <memory>

#include "lab/host_table.hh"
#include "lab/laboratory_config.hh"
#include "lab/poll_pace.hh"
#include "lab/programs/socket_owners.hh"
#include "lab/wire/clock.hh"

namespace tcplab::lab {

class SocketWatch {
public:
  SocketWatch(boost::asio::io_context& loop, Clock& clock, const Timeline& timeline,
              const HostTable& hosts, SocketOwners& owners);
  ~SocketWatch();
  SocketWatch(const SocketWatch&) = delete;
  SocketWatch& operator=(const SocketWatch&) = delete;

  /// Asks every kernel for all its sockets.
  void look_at_all();
  /// Asks the kernel of one host for all its sockets.
  void look_at(LabHost& host);

  /// Called at each poll, to look at everything. Its time sets how often the watch can poll.
  std::function<void()> on_poll;
  /// Called at the end of each poll, to record what was counted and seen.
  std::function<void()> on_polled;
  /// Begins to poll.
  void begin() { schedule(); }
  /// To be called for each event: polls sooner while something happens.
  void hurry() {
    if (pace_.hurries()) schedule();
  }

  /// Looks at the host whenever its kernel destroys sockets, until forget().
  void watch(LabHost& host);
  void forget(const LabHost& host);

private:
  struct DestroyWatch;  // hides Boost.Asio, which is slow to compile

  void schedule();
  void poll();

  boost::asio::io_context& loop_;
  Clock& clock_;
  const Timeline& timeline_;
  const HostTable& hosts_;
  SocketOwners& owners_;
  PollPace pace_;
  std::unique_ptr<Alarm> alarm_;
  base::nanoseconds poll_took_{};
  std::map<const LabHost*, std::unique_ptr<DestroyWatch>> destroyed_;
};

}  // namespace tcplab::lab
