// lab:timer in scripts: how long the kernel takes, by its formulas (lab/timers.hh) and the settings
// of a host. RFC 1122 section 4.2.3.5 calls the two thresholds R1 (suspect the path) and R2 (give
// up).
#include <array>
#include <chrono>

#include "app/script/lua_objects.hh"
#include "app/script/script_context.hh"
#include "app/script/set_options.hh"
#include "app/verbs/lua_modules.hh"
#include "base/error.hh"
#include "lab/plans/timers.hh"

namespace tcplab::app {

using namespace std::chrono_literals;

namespace {

constexpr base::nanoseconds kTypicalRto = 210ms;  // TCP_RTO_MIN and a short round trip

/// Whose timer it is: the host's settings, and the RTO of the program's connection.
struct TimerOwner {
  lab::SysctlReader sysctl;
  base::nanoseconds rto;
  base::Family family;
  std::optional<base::nanoseconds> user_timeout{};  // of the program's socket
  const lab::LabProgram* program = nullptr;
  bool is_recorded = true;  // the lab knows which options the program sets
  lab::Expiry expiry = lab::Expiry::on_time;

  /// Throws base::UsageError if the program may have set an option that the lab cannot know.
  void require_known(const std::string& timer) const;
};

struct KernelTimer {
  const char* name;
  base::nanoseconds (*formula)(const TimerOwner&);
  bool has_probe = false;  // it begins with a tail loss probe
};

base::nanoseconds user_timeout_as_set(const TimerOwner& of) {
  if (!of.user_timeout)
    throw base::UsageError(
        "lab:timer(\"user_timeout\", whose, seconds): say which TCP_USER_TIMEOUT was set");
  return lab::user_timeout(of.sysctl, of.rto, *of.user_timeout);
}

/// TCP_USER_TIMEOUT replaces tcp_retries2 (tcp_write_timeout()).
base::nanoseconds r2_as_set(const TimerOwner& of) {
  return of.user_timeout ? user_timeout_as_set(of) : lab::r2(of.sysctl, of.rto, of.expiry);
}

base::nanoseconds keepalive_as_set(const TimerOwner& of) {
  of.require_known("keepalive_timeout");
  return lab::keepalive_timeout(of.sysctl, of.user_timeout);
}

base::nanoseconds syn_r2_as_set(const TimerOwner& of) {
  of.require_known("syn_r2");
  if (of.user_timeout && of.program == nullptr)
    throw base::UsageError(
        "TCP_USER_TIMEOUT, the third argument, ends a connect sooner than \"syn_r2\"; leave it "
        "out");
  if (of.user_timeout)
    throw base::UsageError(of.program->title() +
                           " has set TCP_USER_TIMEOUT, which ends a connect sooner than "
                           "\"syn_r2\"; give the host for the time without it");
  return lab::syn_r2(of.sysctl);
}

base::nanoseconds fin_timeout_as_set(const TimerOwner& of) {
  of.require_known("fin_timeout");
  return lab::fin_timeout(of.sysctl);
}

void TimerOwner::require_known(const std::string& timer) const {
  if (program == nullptr || is_recorded) return;
  throw base::UsageError(
      "lab:timer(\"" + timer + "\", program): the socket options of " + program->title() +
      " are unknown, because its calls are not recorded (watch = false); give the "
      "host for the time without options");
}

/// The socket option that replaces each sysctl (tcp(7)).
constexpr std::array kReplaced = {std::pair{"net.ipv4.tcp_keepalive_time", "TCP_KEEPIDLE"},
                                  std::pair{"net.ipv4.tcp_keepalive_intvl", "TCP_KEEPINTVL"},
                                  std::pair{"net.ipv4.tcp_keepalive_probes", "TCP_KEEPCNT"},
                                  std::pair{"net.ipv4.tcp_syn_retries", "TCP_SYNCNT"},
                                  std::pair{"net.ipv4.tcp_fin_timeout", "TCP_LINGER2"}};

/// Reads the options where the program has set them, else the host's sysctls.
lab::SysctlReader with_options(lab::SysctlReader sysctl, const SetOptions& options) {
  return [sysctl = std::move(sysctl), options](const std::string& name, long built_in) {
    for (const auto& [replaced, option] : kReplaced)
      if (const auto set = options.find(option);
          name == replaced && set != options.end() && set->second > 0)
        return set->second;
    return sysctl(name, built_in);
  };
}

constexpr std::array kKernelTimers = {
    KernelTimer{"r2", r2_as_set, true},
    KernelTimer{"r2_limit", [](const TimerOwner& of) { return lab::r2_limit(of.sysctl); }},
    KernelTimer{"r1", [](const TimerOwner& of) { return lab::r1(of.sysctl, of.rto, of.expiry); },
                true},
    KernelTimer{"tail_loss_probe", [](const TimerOwner& of) { return of.rto; }, true},
    KernelTimer{"first_retransmission",
                [](const TimerOwner& of) { return lab::first_retransmission(of.sysctl, of.rto); },
                true},
    KernelTimer{"orphan_r2",
                [](const TimerOwner& of) { return lab::orphan_r2(of.sysctl, of.rto, of.expiry); },
                true},
    KernelTimer{"user_timeout", user_timeout_as_set, true},
    KernelTimer{"syn_r2", syn_r2_as_set},
    KernelTimer{"synack_r2", [](const TimerOwner& of) { return lab::synack_r2(of.sysctl); }},
    KernelTimer{"initial_rto", [](const TimerOwner&) { return lab::initial_rto(); }},
    KernelTimer{"rto_min", [](const TimerOwner& of) { return lab::rto_min(of.sysctl); }},
    KernelTimer{"neighbour_failure",
                [](const TimerOwner& of) { return lab::neighbour_failure(of.sysctl, of.family); }},
    KernelTimer{"keepalive_timeout", keepalive_as_set},
    KernelTimer{"fin_timeout", fin_timeout_as_set},
    KernelTimer{"time_wait", [](const TimerOwner&) { return lab::time_wait(); }},
    KernelTimer{"time_wait_reuse",
                [](const TimerOwner& of) { return lab::time_wait_reuse(of.sysctl); }},
    KernelTimer{"delayed_ack", [](const TimerOwner&) { return lab::delayed_ack(); }},
};

base::nanoseconds rto_of(const lab::LabHost& host, const lab::LabProgram& program) {
  for (const lab::ConnectionKey& key : program.sockets().connections())
    if (const auto rto = host.sockets().retransmission_timeout(key)) return *rto;
  return kTypicalRto;
}

void take_options(const LuaCall& call, const lab::LabProgram& program, TimerOwner& of) {
  const SetOptions options = set_options(context_of(call).laboratory().timeline(), program);
  of.program = &program;
  of.is_recorded = program.calls().are_recorded();
  of.sysctl = with_options(of.sysctl, options);
  const auto set = options.find("TCP_USER_TIMEOUT");
  if (set != options.end() && set->second > 0)
    of.user_timeout = std::chrono::milliseconds(set->second);
}

TimerOwner timer_owner(LuaCall& call) {
  const LuaProgram* program = call.find<LuaProgram>(2);
  lab::LabHost* host = program != nullptr
                           ? context_of(call).laboratory().hosts().find(program->program->host())
                           : call.object<LuaHost>(2, "whose kernel").host;
  if (program != nullptr) program->program->calls().catch_up();
  TimerOwner of;
  of.sysctl = [host](const std::string& variable, long built_in) {
    return host->sysctls().read(variable, built_in);
  };
  of.rto = program != nullptr ? rto_of(*host, *program->program) : kTypicalRto;
  of.family = context_of(call).laboratory().config().family;
  if (program != nullptr) take_options(call, *program->program, of);
  if (call.has(3)) of.user_timeout = call.span(3, "the time that was set");
  return of;
}

/// Answers lab:timer. lab:expect_time also accepts what it takes if timers are late.
int push_time(LuaCall& call, const KernelTimer& timer, TimerOwner of) {
  ComputedTime time{.on_time = timer.formula(of), .if_late = {}};
  if (timer.has_probe) time.probe = lab::first_retransmission(of.sysctl, of.rto) - of.rto;
  of.expiry = lab::Expiry::late;
  time.if_late = timer.formula(of);
  context_of(call).computed_times().add(time);
  return call.push(base::in_seconds(time.on_time));
}

int lab_timer(LuaCall& call) {
  const std::string name = call.text(1, "the timer's name");
  const TimerOwner of = timer_owner(call);
  std::string known;
  for (const KernelTimer& timer : kKernelTimers) {
    if (name == timer.name) return push_time(call, timer, of);
    known += std::string(known.empty() ? "" : ", ") + timer.name;
  }
  throw base::UsageError("there is no timer \"" + name + "\"; there is " + known);
}

LuaWords timer_names() {
  LuaWords names{.name = "timer_name", .words = {}};
  for (const KernelTimer& timer : kKernelTimers) names.words.emplace_back(timer.name);
  return names;
}

}  // namespace

LuaModule timers_module() {
  return {.classes = {lua_class<LuaLab>(
              {{"timer",
                lab_timer,
                "Returns how long the kernel takes, by its formula, the host's settings and the "
                "program's socket options.",
                {{"name", "timer_name"},
                 {"whose", "host|program"},
                 {"set?", "number", "the TCP_USER_TIMEOUT in seconds, instead of the program's"}},
                {"number seconds"}}})},
          .words = {timer_names()}};
}

}  // namespace tcplab::app
