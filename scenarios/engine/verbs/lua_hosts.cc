// Hosts in scripts: their programs, sysctls, names and addresses.
#include <chrono>

#include "base/error.hh"
#include "scenarios/engine/lab/needs.hh"
#include "scenarios/engine/lab/nft.hh"
#include "scenarios/engine/script/script_context.hh"
#include "scenarios/engine/verbs/lua_modules.hh"
#include "scenarios/engine/verbs/lua_objects.hh"

namespace tcplab::engine {

using capture::ActionVerb;
using namespace std::chrono_literals;

namespace {

constexpr base::nanoseconds kReadyWithin = 5s;
constexpr const char* kWakesConntrack =
    "table inet wakes_conntrack { chain c { ct state new } }\ndelete table inet wakes_conntrack\n";

LabHost& host_of(LuaCall& call) { return *call.self<LuaHost>().host; }

void act(LuaCall& call, capture::Action action) {
  action.host = host_of(call).name();
  action.line = call.line();
  context_of(call).act(std::move(action));
}

/// The words of a command, from argument `first` on: texts, numbers, and hosts by their names.
std::vector<std::string> command_words(LuaCall& call, int first) {
  std::vector<std::string> words;
  for (int i = first; i <= call.count(); ++i) {
    const LuaHost* host = call.find<LuaHost>(i);
    words.push_back(host != nullptr ? host->host->name() : call.word(i));
  }
  return words;
}

LabProgram& start(LuaCall& call, const std::vector<std::string>& command) {
  ScriptContext& context = context_of(call);
  try {
    LabProgram& program = context.laboratory().run(host_of(call), command);
    // An earlier connection with the same endpoints belonged to another program.
    context.waiter().cursors().move("state " + program.host() + "/" + program.name(),
                                    context.laboratory().timeline().last());
    return program;
  } catch (const base::LabError&) {
    if (command.front() != "dnc" && find_program(command.front()).empty())
      throw Skip("the program " + command.front() + " is not installed");
    throw;
  }
}

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

/// Whether the program listens. If it ends before, there is no hope. Until then, what failed last.
Condition::Status dnc_listens(ScriptContext& context, const LabProgram& program,
                              std::uint64_t since) {
  Condition::Status answer{false, "it has not called listen(2) yet"};
  std::string failed;
  context.laboratory().timeline().visit_after(since, [&](const capture::Event& event) {
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

/// With -l, the script waits until dnc listens.
int host_dnc(LuaCall& call) {
  std::vector<std::string> words = command_words(call, 1);
  const bool server = listens(words);
  words.insert(words.begin(), "dnc");
  ScriptContext& context = context_of(call);
  const std::uint64_t since = context.laboratory().timeline().last();
  LabProgram& program = start(call, words);
  if (!server) return push_object(call.lua, LuaProgram{&program});
  return context.suspend_until(
      context.condition(
          kReadyWithin, program.title() + " listens",
          [&context, &program, since] { return dnc_listens(context, program, since); }),
      call.line(), [&program](lua_State* lua) { return push_object(lua, LuaProgram{&program}); });
}

int host_at_boot(LuaCall& call) {
  call.text(1, "the program");
  const std::vector<std::string> command = command_words(call, 1);
  host_of(call).boot_commands.push_back(command);
  return push_object(call.lua, LuaProgram{&start(call, command)});
}

int host_sysctl(LuaCall& call) {
  const std::string name = call.text(1, "the sysctl's name");
  LabHost& host = host_of(call);
  // Some machines load conntrack, and with it its sysctls, only when a rule uses it.
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

int host_address(LuaCall& call) {
  LabHost& host = host_of(call);
  if (!call.has(1)) return call.push(host.address().to_string());
  const netns::NicConfig& nic = host.nic(call.text(1, "the NIC or link"));
  if (nic.addresses.empty()) throw base::UsageError(nic.name + " has no address");
  return call.push(nic.addresses.front().address.to_string());
}

}  // namespace

LuaModule hosts_module() {
  return {.classes = {lua_class<LuaHost>(
              {{"run",
                host_run,
                "Starts a program of this machine. A host among the arguments stands for its name.",
                {{"program", "string"}, {"...", "string|number|host"}},
                {"program"}},
               {"dnc",
                host_dnc,
                "Starts dnc, which records its calls. With \"-l\", waits until it listens.",
                {{"...", "string|number|host"}},
                {"program"}},
               {"at_boot",
                host_at_boot,
                "Starts a program now, and again each time that the power comes back.",
                {{"program", "string"}, {"...", "string|number|host"}},
                {"program"}},
               {"sysctl",
                host_sysctl,
                "Reads a sysctl, or sets it, for later boots too.",
                {{"name", "string"}},
                {"string"},
                "fun(self: host, name: string, value: string|number): host"},
               {"name", host_name, "Returns the name of the host.", {}, {"string"}},
               {"address",
                host_address,
                "Returns the address of a NIC.",
                {{"nic?", "string", "\"eth1\", or the name of its link; the first by default"}},
                {"string"}}})}};
}

}  // namespace tcplab::engine
