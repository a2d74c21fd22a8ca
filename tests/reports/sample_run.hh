// Builds runs event by event, for the tests of reports.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "capture/event/event.hh"

namespace tcplab::reports::tests {

using capture::Event;
using capture::TcpState;

/// Collects events in order. By default, the hosts are kang (10.0.0.1:40000) and kodos
/// (10.0.0.2:8080).
class SampleRun {
public:
  using Time = std::chrono::microseconds;

  SampleRun& at(Time since_start);
  SampleRun& later(Time span);
  SampleRun& add(capture::Body body);

  SampleRun& start(capture::RunStart run);
  SampleRun& hosts();
  SampleRun& host(const std::string& name, const std::string& address, int incarnation = 1);
  SampleRun& enter(const std::string& host, const std::string& call, int fd);
  SampleRun& leave(const std::string& host, const std::string& call, int fd, long result,
                   int error = 0, const std::string& data = "");
  /// Adds a call that returns after 3 us.
  SampleRun& call(const std::string& host, const std::string& name, int fd, long result,
                  int error = 0, const std::string& data = "");
  SampleRun& poll_returns(const std::string& host, int revents, int stdin_revents = 0);
  SampleRun& state(const std::string& host, TcpState from, TcpState to,
                   capture::StateCause cause = capture::StateCause::frame);
  /// Sequence and acknowledgment numbers are relative to the initial numbers of both ends.
  SampleRun& frame(const std::string& from, const std::string& flags, unsigned sequence,
                   unsigned acknowledgment, unsigned length = 0);
  /// Adds a frame lost by a fault with this name, or lost by this effect.
  SampleRun& lose(const std::string& from, const std::string& flags, unsigned sequence,
                  unsigned acknowledgment, unsigned length, const std::string& fault);
  SampleRun& lose(const std::string& from, const std::string& flags, unsigned sequence,
                  unsigned acknowledgment, unsigned length, const capture::Effect& effect);
  /// Adds an action on line 9 of the script.
  SampleRun& action(capture::Action action);
  SampleRun& action(const std::string& host, capture::ActionVerb verb,
                    const std::string& program = "", const std::string& text = "");
  SampleRun& verdict(
      bool passed, const std::string& expected, const std::string& seen,
      const std::string& code = R"(    lab:expect(client):call("read"):fails "ECONNRESET")");
  SampleRun& end(capture::Outcome outcome);
  /// Returns the frame number for the next `state`. The sender's states come before the packet.
  std::uint64_t next_frame() const { return frames_ + 1; }

  capture::Packet packet(const std::string& from, const std::string& flags, unsigned sequence,
                         unsigned acknowledgment, unsigned length);
  const std::vector<Event>& events() const { return events_; }

private:
  std::vector<Event> events_;
  Time now_{0};
  std::uint64_t frames_ = 0;
  std::uint64_t calls_ = 0;
};

SampleRun warm_up();
SampleRun power_cycle();
SampleRun with_loss();
SampleRun with_kernels();
SampleRun three_hosts();
SampleRun hostile_text();

}  // namespace tcplab::reports::tests
