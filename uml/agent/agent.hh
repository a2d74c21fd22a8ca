// The agent: pid 1 of a guest. It owns the guest's TAPs, and carries out the lab's requests. It is
// the only real-time process with the highest priority, so no program runs between the delivery of
// a frame and the question about its connection.
#pragma once

#include <sys/types.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.hh"
#include "base/file_descriptor.hh"
#include "uml/agent/dns_relay.hh"
#include "uml/agent/guest_network.hh"
#include "uml/agent/programs.hh"
#include "uml/agent/tracepoints.hh"
#include "uml/guest_channel.hh"

namespace tcplab::uml {

class Agent {
public:
  Agent();

  /// Serves until the power is cut.
  [[noreturn]] void run();

private:
  std::vector<pollfd> wait(std::optional<base::nanoseconds> timeout) const;
  void serve(const pollfd& ready);
  void serve_channel();
  void serve_tap(std::size_t nic);
  void serve_destroyed();
  /// True if the lab has received enough to get more frames and output.
  bool may_send() const;

  std::vector<std::uint8_t> perform(Kind kind, PayloadReader& request);
  std::vector<std::uint8_t> configure(PayloadReader& request);
  std::vector<std::uint8_t> deliver(PayloadReader& request);
  std::vector<std::uint8_t> question(PayloadReader& request);
  std::vector<std::uint8_t> use_programs(Kind kind, PayloadReader& request);
  static std::vector<std::uint8_t> send_signal(Kind kind, PayloadReader& request);
  static std::vector<std::uint8_t> use_files(Kind kind, PayloadReader& request);
  std::vector<std::uint8_t> reply(PayloadReader& request);
  std::vector<std::uint8_t> record_tracepoints(PayloadReader& request);
  std::vector<std::uint8_t> read_clock() const;

  std::uint64_t first_time_;  // when the agent started, by CLOCK_MONOTONIC and by times(2)
  clock_t first_ticks_;
  GuestChannel channel_;
  KernelRelay kernel_;
  std::unique_ptr<base::KernelNews> destroyed_ = base::hear_destroyed_sockets();
  Programs programs_;
  DnsRelay dns_;
  Tracepoints tracepoints_;
  base::FileDescriptor children_;  // a signalfd for SIGCHLD
  std::vector<base::FileDescriptor> taps_;
};

}  // namespace tcplab::uml
