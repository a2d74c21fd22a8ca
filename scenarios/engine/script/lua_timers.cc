// lab:timer in scripts: how long the kernel takes, by its formulas (timers.hh) and the settings of
// the host in question.
#include <array>
#include <chrono>

#include "base/error.hh"
#include "scenarios/engine/lab/timers.hh"
#include "scenarios/engine/script/experiment.hh"
#include "scenarios/engine/script/lua_lab.hh"

namespace tcplab::engine {

using namespace std::chrono_literals;

namespace {

constexpr base::nanoseconds kTypicalRto = 210ms;  // TCP_RTO_MIN and a short round trip

/// Whose timer it is: the host's settings, and the connection's, where one is meant.
struct TimerOwner {
  SysctlReader sysctl;
  base::nanoseconds rto;
  base::Family family;
  std::optional<base::nanoseconds> set;  // by its program, where the formula needs to be told
};

struct KernelTimer {
  const char* name;
  base::nanoseconds (*formula)(const TimerOwner&);
};

base::nanoseconds user_timeout_as_set(const TimerOwner& of) {
  if (!of.set)
    throw base::UsageError(
        "lab:timer(\"user_timeout\", whose, seconds): say which TCP_USER_TIMEOUT was set");
  return user_timeout(of.sysctl, of.rto, *of.set);
}

constexpr std::array kKernelTimers = {
    KernelTimer{"retransmission_timeout",
                [](const TimerOwner& of) { return retransmission_timeout(of.sysctl, of.rto); }},
    KernelTimer{"retransmission_limit",
                [](const TimerOwner& of) { return retransmission_limit(of.sysctl); }},
    KernelTimer{"first_retransmission",
                [](const TimerOwner& of) { return first_retransmission(of.sysctl, of.rto); }},
    KernelTimer{"tail_loss_probe", [](const TimerOwner& of) { return of.rto; }},
    KernelTimer{"suspicion_timeout",
                [](const TimerOwner& of) { return suspicion_timeout(of.sysctl, of.rto); }},
    KernelTimer{"orphan_timeout",
                [](const TimerOwner& of) { return orphan_timeout(of.sysctl, of.rto); }},
    KernelTimer{"user_timeout", user_timeout_as_set},
    KernelTimer{"connect_timeout", [](const TimerOwner& of) { return connect_timeout(of.sysctl); }},
    KernelTimer{"synack_timeout", [](const TimerOwner& of) { return synack_timeout(of.sysctl); }},
    KernelTimer{"neighbour_failure",
                [](const TimerOwner& of) { return neighbour_failure(of.sysctl, of.family); }},
    KernelTimer{"time_wait_reuse", [](const TimerOwner& of) { return time_wait_reuse(of.sysctl); }},
    KernelTimer{"keepalive_timeout",
                [](const TimerOwner& of) { return keepalive_timeout(of.sysctl); }},
    KernelTimer{"fin_timeout", [](const TimerOwner& of) { return fin_timeout(of.sysctl); }},
    KernelTimer{"time_wait", [](const TimerOwner&) { return time_wait(); }},
    KernelTimer{"delayed_ack", [](const TimerOwner&) { return delayed_ack(); }},
    KernelTimer{"initial_timeout", [](const TimerOwner&) { return initial_timeout(); }},
    KernelTimer{"lowest_timeout", [](const TimerOwner& of) { return lowest_timeout(of.sysctl); }},
};

base::nanoseconds rto_of(const LabHost& host, const LabProgram& program) {
  for (const ConnectionKey& key : program.connections())
    if (const auto rto = host.retransmission_timeout(key)) return *rto;
  return kTypicalRto;
}

TimerOwner timer_owner(LuaCall& call) {
  const LuaProgram* program = call.find<LuaProgram>(2);
  LabHost* host = program != nullptr
                      ? call.experiment().laboratory().find_host(program->program->host())
                      : call.object<LuaHost>(2, "whose kernel").host;
  TimerOwner of;
  of.sysctl = [host](const std::string& variable, long built_in) {
    return host->read_sysctl(variable, built_in);
  };
  of.rto = program != nullptr ? rto_of(*host, *program->program) : kTypicalRto;
  of.family = call.experiment().laboratory().config().family;
  if (call.has(3)) of.set = call.span(3, "the time that was set");
  return of;
}

}  // namespace

/// lab:timer(name, host or program, seconds that were set) -> seconds
int lab_timer(LuaCall& call) {
  const std::string name = call.text(1, "the timer's name");
  const TimerOwner of = timer_owner(call);
  std::string known;
  for (const KernelTimer& timer : kKernelTimers) {
    if (name == timer.name)
      return call.push(std::chrono::duration<double>(timer.formula(of)).count());
    known += std::string(known.empty() ? "" : ", ") + timer.name;
  }
  throw base::UsageError("there is no timer \"" + name + "\"; there is " + known);
}

}  // namespace tcplab::engine
