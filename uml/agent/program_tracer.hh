// Traces programs of a guest, as a watcher of the lab does for namespace hosts
// (lab/watch). The agent is their parent, so it waits for what happens to them.
#pragma once

#include <sys/types.h>

#include <cerrno>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.hh"
#include "capture/calls/stack_copy.hh"
#include "capture/calls/traced_programs.hh"
#include "capture/calls/tracer.hh"
#include "capture/event/failing_calls.hh"
#include "uml/guest_channel.hh"

namespace tcplab::uml {

class ProgramTracer : private capture::CallObserver {
public:
  explicit ProgramTracer(GuestChannel& channel) : channel_(channel) {}

  /// Traces a child that has not called exec yet. `requests`: what the lab asks about it, with 0 as
  /// its pid. Throws base::SystemError.
  void seize(pid_t process, const std::vector<std::string>& requests);
  /// Lets it go on, until it has called exec or has ended.
  void await_exec(pid_t process);
  /// Does what the lab asks. Returns the answer.
  int take(const std::string& request);

  /// Handles a status that waitpid(2) has returned for any process.
  void handle(pid_t id, int status) { tracer_.handle(id, status); }
  /// Does what is due by now. Returns the time until the next call; empty if none is needed.
  std::optional<base::nanoseconds> act_on_time();
  /// Sends what the programs have done.
  void flush();

private:
  int take(const capture::WatchRequest& request);
  int perform(const capture::TraceProgram& /*request*/) { return EINVAL; }  // only when it starts
  int perform(const capture::TellCalls& request);
  template <typename Request>
  int perform(const Request& request) {
    return programs_.take(request);
  }
  void on_call(capture::TracedProgram program, base::Instant at,
               const capture::Call& call) override;
  void on_unseen(capture::TracedProgram program, pid_t process, const std::string& why) override;
  void on_exit(capture::TracedProgram /*program*/) override {}
  void on_ended(capture::TracedProgram program, pid_t thread, bool is_last) override;
  void add(capture::TracedProgram program, const capture::Event& event);

  /// What is to be sent about a program.
  struct Lines {
    pid_t process = 0;
    capture::FailingCalls stacks{};  // which calls have their stack
    std::string text{};
    bool is_last = false;
  };

  GuestChannel& channel_;
  capture::Tracer tracer_{*this};
  capture::TracedPrograms programs_{tracer_};
  std::map<capture::TracedProgram, Lines> lines_;
  capture::StackCopier copier_;
};

}  // namespace tcplab::uml
