// Hosts in scripts: their programs, sysctls, names and addresses.
#include <algorithm>
#include <chrono>
#include <climits>
#include <fmt/format.h>

#include "app/programs/program_call.hh"
#include "app/programs/start_program.hh"
#include "app/script/lua_objects.hh"
#include "app/script/script_context.hh"
#include "app/verbs/host_call.hh"
#include "app/verbs/lua_modules.hh"
#include "base/error.hh"
#include "base/socket_options.hh"
#include "lab/programs/needs.hh"
#include "lab/programs/nft.hh"

namespace tcplab::app {

using capture::ActionVerb;
using namespace std::chrono_literals;

namespace {

constexpr const char* kWakesConntrack =
    "table inet wakes_conntrack { chain c { ct state new } }\ndelete table inet wakes_conntrack\n";

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
  lab::LabProgram& program = start_program(context_of(call), host_of(call), words);
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
  lab::LabHost& host = host_of(call);
  host.require_kernel_tcp("the sysctl " + name);
  // Some machines load conntrack, and with it its sysctls, only when a rule uses it.
  if (name.starts_with("net.netfilter.nf_conntrack") && !host.machine().sysctls().has(name) &&
      !lab::find_program("nft").empty())
    lab::load_ruleset(host.machine(), kWakesConntrack, {});
  if (!host.machine().sysctls().has(name))
    throw base::UsageError("this kernel has no sysctl " + name + " in a network namespace");
  if (!call.has(2)) return call.push(host.machine().sysctls().read(name));
  const std::string value = call.word(2);
  act_on_host(call, {.verb = ActionVerb::sysctl, .name = name, .value = value});
  host.sysctls().write(name, value);
  return call.push_self();
}

/// Reads { TCP_USER_TIMEOUT = 30000 }, in the order of the names.
std::vector<capture::ImposedOption> socket_options(const LuaCall& call) {
  std::vector<capture::ImposedOption> options;
  const int table = lua_absindex(call.lua, -call.count());
  if (!call.has(1) || lua_type(call.lua, table) != LUA_TTABLE)
    throw base::UsageError("write host:socket_options { TCP_USER_TIMEOUT = 30000 }");
  for (lua_pushnil(call.lua); lua_next(call.lua, table) != 0; lua_pop(call.lua, 1)) {
    const bool is_name = lua_type(call.lua, -2) == LUA_TSTRING;
    const std::string name = is_name ? lua_tostring(call.lua, -2) : "?";
    const base::SocketOption* option = base::find_socket_option(name);
    if (option == nullptr || option->kind != base::OptionKind::number)
      throw base::UsageError("there is no socket option " + name + " with a number");
    int is_number = 0;
    const lua_Integer value = lua_tointegerx(call.lua, -1, &is_number);
    if (is_number == 0 || value < INT_MIN || value > INT_MAX)
      throw base::UsageError("the value of " + name + " is a whole number");
    options.push_back({option, static_cast<int>(value)});
  }
  std::ranges::sort(options, {}, [](const auto& one) { return one.option->name; });
  return options;
}

int host_socket_options(LuaCall& call) {
  const std::vector<capture::ImposedOption> options = socket_options(call);
  lab::LabHost& host = host_of(call);
  std::string list;
  for (const auto& [option, value] : options)
    list += fmt::format("{}{} = {}", list.empty() ? "" : ", ", option->name, value);
  lab::Laboratory& laboratory = context_of(call).laboratory();
  laboratory.programs().impose(host, options);
  const std::string text =
      host.name() + (list.empty() ? ": tcplab sets no socket options from now on"
                                  : ": tcplab sets on each new TCP socket: " + list);
  laboratory.timeline().append(laboratory.clock().now(), capture::Note{text});
  return call.push_self();
}

int host_name(LuaCall& call) { return call.push(host_of(call).name()); }

/// Returns the port, and whether what comes to it is echoed.
int host_own_port(LuaCall& call) {
  const netns::StackService service = host_of(call).machine().stack_service();
  if (!service.port) return 0;
  lua_pushinteger(call.lua, *service.port);
  lua_pushboolean(call.lua, service.echoes ? 1 : 0);
  return 2;
}

int host_address(LuaCall& call) {
  lab::LabHost& host = host_of(call);
  if (!call.has(1)) return call.push(host.address().to_string());
  const netns::NicConfig& nic = host.network().nic(call.text(1, "the NIC or link"));
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
           {"socket_options",
            host_socket_options,
            "Sets these options on each TCP socket that a program of the host makes or accepts "
            "from now on, whatever the program sets; an empty table ends this.",
            {{"options", "table<string, integer>"}},
            {"host"}},
           {"name", host_name, "Returns the name of the host.", {}, {"string"}},
           {"address",
            host_address,
            "Returns the address of a NIC.",
            {{"nic?", "string", "\"eth1\", or the name of its link; the first by default"}},
            {"string"}},
           {"own_port",
            host_own_port,
            "Returns the port on which the TCP stack of the host listens by itself, and whether it "
            "echoes what comes; nothing if it makes the calls of programs.",
            {},
            {"integer?", "boolean?"}}})},
      .tables = {&run_options(), &run_command()}};
}

}  // namespace tcplab::app
