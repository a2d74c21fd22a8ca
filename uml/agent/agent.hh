// The agent: pid 1 of a guest. It owns the guest's TAPs, and does what the lab asks. It is the only
// real-time process of the highest priority, so no program runs between the delivery of a frame and
// the look at its connection.
#pragma once

#include <sys/types.h>

#include <memory>
#include <string>
#include <vector>

#include "base/file_descriptor.hh"
#include "uml/agent/guest_network.hh"
#include "uml/agent/programs.hh"
#include "uml/guest_channel.hh"

namespace tcplab::uml {

class Agent {
public:
  Agent();

  /// Serves until the power is cut.
  [[noreturn]] void run();

private:
  std::vector<pollfd> wait() const;
  void serve(const pollfd& ready);
  void serve_channel();
  void serve_tap(std::size_t nic);
  void serve_destroyed();
  /// True if the lab has received enough to get more frames and output.
  bool may_send() const;

  std::vector<std::uint8_t> perform(Kind kind, PayloadReader& request);
  std::vector<std::uint8_t> configure(PayloadReader& request);
  std::vector<std::uint8_t> deliver(PayloadReader& request);
  std::vector<std::uint8_t> signal(PayloadReader& request) const;

  GuestChannel channel_;
  KernelRelay kernel_;
  std::unique_ptr<base::KernelNews> destroyed_ = base::hear_destroyed_sockets();
  Programs programs_;
  base::FileDescriptor children_;  // a signalfd for SIGCHLD
  std::vector<base::FileDescriptor> taps_;
};

}  // namespace tcplab::uml
