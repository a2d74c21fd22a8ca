// Hosts in scripts: programs, power, cable, settings.
#include <chrono>
#include <csignal>

#include "base/error.hh"
#include "scenarios/engine/lab/needs.hh"
#include "scenarios/engine/lab/nft.hh"
#include "scenarios/engine/script/experiment.hh"
#include "scenarios/engine/script/lua_lab.hh"

namespace tcplab::engine {

using capture::ActionVerb;
using namespace std::chrono_literals;

namespace {

constexpr base::nanoseconds kReadyWithin = 5s;
constexpr base::nanoseconds kShutdownWithin = 5s;
constexpr const char* kWakesConntrack =
    "table inet wakes_conntrack { chain c { ct state new } }\ndelete table inet wakes_conntrack\n";
constexpr double kBootTime = 0.5;  // seconds, of a crashed host unless the script says

LabHost& host_of(LuaCall& call) { return *call.self<LuaHost>().host; }

void act(LuaCall& call, capture::Action action) {
  action.host = host_of(call).name();
  action.line = call.line();
  call.experiment().act(std::move(action));
}

/// A command's words from argument `first` on: texts, numbers, and hosts, which become names.
std::vector<std::string> command_words(LuaCall& call, int first) {
  std::vector<std::string> words;
  for (int i = first; i <= call.count(); ++i) {
    const LuaHost* host = call.find<LuaHost>(i);
    words.push_back(host != nullptr ? host->host->name() : call.word(i));
  }
  return words;
}

LabProgram& start(LuaCall& call, const std::vector<std::string>& command) {
  Experiment& experiment = call.experiment();
  try {
    LabProgram& program = experiment.laboratory().run(host_of(call), command);
    // An earlier connection with the same ends was another program's.
    experiment.move_cursor("state " + program.host() + "/" + program.name(),
                           experiment.laboratory().timeline().last());
    return program;
  } catch (const base::LabError&) {
    if (command.front() != "dnc" && find_program(command.front()).empty())
      throw Skip("the program " + command.front() + " is not installed");
    throw;
  }
}

/// host:run("program", "argument", ...) -> program
int host_run(LuaCall& call) {
  call.text(1, "the program");
  return push_object(call.lua, LuaProgram{&start(call, command_words(call, 1))});
}

bool listens(const std::vector<std::string>& words) {
  for (const std::string& word : words)
    if (word == "-l" || word == "--listen" || word == "-kl" || word == "-lk") return true;
  return false;
}

bool is_end_of(const LabProgram& program, const capture::Event& event) {
  const auto* change = std::get_if<capture::Program>(&event.body);
  return change != nullptr && change->host == program.host() && change->program == program.name() &&
         (change->change == capture::ProgramChange::exited ||
          change->change == capture::ProgramChange::killed);
}

/// Listening, or the program's end, which makes waiting for it vain; until then what failed last.
Condition::Status dnc_listens(Experiment& experiment, const LabProgram& program,
                              std::uint64_t since) {
  Condition::Status answer{false, "it has not come to listen(2) yet"};
  std::string failed;
  experiment.laboratory().timeline().visit_after(since, [&](const capture::Event& event) {
    if (is_end_of(program, event)) {
      answer = {false, describe(event) + (failed.empty() ? "" : ", after " + failed), true};
      return false;
    }
    const auto* call = std::get_if<capture::Call>(&event.body);
    if (call == nullptr || call->host != program.host() || call->program != program.name())
      return true;
    if (call->phase == capture::CallPhase::enter) return true;
    if (call->result == -1) answer.seen = failed = describe(event);
    answer.holds = call->call == "listen" && call->result == 0;
    if (answer.holds) answer.seen = describe(event);
    return !answer.holds;
  });
  return answer;
}

/// host:dnc(...) -> program. With -l the script goes on when it listens.
int host_dnc(LuaCall& call) {
  std::vector<std::string> words = command_words(call, 1);
  const bool server = listens(words);
  words.insert(words.begin(), "dnc");
  Experiment& experiment = call.experiment();
  const std::uint64_t since = experiment.laboratory().timeline().last();
  LabProgram& program = start(call, words);
  if (!server) return push_object(call.lua, LuaProgram{&program});
  return experiment.suspend_until(
      kReadyWithin, program.title() + " listens",
      [&experiment, &program, since] { return dnc_listens(experiment, program, since); },
      call.line(), [&program](lua_State* lua) { return push_object(lua, LuaProgram{&program}); });
}

/// host:at_boot("dnc", "-l", 8080): runs it now, and again each time that power comes back.
int host_at_boot(LuaCall& call) {
  call.text(1, "the program");
  const std::vector<std::string> command = command_words(call, 1);
  host_of(call).boot_commands.push_back(command);
  return push_object(call.lua, LuaProgram{&start(call, command)});
}

int host_power_off(LuaCall& call) {
  act(call, {.verb = ActionVerb::power_off});
  call.experiment().laboratory().power_off(host_of(call));
  return call.push_self();
}

int host_power_on(LuaCall& call) {
  act(call, {.verb = ActionVerb::power_on});
  call.experiment().laboratory().power_on(host_of(call));
  return call.push_self();
}

int host_power_cycle(LuaCall& call) {
  act(call, {.verb = ActionVerb::power_cycle});
  call.experiment().laboratory().power_off(host_of(call));
  call.experiment().laboratory().power_on(host_of(call));
  return call.push_self();
}

/// host:crash{ boot_time = seconds }: silence, and after the boot time it is back.
int host_crash(LuaCall& call) {
  call.allow_options(1, {"boot_time"});
  const double seconds = call.option_number(1, "boot_time").value_or(kBootTime);
  if (!(seconds >= 0 && seconds <= 3600))
    throw base::UsageError("option `boot_time` is a number of seconds from 0 to 3600");
  const auto boot_time =
      std::chrono::duration_cast<base::nanoseconds>(std::chrono::duration<double>(seconds));
  act(call, {.verb = ActionVerb::crash, .span = boot_time});
  Laboratory& laboratory = call.experiment().laboratory();
  LabHost& host = host_of(call);
  laboratory.power_off(host);
  laboratory.power_on_later(host, boot_time);
  return call.push_self();
}

/// host:reboot(): SIGTERM to all, a wait, SIGKILL to the rest; then a kernel without a memory.
int host_reboot(LuaCall& call) {
  act(call, {.verb = ActionVerb::reboot});
  Experiment& experiment = call.experiment();
  LabHost& host = host_of(call);
  experiment.laboratory().terminate_programs(host);
  return experiment.suspend_until(
      kShutdownWithin, host.name() + " shuts down",
      [&experiment, &host] {
        // Where the run is stepped through, its last frames land before its kernel starts anew.
        Laboratory& laboratory = experiment.laboratory();
        return Condition::Status{!laboratory.has_running_programs(host) &&
                                     laboratory.watch().stepper().hanging().empty(),
                                 "programs that ignore SIGTERM"};
      },
      0,
      [&experiment, &host](lua_State* lua) {
        experiment.laboratory().finish_reboot(host);
        return push_object(lua, LuaHost{&host});
      });
}

/// The NIC that argument 1 names, or "" for all of them.
std::string cable(LuaCall& call) {
  return call.has(1) ? host_of(call).nic(call.text(1, "the NIC or link")).name : "";
}

/// host:unplug(nic)
int host_unplug(LuaCall& call) {
  const std::string nic = cable(call);
  act(call, {.verb = ActionVerb::unplug, .nic = nic});
  host_of(call).machine();
  call.experiment().laboratory().unplug(host_of(call), nic);
  return call.push_self();
}

int host_plug(LuaCall& call) {
  const std::string nic = cable(call);
  act(call, {.verb = ActionVerb::plug, .nic = nic});
  call.experiment().laboratory().plug(host_of(call), nic);
  return call.push_self();
}

/// host:sysctl(name) -> value; host:sysctl(name, value) sets it, for later incarnations, too.
int host_sysctl(LuaCall& call) {
  const std::string name = call.text(1, "the sysctl's name");
  LabHost& host = host_of(call);
  // Some machines load conntrack, and with it its settings, only where a rule is about it.
  if (name.starts_with("net.netfilter.nf_conntrack") && !host.machine().has_sysctl(name) &&
      !find_program("nft").empty())
    load_ruleset(host.machine(), kWakesConntrack, {});
  if (!host.machine().has_sysctl(name))
    throw base::UsageError("this kernel has no sysctl " + name + " in a network namespace");
  if (!call.has(2)) return call.push(host.machine().read_sysctl(name));
  const std::string value = call.word(2);
  act(call, {.verb = ActionVerb::sysctl, .name = name, .value = value});
  host.write_sysctl(name, value);
  return call.push_self();
}

int host_name(LuaCall& call) { return call.push(host_of(call).name()); }

/// host:address(nic) -> the address of that NIC or link, or of the first
int host_address(LuaCall& call) {
  LabHost& host = host_of(call);
  if (!call.has(1)) return call.push(host.address().to_string());
  const netns::NicConfig& nic = host.nic(call.text(1, "the NIC or link"));
  if (nic.addresses.empty()) throw base::UsageError(nic.name + " has no address any more");
  return call.push(nic.addresses.front().address.to_string());
}

}  // namespace

void install_hosts(lua_State* lua) {
  register_class<LuaHost>(lua, {{"run", host_run},
                                {"dnc", host_dnc},
                                {"at_boot", host_at_boot},
                                {"power_off", host_power_off},
                                {"power_on", host_power_on},
                                {"power_cycle", host_power_cycle},
                                {"crash", host_crash},
                                {"reboot", host_reboot},
                                {"unplug", host_unplug},
                                {"plug", host_plug},
                                {"sysctl", host_sysctl},
                                {"nft", host_nft},
                                {"route", host_route},
                                {"mtu", host_mtu},
                                {"link", host_link},
                                {"add_address", host_add_address},
                                {"remove_address", host_remove_address},
                                {"name", host_name},
                                {"address", host_address}});
}

}  // namespace tcplab::engine
