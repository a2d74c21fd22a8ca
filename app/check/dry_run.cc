#include "app/check/dry_run.hh"

#include <algorithm>
#include <map>
#include <set>

#include "app/check/dry_network.hh"
#include "app/check/unknown_value.hh"
#include "app/check/value_check.hh"
#include "app/check/verb_check.hh"
#include "app/script/lua_binding.hh"
#include "app/script/script_error.hh"
#include "base/error.hh"

namespace tcplab::app {

namespace {

constexpr int kMostCalls = 20'000;  // of verbs: a loop that waits for an unknown value ends
constexpr const char* kDirection = "direction";
constexpr const char* kDirectionOrLink = "direction_or_link";
char stop_value = 0;  // its address is the error that ends a dry run

bool is_stop(lua_State* lua) { return lua_touserdata(lua, -1) == &stop_value; }

int do_nothing(lua_State*) { return 0; }

template <typename Value>
const Value& upvalue(lua_State* lua, int index) {
  return *static_cast<const Value*>(lua_touserdata(lua, lua_upvalueindex(index)));
}

class DryRun : public LuaOwner {
public:
  DryRun(Script& script, const LuaInterface& interface, const DryRunSettings& settings)
      : script_(script),
        lua_(script.sandbox().state()),
        interface_(interface),
        settings_(settings),
        values_(interface),
        verbs_(values_) {
    set_owner(lua_, *this);
    values_.on_words = [this](const LuaWords& words, const std::string& text) {
      return complaint_of_words(words, text);
    };
    unknown_.on_use = [this] { is_certain_ = false; };
    unknown_.compare = [this](lua_State* lua) { return compare(lua); };
  }

  DryRunResult run();

private:
  static DryRun& of(lua_State* lua) { return static_cast<DryRun&>(LuaCall(lua, true).owner()); }

  static int call_verb(lua_State* lua);
  static int read_field(lua_State* lua);
  static int use_unknown_name(lua_State* lua);
  static int tell_text(lua_State* lua);
  static int raise_error(lua_State* lua);
  static int assert_value(lua_State* lua);
  static int guard(lua_State* lua);

  void install();
  void install(const LuaClass& kind);
  void failed(lua_State* thread, int status);

  int call(lua_State* lua, const LuaClass& kind, const LuaVerb& verb);
  std::string complaint(lua_State* lua, const LuaVerb& verb, const Signature& signature);
  void call_functions(lua_State* lua);
  int push_result(lua_State* lua, const LuaClass& kind, std::string_view result);
  int push_field(lua_State* lua, const LuaField& field);

  std::string complaint_of_words(const LuaWords& words, const std::string& text);
  bool compare(lua_State* lua);
  void report(lua_State* lua, const std::string& what);
  [[noreturn]] void stop(lua_State* lua);

  void call_failed(const std::exception&) override {}

  Script& script_;
  lua_State* lua_;
  const LuaInterface& interface_;
  const DryRunSettings& settings_;
  ValueCheck values_;
  VerbCheck verbs_;
  UnknownValues unknown_;
  DryNetwork network_;
  DryRunResult result_;
  std::map<int, bool> answers_;  // to the last comparison in each line
  bool is_certain_ = true;       // nothing has depended on an unknown value
  int guards_ = 0;               // pcalls around the code that runs
  int calls_ = 0;
};

DryRunResult DryRun::run() {
  install();
  lua_State* thread = script_.start();
  push_dry_object(thread, "lab");
  const int arguments = 1 + script_.push_case(thread);
  int results = 0;
  int status = LUA_OK;
  {
    const Sandbox::Running limited(script_.sandbox(), thread);
    status = lua_resume(thread, lua_, arguments, &results);
  }
  if (status != LUA_OK) failed(thread, status);
  return std::move(result_);
}

void DryRun::install() {
  for (const LuaClass& kind : interface_.classes()) install(kind);
  install_unknown_values(lua_, unknown_);
  lua_register(lua_, "error", raise_error);
  lua_register(lua_, "assert", assert_value);
  lua_register(lua_, "pcall", guard);
}

void DryRun::install(const LuaClass& kind) {
  const auto push_pointer = [this](const void* to) {
    lua_pushlightuserdata(lua_, const_cast<void*>(to));
  };
  const auto push_verb = [&](const LuaVerb& verb) {
    push_pointer(&kind);
    push_pointer(&verb);
    lua_pushcclosure(lua_, call_verb, 2);
  };
  const auto push_field = [&](const LuaField& field) {
    push_pointer(&field);
    lua_pushcclosure(lua_, read_field, 1);
  };
  const auto push_unknown = [&] {
    push_pointer(&kind);
    lua_pushcclosure(lua_, use_unknown_name, 1);
  };
  const auto push_text = [&] {
    push_pointer(&kind);
    lua_pushcclosure(lua_, tell_text, 1);
  };
  register_class(lua_, kind, {push_verb, push_field, push_unknown, push_text, do_nothing});
}

void DryRun::failed(lua_State* thread, int status) {
  if (is_stop(thread)) return;
  const std::string& file = script_.info().file;
  if (!is_certain_)
    result_.stopped_at = line_of_error(thread);
  else if (status == LUA_ERRMEM)
    result_.errors.push_back(place_in(thread, file) + std::string(kNoMemory));
  else
    result_.errors.push_back(error_text(thread, file));
}

// What Lua calls.

int DryRun::call_verb(lua_State* lua) {
  return of(lua).call(lua, upvalue<LuaClass>(lua, 1), upvalue<LuaVerb>(lua, 2));
}

int DryRun::read_field(lua_State* lua) {
  return of(lua).push_field(lua, upvalue<LuaField>(lua, 1));
}

int DryRun::use_unknown_name(lua_State* lua) {
  of(lua).report(lua, unknown_name(upvalue<LuaClass>(lua, 1), stable_text(lua, 2)));
  return push_unknown_value(lua);
}

/// The text of an object: the class is known, and the rest is up to the run.
int DryRun::tell_text(lua_State* lua) {
  of(lua).is_certain_ = false;
  lua_pushstring(lua, upvalue<LuaClass>(lua, 1).name);
  return 1;
}

/// error(): a claim of the script about values, or a mistake that a run shows.
int DryRun::raise_error(lua_State* lua) {
  if (of(lua).guards_ == 0) of(lua).stop(lua);
  const auto level = static_cast<int>(luaL_optinteger(lua, 2, 1));
  lua_settop(lua, 1);
  if (lua_type(lua, 1) == LUA_TSTRING && level > 0) {
    luaL_where(lua, level);
    lua_insert(lua, 1);
    lua_concat(lua, 2);
  }
  return lua_error(lua);
}

int DryRun::assert_value(lua_State* lua) {
  luaL_checkany(lua, 1);
  if (lua_toboolean(lua, 1) != 0) return lua_gettop(lua);
  if (of(lua).guards_ == 0) of(lua).stop(lua);
  lua_remove(lua, 1);
  lua_pushliteral(lua, "assertion failed!");
  lua_settop(lua, 1);
  return lua_error(lua);
}

/// pcall(): a script that expects an error gets it, and it is no mistake.
int DryRun::guard(lua_State* lua) {
  luaL_checkany(lua, 1);
  ++of(lua).guards_;
  const int status = lua_pcall(lua, lua_gettop(lua) - 1, LUA_MULTRET, 0);
  --of(lua).guards_;
  if (status != LUA_OK && is_stop(lua)) return lua_error(lua);
  lua_pushboolean(lua, status == LUA_OK ? 1 : 0);
  lua_insert(lua, 1);
  return lua_gettop(lua);
}

int DryRun::call(lua_State* lua, const LuaClass& kind, const LuaVerb& verb) {
  if (++calls_ > kMostCalls) stop(lua);
  const std::string title = std::string(kind.name) + ":" + verb.name;
  if (luaL_testudata(lua, 1, kind.name) == nullptr) {
    if (!is_unknown_value(lua, 1)) report(lua, "call it with a colon: " + title + "()");
    return push_unknown_value(lua);
  }
  const Signature signature = signature_of(verb, lua_gettop(lua) - 1);
  const std::string wrong = complaint(lua, verb, signature);
  if (!wrong.empty()) report(lua, title + ": " + wrong);
  if (verb.ends_run) stop(lua);
  call_functions(lua);
  if (title == "lab:since") {
    lua_pushboolean(lua, settings_.has_new_kernel ? 1 : 0);
    return 1;
  }
  int pushed = 0;
  for (const std::string& result : signature.results) pushed += push_result(lua, kind, result);
  return pushed;
}

std::string DryRun::complaint(lua_State* lua, const LuaVerb& verb, const Signature& signature) {
  std::string wrong = verbs_.complaint(lua, signature, !is_certain_);
  if (!wrong.empty() || !is_certain_ || verb.check == nullptr) return wrong;
  const int top = lua_gettop(lua);
  try {
    LuaCall arguments(lua, true);
    verb.check(arguments);
  } catch (const base::UsageError& error) {
    wrong = error.what();
  }
  lua_settop(lua, top);
  return wrong;
}

/// Runs the functions among the arguments of a verb, as the run may do later. One that ends the
/// check, by error() say, ends only itself.
void DryRun::call_functions(lua_State* lua) {
  for (int index = 2, last = lua_gettop(lua); index <= last; ++index) {
    if (!lua_isfunction(lua, index)) continue;
    const int stopped_at = result_.stopped_at;
    lua_pushvalue(lua, index);
    push_unknown_value(lua);
    if (lua_pcall(lua, 1, 0, 0) == LUA_OK) continue;
    if (!is_stop(lua)) lua_error(lua);
    lua_pop(lua, 1);
    result_.stopped_at = stopped_at;
  }
}

int DryRun::push_result(lua_State* lua, const LuaClass& kind, std::string_view result) {
  if (result == "host ...") return network_.push_list(lua, 2);
  if (result == "table<string, host>") return network_.push_table(lua, 2);
  const std::string type(result.substr(0, result.find(' ')));
  if (type == kind.name) {
    lua_pushvalue(lua, 1);
    return 1;
  }
  if (interface_.find_class(type) != nullptr) {
    if (type == "host" && type != result)
      network_.add_host(std::string(result.substr(type.size() + 1)));
    return push_dry_object(lua, type.c_str());
  }
  // A script reads the fields of an event; it may use any other value at once.
  if (type != "event") is_certain_ = false;
  return push_unknown_value(lua);
}

int DryRun::push_field(lua_State* lua, const LuaField& field) {
  if (field.is_constant) {
    LuaCall call(lua, true);
    return field.function(call);
  }
  const std::string_view name = field.name;
  if (name == "family") lua_pushinteger(lua, settings_.family == base::Family::ipv4 ? 4 : 6);
  if (name == "timers") lua_pushstring(lua, settings_.timers.c_str());
  if (name == "family" || name == "timers") return 1;
  is_certain_ = false;
  return push_unknown_value(lua);
}

std::string DryRun::complaint_of_words(const LuaWords& words, const std::string& text) {
  const std::string_view name = words.name;
  if (name != kDirection && name != kDirectionOrLink) return "";
  const std::string wrong = network_.complaint_of_direction(text, name == kDirectionOrLink);
  return wrong.empty() ? "" : "is wrong: " + wrong;
}

bool DryRun::compare(lua_State* lua) {
  const auto [answer, is_first] =
      answers_.try_emplace(LuaCall(lua, false).line(), settings_.first_comparison);
  if (!is_first) answer->second = !answer->second;
  return answer->second;
}

/// Inside a pcall the script gets the error, as in a run.
void DryRun::report(lua_State* lua, const std::string& what) {
  const std::string text = place_in(lua, script_.info().file) + what;
  is_certain_ = false;
  if (guards_ > 0) {
    lua_pushlstring(lua, text.data(), text.size());
    lua_error(lua);
  }
  if (std::ranges::find(result_.errors, text) == result_.errors.end())
    result_.errors.push_back(text);
}

void DryRun::stop(lua_State* lua) {
  result_.stopped_at = LuaCall(lua, true).line();
  lua_pushlightuserdata(lua, &stop_value);
  lua_error(lua);
  throw base::LabError("Lua has not raised the error");  // lua_error() does not return
}

void add_new(std::vector<std::string>& to, const std::vector<std::string>& more) {
  for (const std::string& text : more)
    if (std::ranges::find(to, text) == to.end()) to.push_back(text);
}

std::vector<DryRunSettings> all_settings(const ScriptInfo& info) {
  std::vector<DryRunSettings> all;
  for (const base::Family family : info.families) {
    all.push_back({.family = family, .timers = "fast", .first_comparison = true});
    all.push_back(
        {.family = family, .timers = "stock", .has_new_kernel = false, .first_comparison = false});
  }
  return all;
}

}  // namespace

DryRunResult dry_run(Script& script, const LuaInterface& interface,
                     const DryRunSettings& settings) {
  return DryRun(script, interface, settings).run();
}

DryRunResult check_uses(const std::string& file, const LuaInterface& interface,
                        const std::function<void()>& before_case) {
  DryRunResult all;
  bool came_to_end = false;
  const Script loaded(file);
  for (const DryRunSettings& settings : all_settings(loaded.info())) {
    for (const ScriptInfo& scenario : loaded.scenarios()) {
      before_case();
      Script script(file);
      script.choose_case(scenario.case_name);
      const DryRunResult one = dry_run(script, interface, settings);
      add_new(all.errors, one.errors);
      came_to_end = came_to_end || one.stopped_at == 0;
      all.stopped_at = std::max(all.stopped_at, one.stopped_at);
    }
  }
  if (came_to_end) all.stopped_at = 0;
  return all;
}

}  // namespace tcplab::app
