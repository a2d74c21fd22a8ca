// Hosts in scripts: their programs, sysctls, names and addresses.
#include <chrono>

#include "base/error.hh"
#include "scenarios/engine/lab/needs.hh"
#include "scenarios/engine/lab/nft.hh"
#include "scenarios/engine/script/script_context.hh"
#include "scenarios/engine/verbs/lua_modules.hh"
#include "scenarios/engine/verbs/lua_objects.hh"
#include "scenarios/engine/verbs/start_program.hh"

namespace tcplab::engine {

using capture::ActionVerb;
using namespace std::chrono_literals;

namespace {

constexpr const char* kNetAdmin = "CAP_NET_ADMIN";
constexpr const char* kWakesConntrack =
    "table inet wakes_conntrack { chain c { ct state new } }\ndelete table inet wakes_conntrack\n";

LabHost& host_of(LuaCall& call) { return *call.self<LuaHost>().host; }

void act(LuaCall& call, capture::Action action) {
  action.host = host_of(call).name();
  action.line = call.line();
  context_of(call).act(std::move(action));
}

const LuaTable kRunOptions = {
    "run_options",
    "",
    {{"watch?", "boolean", "false: do not record its calls; needed for strace and debuggers"},
     {"capabilities?", "string[]", "more than those of a server; CAP_NET_ADMIN only"}}};

/// A program of a host can have no capability that would reach the machine.
void read_capabilities(LuaCall& call, ProgramOptions& options) {
  if (lua_getfield(call.lua, -1, "capabilities") != LUA_TNIL) {
    if (lua_type(call.lua, -1) != LUA_TTABLE)
      throw base::UsageError("option `capabilities` is a list: { \"CAP_NET_ADMIN\" }");
    for (lua_Integer i = 1; lua_geti(call.lua, -1, i) != LUA_TNIL; ++i, lua_pop(call.lua, 1)) {
      const char* name = lua_tostring(call.lua, -1);
      if (name == nullptr || std::string(name) != kNetAdmin)
        throw base::UsageError("option `capabilities` cannot have " +
                               std::string(name == nullptr ? "that" : name) +
                               ": a program can have CAP_NET_ADMIN only; tcplab run --trust "
                               "gives it all");
      options.privileges = netns::Privileges::net_admin;
    }
    lua_pop(call.lua, 1);
  }
  lua_pop(call.lua, 1);
}

/// Reads the options at the end of the arguments, and removes them.
ProgramOptions take_options(LuaCall& call) {
  ProgramOptions options;
  if (call.count() < 2 || lua_type(call.lua, -1) != LUA_TTABLE) return options;
  call.allow_options(call.count(), kRunOptions);
  const int type = lua_getfield(call.lua, -1, "watch");
  if (type != LUA_TBOOLEAN && type != LUA_TNIL)
    throw base::UsageError("option `watch` is true or false");
  options.watch = type == LUA_TNIL || lua_toboolean(call.lua, -1) != 0;
  lua_pop(call.lua, 1);
  read_capabilities(call, options);
  lua_pop(call.lua, 1);
  return options;
}

int host_run(LuaCall& call) {
  const ProgramOptions options = take_options(call);
  call.text(1, "the program");
  return push_object(call.lua, LuaProgram{&start_program(context_of(call), host_of(call),
                                                         command_words(call, 1), options)});
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
  call.text(1, "the program");
  const std::vector<std::string> command = command_words(call, 1);
  host_of(call).boot_commands.push_back(command);
  return push_object(call.lua,
                     LuaProgram{&start_program(context_of(call), host_of(call), command)});
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
            {{"program", "string"}, {"...", "string|number|host|run_options"}},
            {"program"}},
           {"dnc",
            host_dnc,
            "Starts dnc, which records its calls. With \"-l\", waits until it listens.",
            {{"argument", "string|number|host"}, {"...", "string|number|host"}},
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
            {"string"}}})},
      .tables = {&kRunOptions}};
}

}  // namespace tcplab::engine
