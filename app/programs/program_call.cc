#include "app/programs/program_call.hh"

#include <functional>

#include "app/programs/injection_rule.hh"
#include "app/programs/start_program.hh"
#include "app/script/lua_objects.hh"
#include "base/error.hh"
#include "capture/event/failing_calls.hh"
#include "capture/probes/probe_points.hh"

namespace tcplab::app {

namespace {

constexpr const char* kNetAdmin = "CAP_NET_ADMIN";

/// Reads the option at the top of the stack.
using Reader = std::function<void(lua_State*, lab::ProgramOptions&)>;

bool truth(lua_State* lua, const std::string& option) {
  if (lua_type(lua, -1) != LUA_TBOOLEAN) refuse_option(option, "is true or false");
  return lua_toboolean(lua, -1) != 0;
}

std::string text(lua_State* lua, const std::string& option) {
  if (lua_type(lua, -1) != LUA_TSTRING || lua_rawlen(lua, -1) == 0)
    refuse_option(option, "is a text that is not empty");
  return lua_tostring(lua, -1);
}

/// Calls `take` for each pair of the table at the top of the stack: the value is at the top, its
/// key below.
void each_pair(lua_State* lua, const std::string& option, const std::string& example,
               const std::function<void(const std::string& key)>& take) {
  if (lua_type(lua, -1) != LUA_TTABLE) refuse_option(option, "is a table: " + example);
  for (lua_pushnil(lua); lua_next(lua, -2) != 0; lua_pop(lua, 1)) {
    if (lua_type(lua, -2) != LUA_TSTRING)
      refuse_option(option, "has a key without a name: " + example);
    take(lua_tostring(lua, -2));
  }
}

/// A program of a host can have no capability that would reach the machine.
void read_capabilities(lua_State* lua, lab::ProgramOptions& options) {
  if (lua_type(lua, -1) != LUA_TTABLE)
    refuse_option("capabilities", "is a list: { \"CAP_NET_ADMIN\" }");
  for (lua_Integer i = 1; lua_geti(lua, -1, i) != LUA_TNIL; ++i, lua_pop(lua, 1)) {
    const char* name = lua_tostring(lua, -1);
    if (name == nullptr || std::string(name) != kNetAdmin)
      refuse_option("capabilities",
                    std::string("cannot have ") + (name == nullptr ? "that" : name) +
                        ": a program can have CAP_NET_ADMIN only; tcplab run --trust "
                        "gives it all");
    options.privileges = netns::Privileges::net_admin;
  }
  lua_pop(lua, 1);
}

void read_environment(lua_State* lua, lab::ProgramOptions& options) {
  each_pair(lua, "env", "{ PGDATA = \"/tmp/data\" }", [&](const std::string& name) {
    if (name.empty() || name.find('=') != std::string::npos)
      refuse_option("env", "has the name \"" + name + "\", which is no name of a variable");
    if (lua_isstring(lua, -1) == 0) refuse_option("env", "has a " + name + " that is no text");
    options.environment.emplace_back(name, lua_tostring(lua, -1));
  });
}

void read_limits(lua_State* lua, lab::ProgramOptions& options) {
  each_pair(lua, "limits", "{ nofile = 64 }", [&](const std::string& name) {
    if (lua_isinteger(lua, -1) == 0 || lua_tointeger(lua, -1) < 0)
      refuse_option("limits", "has a " + name + " that is no whole number of at least 0");
    options.limits.push_back(lab::limit_named(name, static_cast<rlim_t>(lua_tointeger(lua, -1))));
  });
}

/// The text at the top of the stack, or the list of texts. `wanted`: what they are.
std::vector<std::string> one_or_several(lua_State* lua, const std::string& option,
                                        const std::string& wanted) {
  std::vector<std::string> texts;
  if (lua_type(lua, -1) == LUA_TTABLE) {
    for (lua_Integer i = 1; lua_geti(lua, -1, i) != LUA_TNIL; ++i, lua_pop(lua, 1)) {
      if (lua_type(lua, -1) != LUA_TSTRING) refuse_option(option, wanted);
      texts.emplace_back(lua_tostring(lua, -1));
    }
    lua_pop(lua, 1);
  } else if (lua_type(lua, -1) == LUA_TSTRING) {
    texts.emplace_back(lua_tostring(lua, -1));
  }
  if (texts.empty()) refuse_option(option, wanted);
  return texts;
}

/// Reads which failing calls are meant: FailingCalls.
std::vector<std::string> failing_calls(lua_State* lua, const std::string& option) {
  std::vector<std::string> errnos =
      one_or_several(lua, option, "is the name of an errno, \"any\", or a list of them");
  const capture::FailingCalls checked("option `" + option + "`", errnos);
  return errnos;
}

void read_probes(lua_State* lua, lab::ProgramOptions& options) {
  options.probes =
      one_or_several(lua, "probes", "is a USDT probe, \"PROVIDER:NAME\", or a list of them");
  const capture::ProbeChoice checked("option `probes`", options.probes);
}

void read_folder(lua_State* lua, lab::ProgramOptions& options) {
  options.folder = text(lua, "cwd");
  if (options.folder.front() != '/') refuse_option("cwd", "is a path that begins with a slash");
}

const std::vector<std::pair<const char*, Reader>>& readers() {
  static const std::vector<std::pair<const char*, Reader>> kReaders = {
      {"watch", [](auto* lua, auto& options) { options.watch = truth(lua, "watch"); }},
      {"capabilities", read_capabilities},
      {"user_namespaces",
       [](auto* lua, auto& options) { options.user_namespaces = truth(lua, "user_namespaces"); }},
      {"as", [](auto* lua, auto& options) { options.user = text(lua, "as"); }},
      {"env", read_environment},
      {"cwd", read_folder},
      {"name", [](auto* lua, auto& options) { options.name = text(lua, "name"); }},
      {"limits", read_limits},
      {"tty", [](auto* lua, auto& options) { options.has_terminal = truth(lua, "tty"); }},
      {"stack", [](auto* lua, auto& options) { options.stacks = failing_calls(lua, "stack"); }},
      {"abort_on",
       [](auto* lua, auto& options) { options.abort_on = failing_calls(lua, "abort_on"); }},
      {"probes", read_probes},
      {"inject",
       [](auto* lua, auto& options) { options.injections = listed_injections(lua, -1); }}};
  return kReaders;
}

/// Reads the options in the table at that place of the stack.
lab::ProgramOptions read_options(lua_State* lua, int index) {
  lab::ProgramOptions options;
  for (const auto& [name, read] : readers()) {
    if (lua_getfield(lua, index, name) != LUA_TNIL) read(lua, options);
    lua_pop(lua, 1);
  }
  return options;
}

/// Only the tracer sees stacks and probes, aborts programs and changes calls.
ProgramCall checked(ProgramCall wanted) {
  const lab::ProgramOptions& options = wanted.options;
  std::string option;
  if (!options.injections.empty()) option = "inject";
  if (!options.probes.empty()) option = "probes";
  if (!options.abort_on.empty()) option = "abort_on";
  if (!options.stacks.empty()) option = "stack";
  if (option.empty()) return wanted;
  if (wanted.command.front() == "dnc")
    refuse_option(option, "is not for dnc, which makes and records its calls itself");
  if (!options.watch) refuse_option(option, "needs the tracer; remove `watch = false`");
  return wanted;
}

/// Returns the words in the list at that place of the stack.
std::vector<std::string> listed_words(lua_State* lua, int index) {
  std::vector<std::string> words;
  for (lua_Integer i = 1; lua_geti(lua, index, i) != LUA_TNIL; ++i, lua_pop(lua, 1)) {
    if (const void* host = luaL_testudata(lua, -1, LuaHost::kLuaName))
      words.push_back(static_cast<const LuaHost*>(host)->host->name());
    else if (lua_isstring(lua, -1) != 0)
      words.emplace_back(luaL_tolstring(lua, -1, nullptr)), lua_pop(lua, 1);
    else
      throw base::UsageError("word " + std::to_string(i) +
                             " of the command is no text, number or host");
  }
  lua_pop(lua, 1);
  if (words.empty() || words.front().empty())
    throw base::UsageError("the command is empty; write host:run{ \"program\", \"argument\" }");
  return words;
}

}  // namespace

const LuaTable& run_options() {
  static const LuaTable kOptions = {
      "run_options",
      "",
      {{"watch?", "boolean", "false: do not record its calls; needed for strace and debuggers"},
       {"as?", "string", "the user of this machine whose uid and groups it gets"},
       {"env?", "table<string, string|number>", "variables to add to its environment"},
       {"cwd?", "string", "its working folder; tcplab's by default"},
       {"name?", "string", "on the timeline; its file name by default"},
       {"limits?", "table<string, integer>", "getrlimit(2): as, core, cpu, nofile, nproc, ..."},
       {"tty?", "boolean", "true: gives it a terminal instead of pipes"},
       {"stack?", "string|string[]", "which failing calls have their stack: an errno, or any"},
       {"abort_on?", "string|string[]", "aborts it at such a failing call: an errno, or any"},
       {"probes?", "string|string[]", "USDT probes that become events: PROVIDER:NAME"},
       {"inject?", "first_injection|first_injection[]", "changes its calls, from the first one on"},
       {"capabilities?", "string[]", "more than those of a server; CAP_NET_ADMIN only"},
       {"user_namespaces?", "boolean", "true: lets it make user namespaces"}}};
  return kOptions;
}

const LuaTable& run_command() {
  static const LuaTable kCommand = {"run_command",
                                    "A command as a list, with its options.",
                                    {{"[integer]", "string|number|host", "its words"}},
                                    &run_options()};
  return kCommand;
}

ProgramCall listed_program(lua_State* lua, int index) {
  return checked({listed_words(lua, index), read_options(lua, index)});
}

ProgramCall program_call(LuaCall& call) {
  const int first = lua_absindex(call.lua, -call.count());
  if (call.count() > 0 && lua_type(call.lua, first) == LUA_TTABLE) {
    call.allow_options(1, run_command());
    if (call.has(2)) throw base::UsageError("write host:run{ ... } with nothing after the braces");
    return listed_program(call.lua, first);
  }
  ProgramCall wanted;
  if (call.count() >= 2 && lua_type(call.lua, -1) == LUA_TTABLE) {
    call.allow_options(call.count(), run_options());
    wanted.options = read_options(call.lua, lua_absindex(call.lua, -1));
    lua_pop(call.lua, 1);
  }
  call.text(1, "the program");
  wanted.command = command_words(call, 1);
  return checked(std::move(wanted));
}

}  // namespace tcplab::app
