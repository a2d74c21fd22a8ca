#include "capture/calls/tracer_trial.hh"

#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <set>

#include "base/error.hh"
#include "capture/calls/traced_child.hh"
#include "capture/calls/tracer.hh"

namespace tcplab::capture {

namespace {

class SeenCalls : public CallObserver {
public:
  void on_call(TracedProgram /*program*/, base::Instant /*at*/, const Call& call) override {
    seen_.insert(call.call);
  }
  void on_unseen(TracedProgram /*program*/, pid_t /*process*/,
                 const std::string& /*why*/) override {}
  void on_exit(TracedProgram /*program*/) override {}

  bool has(const std::string& call) const { return seen_.contains(call); }

private:
  std::set<std::string> seen_;
};

[[noreturn]] void use_socket(TraceGate& gate) {
  try {
    gate.wait();
    gate.install();
  } catch (const base::SystemError&) {
    ::_exit(1);
  }
  ::close(::socket(AF_INET, SOCK_STREAM, 0));
  ::_exit(0);
}

}  // namespace

TraceObstacle find_trace_obstacle() {
  SeenCalls seen;
  Tracer tracer(seen);
  TraceGate gate(IoUring::refused);
  const pid_t child = base::check("start a process", ::fork());
  if (child == 0) use_socket(gate);
  try {
    tracer.seize(child, 0);
  } catch (const base::SystemError&) {
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    return TraceObstacle::ptrace;
  }
  gate.open();
  while (!tracer.status(child) && tracer.handle_next()) continue;
  if (tracer.status(child) != 0) return TraceObstacle::filter;
  if (!seen.has("socket")) return TraceObstacle::ptrace;
  return seen.has("close") ? TraceObstacle::none : TraceObstacle::sockets;
}

}  // namespace tcplab::capture
