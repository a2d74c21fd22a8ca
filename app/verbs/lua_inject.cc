// program:inject: system calls of a program that fail, are short or are late because the script
// says so.
#include "app/programs/injection_rule.hh"
#include "app/script/lua_objects.hh"
#include "app/script/script_context.hh"
#include "app/verbs/lua_modules.hh"
#include "base/error.hh"
#include "capture/event/call_names.hh"

namespace tcplab::app {

using capture::ActionVerb;
using capture::InjectionRule;

namespace {

constexpr int kRuleAt = 2;

/// A rule that a script has made.
struct LuaInjection {
  static constexpr const char* kLuaName = "injection";
  lab::LabProgram* program;
  capture::InjectionId id;
  InjectionRule rule;
  bool is_removed = false;
};

const LuaTable kInjectionOptions = {"injection_options",
                                    "",
                                    {{"on?", "connection", "calls on this connection only"}},
                                    &injection_rule_options()};

lab::GivenInjection read_rule(const LuaCall& call) {
  const std::string name = call.text(1, "the call's name");
  if (!call.has(kRuleAt))
    throw base::UsageError(
        "say what happens to the call: client:inject(\"recv\", { errno = "
        "\"EINTR\" })");
  call.allow_options(kRuleAt, kInjectionOptions);
  if (call.has_option(kRuleAt, "on") && !capture::is_about_connection(name))
    refuse_option(
        "on", "is for calls on one connection, as recv and send; " + name + " is not about one");
  return injection_rule(call, kRuleAt, name);
}

/// In a dry run, some options may be values that only a run knows.
void check_inject(LuaCall& call) {
  for (const LuaParameter& option : injection_rule_options().fields) {
    const bool is_known =
        !call.has(kRuleAt) ||
        call.push_field(kRuleAt, std::string(plain_name(option)).c_str()) != LUA_TUSERDATA;
    lua_settop(call.lua, kRuleAt + 1);
    if (!is_known) return;
  }
  read_rule(call);
}

void take_connection(const LuaCall& call, const lab::LabProgram& program, InjectionRule& rule) {
  if (!call.has_option(kRuleAt, "on")) return;
  call.push_field(kRuleAt, "on");
  const auto* connection =
      static_cast<const LuaConnection*>(luaL_testudata(call.lua, -1, LuaConnection::kLuaName));
  if (connection == nullptr) refuse_option("on", "is a connection, as lab:connection returns it");
  if (connection->host->name() != program.host())
    throw base::UsageError("that is a connection of " + connection->host->name() + ", and " +
                           program.title() + " runs on " + program.host());
  rule.local = connection->key.local;
  rule.remote = connection->key.remote;
  lua_pop(call.lua, 1);
}

/// Throws base::UsageError if the calls of the program cannot be changed.
void require_traced(const lab::LabProgram& program) {
  if (!program.running())
    throw base::UsageError(program.title() + " " + program.ending() +
                           ", so it makes no more calls; inject before its end");
  if (program.calls().is_traced()) return;
  throw base::UsageError(
      "nothing can be injected into " + program.title() +
      (program.calls().are_recorded()
           ? ": dnc makes and records its calls itself; start another program with host:run"
           : ": its calls are not traced; start it without `watch = false`"));
}

void act(LuaCall& call, ActionVerb verb, const lab::LabProgram& program,
         const InjectionRule& rule) {
  context_of(call).act({.host = program.host(),
                        .verb = verb,
                        .program = program.name(),
                        .injection = rule,
                        .line = call.line()});
}

int program_inject(LuaCall& call) {
  lab::LabProgram& program = *call.self<LuaProgram>().program;
  lab::GivenInjection given = read_rule(call);
  take_connection(call, program, given.rule);
  require_traced(program);
  act(call, ActionVerb::inject, program, given.rule);
  const capture::InjectionId id = program.calls().injections().add(given);
  return push_object(call.lua, LuaInjection{.program = &program, .id = id, .rule = given.rule});
}

int injection_remove(LuaCall& call) {
  auto& injection = call.self<LuaInjection>();
  if (injection.is_removed) throw base::UsageError("this injection is already removed");
  injection.is_removed = true;
  act(call, ActionVerb::remove, *injection.program, injection.rule);
  injection.program->calls().injections().remove(injection.id);
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
      .tables = {&injection_rule_options(), &kInjectionOptions, &first_injection()},
      .words = {{.name = "injected_call", .words = injected_calls()}}};
}

}  // namespace tcplab::app
