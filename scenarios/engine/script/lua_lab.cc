#include "scenarios/engine/script/lua_lab.hh"

#include <chrono>

#include "base/error.hh"
#include "scenarios/engine/script/experiment.hh"

namespace tcplab::engine {

using namespace std::chrono_literals;

using capture::ActionVerb;

namespace {

constexpr int kIdleScale = 1000;  // fast timers: a minute of idleness is 60 ms
constexpr base::nanoseconds kShortestIdle = 50ms;

int push_hosts(LuaCall& call, const std::vector<std::string>& names, const HostOptions& options) {
  const auto hosts = call.experiment().laboratory().make_hosts(one_link(names), options);
  luaL_checkstack(call.lua, static_cast<int>(hosts.size()), "hosts");
  for (LabHost* host : hosts) push_object(call.lua, LuaHost{host});
  return static_cast<int>(hosts.size());
}

/// lab:pair{ neighbours = "learnt", sysctls = { ... } } -> kang, kodos
int lab_pair(LuaCall& call) {
  call.allow_options(1, {"neighbours", "sysctls"});
  return push_hosts(call, {"kang", "kodos"}, host_options(call, 1));
}

/// lab:hosts({ "kang", "kodos", "krusty" }, { ... }) -> a host for each name
int lab_hosts(LuaCall& call) {
  if (!lua_istable(call.lua, 2))
    throw base::UsageError("lab:hosts wants a list of names: lab:hosts{ \"kang\", \"kodos\" }");
  std::vector<std::string> names;
  for (lua_Integer i = 1; i <= luaL_len(call.lua, 2); ++i) {
    if (lua_geti(call.lua, 2, i) != LUA_TSTRING)
      throw base::UsageError("lab:hosts: name " + std::to_string(i) + " is not a text");
    names.emplace_back(lua_tostring(call.lua, -1));
    lua_pop(call.lua, 1);
  }
  call.allow_options(2, {"neighbours", "sysctls"});
  return push_hosts(call, names, host_options(call, 2));
}

int wait_span(LuaCall& call, base::nanoseconds span) {
  Experiment& experiment = call.experiment();
  return experiment.suspend_from_now(
      std::make_unique<TimeWait>(experiment.laboratory().clock().now() + span));
}

/// lab:wait(seconds): that time passes, whatever the timers are.
int lab_wait(LuaCall& call) {
  const base::nanoseconds span = call.span(1, "how long");
  call.experiment().act({.verb = ActionVerb::wait, .span = span, .line = call.line()});
  return wait_span(call, span);
}

/// lab:idle(seconds): the story lets nothing happen for that long. A thousandth of it under fast
/// timers: nothing in the kernel depends on how long an idle connection idles.
int lab_idle(LuaCall& call) {
  const base::nanoseconds told = call.span(1, "how long");
  Experiment& experiment = call.experiment();
  const bool fast = experiment.laboratory().config().timers == TimerProfile::fast;
  const base::nanoseconds span = fast ? std::max(told / kIdleScale, kShortestIdle) : told;
  experiment.act({.verb = ActionVerb::idle,
                  .span = span,
                  .story_span = fast ? told : base::nanoseconds{},
                  .line = call.line()});
  return wait_span(call, span);
}

int lab_say(LuaCall& call) {
  call.experiment().laboratory().timeline().append(call.experiment().laboratory().clock().now(),
                                                   capture::Note{.text = call.text(1, "the text")});
  return call.push_nothing();
}

int lab_skip(LuaCall& call) { throw Skip(call.text(1, "the reason")); }

int lab_now(LuaCall& call) {
  Laboratory& laboratory = call.experiment().laboratory();
  return call.push(
      std::chrono::duration<double>(laboratory.clock().now() - laboratory.started()).count());
}

void set_constant(lua_State* lua, const char* name, double value) {
  lua_pushnumber(lua, value);
  lua_setfield(lua, -2, name);
}

}  // namespace

HostOptions host_options(const LuaCall& call, int index) {
  HostOptions options;
  const std::string neighbours = call.option_text(index, "neighbours").value_or("known");
  if (neighbours != "known" && neighbours != "learnt")
    throw base::UsageError("option `neighbours` is \"known\" or \"learnt\"");
  options.learn_neighbours = neighbours == "learnt";
  if (!call.has(index)) return options;
  if (lua_getfield(call.lua, index + 1, "sysctls") == LUA_TTABLE) {
    for (lua_pushnil(call.lua); lua_next(call.lua, -2) != 0; lua_pop(call.lua, 1)) {
      if (lua_type(call.lua, -2) != LUA_TSTRING || lua_tostring(call.lua, -1) == nullptr)
        throw base::UsageError("option `sysctls` maps names to values");
      lua_pushvalue(call.lua, -1);
      options.sysctls.emplace_back(lua_tostring(call.lua, -3), lua_tostring(call.lua, -1));
      lua_pop(call.lua, 1);
    }
  }
  lua_pop(call.lua, 1);
  return options;
}

void install_lab(lua_State* lua, Experiment& experiment) {
  register_class<LuaLab>(lua, {{"pair", lab_pair},
                               {"hosts", lab_hosts},
                               {"network", lab_network},
                               {"wait", lab_wait},
                               {"idle", lab_idle},
                               {"say", lab_say},
                               {"skip", lab_skip},
                               {"now", lab_now},
                               {"timer", lab_timer},
                               {"lose", lab_lose},
                               {"cut", lab_cut},
                               {"hold", lab_hold},
                               {"connection", lab_connection},
                               {"forge", lab_forge},
                               {"icmp", lab_icmp},
                               {"delay", lab_delay},
                               {"limit", lab_limit},
                               {"duplicate", lab_duplicate},
                               {"reorder", lab_reorder},
                               {"mtu", lab_mtu},
                               {"corrupt", lab_corrupt},
                               {"truncate", lab_truncate},
                               {"lift", lab_lift},
                               {"expect", lab_expect},
                               {"never", lab_never},
                               {"expect_packet", lab_expect_packet},
                               {"never_packet", lab_never_packet},
                               {"expect_time", lab_expect_time},
                               {"expect_between", lab_expect_between}});
  const LaboratoryConfig& config = experiment.laboratory().config();
  push_methods(lua, LuaLab::kLuaName);
  set_constant(lua, "millisecond", 1e-3);
  set_constant(lua, "second", 1);
  set_constant(lua, "minute", 60);
  set_constant(lua, "hour", 3600);
  lua_pushinteger(lua, config.family == base::Family::ipv4 ? 4 : 6);
  lua_setfield(lua, -2, "family");
  const std::string timers(name(config.timers));
  lua_pushlstring(lua, timers.data(), timers.size());
  lua_setfield(lua, -2, "timers");
  lua_pop(lua, 1);
  install_hosts(lua);
  install_programs(lua);
  install_faults(lua);
  install_connections(lua);
  install_expectations(lua);
}

void push_lab(lua_State* lua) { push_object(lua, LuaLab{}); }

}  // namespace tcplab::engine
