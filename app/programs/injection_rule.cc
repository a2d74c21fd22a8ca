#include "app/programs/injection_rule.hh"

#include <chrono>
#include <cmath>

#include "app/script/script_context.hh"
#include "base/error.hh"
#include "base/nearest.hh"
#include "capture/event/call_names.hh"

namespace tcplab::app {

using capture::InjectionRule;

std::vector<std::string> injected_calls() {
  std::vector<std::string> names = call_names();
  std::erase_if(names, [](const std::string& name) { return !capture::is_injectable(name); });
  return names;
}

namespace {

constexpr std::uint32_t kMostCalls = 1'000'000'000;
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 50;
constexpr double kLongestDelay = 3600;  // seconds

std::optional<std::uint64_t> whole(const LuaCall& call, int options, const char* option,
                                   std::uint64_t most) {
  const auto value = call.option_number(options, option);
  if (!value) return std::nullopt;
  if (!(*value >= 1 && *value <= static_cast<double>(most)) || *value != std::floor(*value))
    refuse_option(option, "is a whole number from 1 to " + std::to_string(most));
  return static_cast<std::uint64_t>(*value);
}

std::uint32_t count(const LuaCall& call, int options, const char* option) {
  return static_cast<std::uint32_t>(whole(call, options, option, kMostCalls).value_or(1));
}

base::nanoseconds delay_option(const LuaCall& call, int options) {
  const auto seconds = call.option_number(options, "delay");
  if (!seconds) return {};
  if (!(*seconds > 0 && *seconds <= kLongestDelay))
    refuse_option("delay", "is a number of seconds, more than 0 and at most 3600");
  return base::nanoseconds(std::llround(*seconds * 1e9));
}

int errno_option(const LuaCall& call, int options) {
  const auto name = call.option_text(options, "errno");
  if (!name) return 0;
  if (const int error = base::errno_number(*name); error != 0) return error;
  throw base::UsageError("there is no errno " + *name);
}

std::optional<capture::TcpState> state_option(const LuaCall& call, int options) {
  const auto name = call.option_text(options, "state");
  if (!name) return std::nullopt;
  if (const auto state = capture::tcp_state(*name)) return state;
  throw base::UsageError("there is no TCP state \"" + *name + "\"");
}

bool moves_data(const std::string& call) {
  return capture::receives_data(call) || capture::sends_data(call) || call == "recv" ||
         call == "send";
}

void require_injectable(const std::string& name) {
  if (capture::is_injectable(name)) return;
  const std::vector<std::string> names = injected_calls();
  throw base::UsageError("nothing can be injected into \"" + name + "\"; " +
                         base::nearest_words({names.begin(), names.end()}, name));
}

/// Throws base::UsageError if the options do not go together, or not with the call.
void check_rule(const LuaCall& call, int options, const InjectionRule& rule) {
  if (rule.error == 0 && rule.bytes == 0 && rule.delay.count() == 0)
    throw base::UsageError("say what happens to the call: option `errno`, `bytes` or `delay`");
  if (rule.error != 0 && rule.bytes != 0)
    throw base::UsageError(
        "options `errno` and `bytes` do not go together: a call that fails moves no bytes");
  for (const char* option : {"bytes", "after_bytes"})
    if (call.has_option(options, option) && !moves_data(rule.call))
      refuse_option(option,
                    "is for calls that move data, as recv and send; " + rule.call + " moves none");
  for (const char* option : {"state"})
    if (call.has_option(options, option) && !capture::is_about_connection(rule.call))
      refuse_option(option, "is for calls on one connection, as recv and send; " + rule.call +
                                " is not about one");
}

}  // namespace

const LuaTable& injection_rule_options() {
  static const LuaTable kOptions = {
      "injection_rule",
      "",
      {{"errno?", "errno_name", "the call fails with this errno, and never reaches the kernel"},
       {"bytes?", "integer", "the call moves at most this many bytes: a short read or write"},
       {"delay?", "number", "seconds until the call reaches the kernel"},
       {"nth?", "integer", "acts on the n-th matching call from now on; 1 by default"},
       {"times?", "integer", "acts on this many calls; 1 by default"},
       {"state?", "tcp_state", "calls on a connection in this state only"},
       {"after_bytes?", "integer", "once the socket has received (or sent) at least this many"},
       {"optional?", "boolean", "true: the run passes even if the rule never acts"}}};
  return kOptions;
}

const LuaTable& first_injection() {
  static const LuaTable kOptions = {
      "first_injection",
      "A rule that is in force from the first call of a program on.",
      {{"call", "injected_call", "the name or the family of the calls"}},
      &injection_rule_options()};
  return kOptions;
}

lab::GivenInjection injection_rule(const LuaCall& call, int options, const std::string& name) {
  require_injectable(name);
  InjectionRule rule{.call = name,
                     .error = errno_option(call, options),
                     .bytes = whole(call, options, "bytes", kMostBytes).value_or(0),
                     .delay = delay_option(call, options),
                     .nth = count(call, options, "nth"),
                     .times = count(call, options, "times"),
                     .local = {},
                     .remote = {},
                     .state = state_option(call, options),
                     .after_bytes = whole(call, options, "after_bytes", kMostBytes).value_or(0)};
  check_rule(call, options, rule);
  return {.rule = rule,
          .line = call.line(),
          .is_optional = call.has(options) && call.option_flag(options, "optional", false)};
}

std::vector<lab::GivenInjection> listed_injections(lua_State* lua, int index) {
  index = lua_absindex(lua, index);
  const LuaCall call(lua, false);  // whose arguments are the stack
  const auto read = [&](int table) {
    call.allow_options(table, first_injection());
    const auto name = call.option_text(table, "call");
    if (!name) refuse_option("inject", "says no `call`: { call = \"recv\", errno = \"EINTR\" }");
    return injection_rule(call, table, *name);
  };
  const bool is_list = lua_istable(lua, index) && lua_rawlen(lua, index) != 0;
  if (!is_list) return {read(index)};
  std::vector<lab::GivenInjection> rules;
  for (lua_Integer i = 1; lua_geti(lua, index, i) != LUA_TNIL; ++i, lua_pop(lua, 1))
    rules.push_back(read(lua_gettop(lua)));
  lua_pop(lua, 1);
  return rules;
}

}  // namespace tcplab::app
