// Hosts in scripts: their programs, sysctls, names and addresses.
#include <chrono>

#include "base/error.hh"
#include "scenarios/engine/lab/needs.hh"
#include "scenarios/engine/lab/nft.hh"
#include "scenarios/engine/script/script_context.hh"
#include "scenarios/engine/verbs/lua_modules.hh"
#include "scenarios/engine/verbs/lua_objects.hh"
#include "scenarios/engine/verbs/program_call.hh"
#include "scenarios/engine/verbs/start_program.hh"

namespace tcplab::engine {

using capture::ActionVerb;
using namespace std::chrono_literals;

namespace {

constexpr const char* kWakesConntrack =
    "table inet wakes_conntrack { chain c { ct state new } }\ndelete table inet wakes_conntrack\n";

LabHost& host_of(LuaCall& call) { return *call.self<LuaHost>().host; }

void act(LuaCall& call, capture::Action action) {
  action.host = host_of(call).name();
  action.line = call.line();
  context_of(call).act(std::move(action));
}

int host_run(LuaCall& call) {
  const ProgramCall wanted = program_call(call);
  return push_object(call.lua, LuaProgram{&start_program(context_of(call), host_of(call),
                                                         wanted.command, wanted.options)});
}

/// With -l, the script waits until dnc listens.
int host_dnc(LuaCall& call) {
  if (!call.has(1)) throw base::UsageError("dnc lacks arguments: host:dnc(\"-l\", 8080)");
  std::vector<std::string> words = command_words(call, 1);
  const bool server = asks_to_listen(words);
  words.insert(words.begin(), "dnc");
  ScriptContext& context = context_of(call);
  const std::uint64_t since = context.laboratory().timeline().last();
  LabProgram& program = start_program(context_of(call), host_of(call), words);
  if (!server) return push_object(call.lua, LuaProgram{&program});
  return context.suspend_until(
      dnc_listens(context, program, since), call.line(),
      [&program](lua_State* lua) { return push_object(lua, LuaProgram{&program}); });
}

int host_at_boot(LuaCall& call) {
  const ProgramCall wanted = program_call(call);
  host_of(call).boot_programs.push_back({wanted.command, wanted.options});
  return push_object(call.lua, LuaProgram{&start_program(context_of(call), host_of(call),
                                                         wanted.command, wanted.options)});
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
  return {
      .classes = {lua_class<LuaHost>(
          {{"run",
            host_run,
            "Starts a program of this machine, and records its calls on TCP sockets. A host among "
            "the arguments stands for its name.",
            {{"program", "string|run_command"}, {"...", "string|number|host|run_options"}},
            {"program"}},
           {"dnc",
            host_dnc,
            "Starts dnc, which records its calls. With \"-l\", waits until it listens.",
            {{"argument", "string|number|host"}, {"...", "string|number|host"}},
            {"program"}},
           {"at_boot",
            host_at_boot,
            "Starts a program now, and again each time that the power comes back.",
            {{"program", "string|run_command"}, {"...", "string|number|host|run_options"}},
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
            {"string"}}})},
      .tables = {&run_options(), &run_command()}};
}

}  // namespace tcplab::engine
