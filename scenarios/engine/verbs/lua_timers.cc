// lab:timer in scripts: how long the kernel takes, by its formulas (lab/timers.hh) and the settings
// of a host. RFC 1122 section 4.2.3.5 calls the two thresholds R1 (suspect the path) and R2 (give
// up).
#include <array>
#include <chrono>

#include "base/error.hh"
#include "scenarios/engine/lab/timers.hh"
#include "scenarios/engine/script/script_context.hh"
#include "scenarios/engine/verbs/lua_modules.hh"
#include "scenarios/engine/verbs/lua_objects.hh"

namespace tcplab::engine {

using namespace std::chrono_literals;

namespace {

constexpr base::nanoseconds kTypicalRto = 210ms;  // TCP_RTO_MIN and a short round trip

/// Whose timer it is: the host's settings, and the RTO of the program's connection.
struct TimerOwner {
  SysctlReader sysctl;
  base::nanoseconds rto;
  base::Family family;
  std::optional<base::nanoseconds> set;  // the program's TCP_USER_TIMEOUT
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
    KernelTimer{"r2", [](const TimerOwner& of) { return r2(of.sysctl, of.rto); }},
    KernelTimer{"r2_limit", [](const TimerOwner& of) { return r2_limit(of.sysctl); }},
    KernelTimer{"r1", [](const TimerOwner& of) { return r1(of.sysctl, of.rto); }},
    KernelTimer{"tail_loss_probe", [](const TimerOwner& of) { return of.rto; }},
    KernelTimer{"first_retransmission",
                [](const TimerOwner& of) { return first_retransmission(of.sysctl, of.rto); }},
    KernelTimer{"orphan_r2", [](const TimerOwner& of) { return orphan_r2(of.sysctl, of.rto); }},
    KernelTimer{"user_timeout", user_timeout_as_set},
    KernelTimer{"syn_r2", [](const TimerOwner& of) { return syn_r2(of.sysctl); }},
    KernelTimer{"synack_r2", [](const TimerOwner& of) { return synack_r2(of.sysctl); }},
    KernelTimer{"initial_rto", [](const TimerOwner&) { return initial_rto(); }},
    KernelTimer{"rto_min", [](const TimerOwner& of) { return rto_min(of.sysctl); }},
    KernelTimer{"neighbour_failure",
                [](const TimerOwner& of) { return neighbour_failure(of.sysctl, of.family); }},
    KernelTimer{"keepalive_timeout",
                [](const TimerOwner& of) { return keepalive_timeout(of.sysctl); }},
    KernelTimer{"fin_timeout", [](const TimerOwner& of) { return fin_timeout(of.sysctl); }},
    KernelTimer{"time_wait", [](const TimerOwner&) { return time_wait(); }},
    KernelTimer{"time_wait_reuse", [](const TimerOwner& of) { return time_wait_reuse(of.sysctl); }},
    KernelTimer{"delayed_ack", [](const TimerOwner&) { return delayed_ack(); }},
};

const std::vector<RenamedWord>& renamed_timers() {
  static const std::vector<RenamedWord> kRenamed = {
      {"retransmission_timeout", "r2"},   {"retransmission_limit", "r2_limit"},
      {"suspicion_timeout", "r1"},        {"orphan_timeout", "orphan_r2"},
      {"connect_timeout", "syn_r2"},      {"synack_timeout", "synack_r2"},
      {"initial_timeout", "initial_rto"}, {"lowest_timeout", "rto_min"}};
  return kRenamed;
}

base::nanoseconds rto_of(const LabHost& host, const LabProgram& program) {
  for (const ConnectionKey& key : program.connections())
    if (const auto rto = host.retransmission_timeout(key)) return *rto;
  return kTypicalRto;
}

TimerOwner timer_owner(LuaCall& call) {
  const LuaProgram* program = call.find<LuaProgram>(2);
  LabHost* host = program != nullptr
                      ? context_of(call).laboratory().find_host(program->program->host())
                      : call.object<LuaHost>(2, "whose kernel").host;
  TimerOwner of;
  of.sysctl = [host](const std::string& variable, long built_in) {
    return host->read_sysctl(variable, built_in);
  };
  of.rto = program != nullptr ? rto_of(*host, *program->program) : kTypicalRto;
  of.family = context_of(call).laboratory().config().family;
  if (call.has(3)) of.set = call.span(3, "the time that was set");
  return of;
}

int lab_timer(LuaCall& call) {
  const std::string name = call.current_word(call.text(1, "the timer's name"), renamed_timers());
  const TimerOwner of = timer_owner(call);
  std::string known;
  for (const KernelTimer& timer : kKernelTimers) {
    if (name == timer.name)
      return call.push(std::chrono::duration<double>(timer.formula(of)).count());
    known += std::string(known.empty() ? "" : ", ") + timer.name;
  }
  throw base::UsageError("there is no timer \"" + name + "\"; there is " + known);
}

LuaWords timer_names() {
  LuaWords names{.name = "timer_name", .words = {}, .renamed = renamed_timers()};
  for (const KernelTimer& timer : kKernelTimers) names.words.emplace_back(timer.name);
  return names;
}

}  // namespace

LuaModule timers_module() {
  return {.classes = {lua_class<LuaLab>(
              {{"timer",
                lab_timer,
                "Returns how long the kernel takes, by its formula and the host's settings.",
                {{"name", "timer_name"},
                 {"whose", "host|program"},
                 {"set?", "number", "for \"user_timeout\": the TCP_USER_TIMEOUT, in seconds"}},
                {"number seconds"}}})},
          .words = {timer_names()}};
}

}  // namespace tcplab::engine
