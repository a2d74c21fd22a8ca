// Power and cables of hosts in scripts.
#include <chrono>

#include "app/script/kept_value.hh"
#include "app/script/lua_objects.hh"
#include "app/script/script_context.hh"
#include "app/verbs/host_call.hh"
#include "app/verbs/lua_modules.hh"
#include "base/error.hh"

namespace tcplab::app {

using namespace std::chrono_literals;
using capture::ActionVerb;

namespace {

constexpr base::nanoseconds kShutdownWithin = 5s;
constexpr double kBootTime = 0.5;  // seconds, of a crashed host unless the script says

const LuaTable kCrashOptions = {
    "crash_options",
    "",
    {{"boot_time?", "number", "seconds; 0.5 by default", {0, 3600, "seconds"}}}};

int host_power_off(LuaCall& call) {
  act_on_host(call, {.verb = ActionVerb::power_off});
  context_of(call).laboratory().power().off(host_of(call));
  return call.push_self();
}

int host_power_on(LuaCall& call) {
  act_on_host(call, {.verb = ActionVerb::power_on});
  context_of(call).laboratory().power().on(host_of(call));
  return call.push_self();
}

int host_power_cycle(LuaCall& call) {
  act_on_host(call, {.verb = ActionVerb::power_cycle});
  context_of(call).laboratory().power().off(host_of(call));
  context_of(call).laboratory().power().on(host_of(call));
  return call.push_self();
}

int host_crash(LuaCall& call) {
  call.allow_options(1, kCrashOptions);
  const double seconds = call.option_number(1, "boot_time").value_or(kBootTime);
  const auto boot_time = base::from_seconds(seconds);
  act_on_host(call, {.verb = ActionVerb::crash, .span = boot_time});
  lab::Laboratory& laboratory = context_of(call).laboratory();
  lab::LabHost& host = host_of(call);
  laboratory.power().off(host);
  laboratory.power().on_later(host, boot_time);
  return call.push_self();
}

int host_reboot(LuaCall& call) {
  act_on_host(call, {.verb = ActionVerb::reboot});
  ScriptContext& context = context_of(call);
  lab::LabHost& host = host_of(call);
  context.laboratory().programs().terminate(host);
  auto has_shut_down = [&context, &host] {
    // If a person steps through the run, the host's last frames arrive before it starts anew.
    lab::Laboratory& laboratory = context.laboratory();
    return Condition::Status{!laboratory.programs().any_runs(host) &&
                                 laboratory.network().frames().stepper().hanging().empty(),
                             "programs that ignore SIGTERM"};
  };
  const KeptValue self(call.lua, 1);
  return context.suspend_until(
      context.condition(kShutdownWithin, host.name() + " shuts down", has_shut_down), 0,
      [&context, &host, self](lua_State* lua) {
        context.laboratory().power().finish_reboot(host);
        return self.push(lua);
      });
}

/// The NIC that argument 1 names, or "" for all of them.
std::string cable(LuaCall& call) {
  return call.has(1) ? host_of(call).network().nic(call.text(1, "the NIC or link")).name : "";
}

int host_unplug(LuaCall& call) {
  const std::string nic = cable(call);
  act_on_host(call, {.verb = ActionVerb::unplug, .nic = nic});
  host_of(call).machine();
  context_of(call).laboratory().network().unplug(host_of(call), nic);
  return call.push_self();
}

int host_plug(LuaCall& call) {
  const std::string nic = cable(call);
  act_on_host(call, {.verb = ActionVerb::plug, .nic = nic});
  context_of(call).laboratory().network().plug(host_of(call), nic);
  return call.push_self();
}

}  // namespace

LuaModule power_module() {
  return {.classes = {lua_class<LuaHost>(
              {{"power_off",
                host_power_off,
                "Switches the host off: from now on it sends nothing to the wire.",
                {},
                {"host"}},
               {"power_on",
                host_power_on,
                "Switches the host on again; all connections are forgotten.",
                {},
                {"host"}},
               {"power_cycle",
                host_power_cycle,
                "Switches the host off, and on again at once.",
                {},
                {"host"}},
               {"crash",
                host_crash,
                "Switches the host off, and on again after its boot time (0.5 s by default).",
                {{"options?", "crash_options"}},
                {"host"}},
               {"reboot",
                host_reboot,
                "Sends SIGTERM to all programs, waits until they have ended, and power cycles the "
                "host.",
                {},
                {"host"}},
               {"unplug",
                host_unplug,
                "Pulls one cable, or all by default; programs and connections live on.",
                {{"nic?", "string", "\"eth0\", or the name of its link"}},
                {"host"}},
               {"plug",
                host_plug,
                "Plugs one cable in again, or all by default.",
                {{"nic?", "string", "\"eth0\", or the name of its link"}},
                {"host"}}})},
          .tables = {&kCrashOptions}};
}

}  // namespace tcplab::app
