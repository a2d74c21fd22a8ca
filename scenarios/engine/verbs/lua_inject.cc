// program:inject: system calls of a program that fail, are short or are late because the script
// says so.
#include <chrono>
#include <cmath>

#include "base/error.hh"
#include "capture/event/call_names.hh"
#include "scenarios/engine/script/nearest.hh"
#include "scenarios/engine/script/script_context.hh"
#include "scenarios/engine/verbs/lua_modules.hh"
#include "scenarios/engine/verbs/lua_objects.hh"

namespace tcplab::engine {

using capture::ActionVerb;
using capture::InjectionRule;

namespace {

constexpr int kOptions = 2;
constexpr std::uint32_t kMostCalls = 1'000'000'000;
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 50;
constexpr double kLongestDelay = 3600;  // seconds

/// A rule that a script has made.
struct LuaInjection {
  static constexpr const char* kLuaName = "injection";
  LabProgram* program;
  capture::InjectionId id;
  InjectionRule rule;
  bool is_removed = false;
};

const LuaTable kInjectionOptions = {
    "injection_options",
    "",
    {{"errno?", "errno_name", "the call fails with this errno, and never reaches the kernel"},
     {"bytes?", "integer", "the call moves at most this many bytes: a short read or write"},
     {"delay?", "number", "seconds until the call reaches the kernel"},
     {"nth?", "integer", "acts on the n-th matching call from now on; 1 by default"},
     {"times?", "integer", "acts on this many calls; 1 by default"},
     {"on?", "connection", "calls on this connection only"},
     {"state?", "tcp_state", "calls on a connection in this state only"},
     {"after_bytes?", "integer", "once the socket has received (or sent) at least this many"}}};

std::vector<std::string> injected_calls() {
  std::vector<std::string> names = call_names();
  std::erase_if(names, [](const std::string& name) { return !capture::is_injectable(name); });
  return names;
}

[[noreturn]] void refuse(const std::string& option, const std::string& what) {
  throw base::UsageError("option `" + option + "` " + what);
}

std::optional<std::uint64_t> whole(const LuaCall& call, const char* option, std::uint64_t most) {
  const auto value = call.option_number(kOptions, option);
  if (!value) return std::nullopt;
  if (!(*value >= 1 && *value <= static_cast<double>(most)) || *value != std::floor(*value))
    refuse(option, "is a whole number from 1 to " + std::to_string(most));
  return static_cast<std::uint64_t>(*value);
}

std::uint32_t count(const LuaCall& call, const char* option) {
  return static_cast<std::uint32_t>(whole(call, option, kMostCalls).value_or(1));
}

base::nanoseconds delay_option(const LuaCall& call) {
  const auto seconds = call.option_number(kOptions, "delay");
  if (!seconds) return {};
  if (!(*seconds > 0 && *seconds <= kLongestDelay))
    refuse("delay", "is a number of seconds, more than 0 and at most 3600");
  return base::nanoseconds(std::llround(*seconds * 1e9));
}

int errno_option(const LuaCall& call) {
  const auto name = call.option_text(kOptions, "errno");
  if (!name) return 0;
  if (const int error = base::errno_number(*name); error != 0) return error;
  throw base::UsageError("there is no errno " + *name);
}

std::optional<capture::TcpState> state_option(const LuaCall& call) {
  const auto name = call.option_text(kOptions, "state");
  if (!name) return std::nullopt;
  if (const auto state = capture::tcp_state(*name)) return state;
  throw base::UsageError("there is no TCP state \"" + *name + "\"");
}

bool has_option(const LuaCall& call, const char* option) {
  const bool has = call.has(kOptions) && call.push_field(kOptions, option) != LUA_TNIL;
  lua_settop(call.lua, kOptions + 1);
  return has;
}

bool moves_data(const std::string& call) {
  return capture::receives_data(call) || capture::sends_data(call) || call == "recv" ||
         call == "send";
}

std::string call_argument(const LuaCall& call) {
  std::string name = call.text(1, "the call's name");
  if (capture::is_injectable(name)) return name;
  const std::vector<std::string> names = injected_calls();
  throw base::UsageError("nothing can be injected into \"" + name + "\"; " +
                         nearest_words({names.begin(), names.end()}, name));
}

/// Throws base::UsageError if the options do not go together, or not with the call.
void check_rule(const LuaCall& call, const InjectionRule& rule) {
  if (rule.error == 0 && rule.bytes == 0 && rule.delay.count() == 0)
    throw base::UsageError("say what happens to the call: option `errno`, `bytes` or `delay`");
  if (rule.error != 0 && rule.bytes != 0)
    throw base::UsageError(
        "options `errno` and `bytes` do not go together: a call that fails moves no bytes");
  for (const char* option : {"bytes", "after_bytes"})
    if (has_option(call, option) && !moves_data(rule.call))
      refuse(option, "is for calls that move data, as recv and send; " + rule.call + " moves none");
  for (const char* option : {"on", "state"})
    if (has_option(call, option) && !capture::is_about_connection(rule.call))
      refuse(option, "is for calls on one connection, as recv and send; " + rule.call +
                         " is not about one");
}

/// Everything but the connection.
InjectionRule read_rule(const LuaCall& call) {
  const std::string name = call_argument(call);
  if (!call.has(kOptions))
    throw base::UsageError(
        "say what happens to the call: client:inject(\"recv\", { errno = "
        "\"EINTR\" })");
  call.allow_options(kOptions, kInjectionOptions);
  InjectionRule rule{.call = name,
                     .error = errno_option(call),
                     .bytes = whole(call, "bytes", kMostBytes).value_or(0),
                     .delay = delay_option(call),
                     .nth = count(call, "nth"),
                     .times = count(call, "times"),
                     .local = {},
                     .remote = {},
                     .state = state_option(call),
                     .after_bytes = whole(call, "after_bytes", kMostBytes).value_or(0)};
  check_rule(call, rule);
  return rule;
}

/// In a dry run, some options may be values that only a run knows.
void check_inject(LuaCall& call) {
  for (const LuaParameter& option : kInjectionOptions.fields) {
    const bool is_known =
        !call.has(kOptions) ||
        call.push_field(kOptions, std::string(plain_name(option)).c_str()) != LUA_TUSERDATA ||
        plain_name(option) == "on";
    lua_settop(call.lua, kOptions + 1);
    if (!is_known) return;
  }
  read_rule(call);
}

void take_connection(const LuaCall& call, const LabProgram& program, InjectionRule& rule) {
  if (!has_option(call, "on")) return;
  call.push_field(kOptions, "on");
  const auto* connection =
      static_cast<const LuaConnection*>(luaL_testudata(call.lua, -1, LuaConnection::kLuaName));
  if (connection == nullptr) refuse("on", "is a connection, as lab:connection returns it");
  if (connection->host->name() != program.host())
    throw base::UsageError("that is a connection of " + connection->host->name() + ", and " +
                           program.title() + " runs on " + program.host());
  rule.local = connection->key.local;
  rule.remote = connection->key.remote;
  lua_pop(call.lua, 1);
}

/// Throws base::UsageError if nobody can change the calls of the program.
void require_traced(const LabProgram& program) {
  if (!program.running())
    throw base::UsageError(program.title() + " " + program.ending() +
                           ", so it makes no more calls; inject before its end");
  if (program.is_traced()) return;
  throw base::UsageError(
      "nothing can be injected into " + program.title() +
      (program.has_recorded_calls()
           ? ": dnc makes and records its calls itself; start another program with host:run"
           : ": nobody watches its calls; start it without `watch = false`"));
}

void act(LuaCall& call, ActionVerb verb, const LabProgram& program, const InjectionRule& rule) {
  context_of(call).act({.host = program.host(),
                        .verb = verb,
                        .program = program.name(),
                        .injection = rule,
                        .line = call.line()});
}

int program_inject(LuaCall& call) {
  LabProgram& program = *call.self<LuaProgram>().program;
  InjectionRule rule = read_rule(call);
  take_connection(call, program, rule);
  require_traced(program);
  act(call, ActionVerb::inject, program, rule);
  const capture::InjectionId id = program.inject(rule);
  return push_object(call.lua, LuaInjection{.program = &program, .id = id, .rule = rule});
}

int injection_remove(LuaCall& call) {
  auto& injection = call.self<LuaInjection>();
  if (injection.is_removed) throw base::UsageError("this injection is already removed");
  injection.is_removed = true;
  act(call, ActionVerb::remove, *injection.program, injection.rule);
  injection.program->remove_injection(injection.id);
  return call.push_nothing();
}

}  // namespace

LuaModule inject_module() {
  return {
      .classes = {lua_class<LuaProgram>(
                      {{.name = "inject",
                        .function = program_inject,
                        .doc = "Changes a system call: an errno, fewer bytes or "
                               "a delay.",
                        .parameters = {{"call", "injected_call"}, {"options", "injection_options"}},
                        .results = {"injection"},
                        .check = check_inject}}),
                  lua_class<LuaInjection>(
                      {{"remove", injection_remove,
                        "Ends the injection; a call that it delays already stays delayed."}})},
      .tables = {&kInjectionOptions},
      .words = {{.name = "injected_call", .words = injected_calls()}}};
}

}  // namespace tcplab::engine
