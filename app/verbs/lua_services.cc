// Services in scripts: host:service starts a program and waits until it is ready; restart starts it
// again.
#include <chrono>
#include <csignal>

#include "app/programs/service.hh"
#include "app/script/kept_value.hh"
#include "app/script/lua_objects.hh"
#include "app/script/script_context.hh"
#include "app/verbs/lua_modules.hh"
#include "base/error.hh"

namespace tcplab::app {

using capture::ActionVerb;
using namespace std::chrono_literals;

namespace {

constexpr double kReadyWithin = 10;  // seconds, unless the script says
constexpr double kLongestStart = 3600;
constexpr base::nanoseconds kEndsWithin = 10s;
constexpr base::nanoseconds kAskWorkersEvery = 5ms;  // no event reports the end of a worker
constexpr const char* kOneOf =
    "option `ready` has one of `port`, `prints` and `run`: ready = { port = 5432 }";

const LuaTable& ready_when() {
  static const LuaTable kReady = {
      "ready_when",
      "When a service is ready: one of port, prints and run.",
      {{"port?", "integer", "a socket on the host listens on this port", kPortRange},
       {"prints?", "string", "it writes this, on standard output or standard error"},
       {"run?", "run_command", "this program exits with 0; it is started until it does"},
       {"within?", "number", "seconds; 10 by default", {0, kLongestStart, "seconds"}}}};
  return kReady;
}

const LuaTable& service_command() {
  static const LuaTable kService = {
      "service_command",
      "A command as a list, with its options, and when it is ready.",
      {{"ready", "ready_when", "the verb returns then"},
       {"stop?", "signal_name", "the signal that stops it; SIGTERM by default"}},
      &run_command()};
  return kService;
}

/// Reads the command `run` of the table. Without a run, hosts among its words have no names.
ProgramCall read_check(lua_State* lua, int table, bool is_run) {
  ProgramCall check;
  if (const int type = lua_getfield(lua, table, "run"); type == LUA_TTABLE) {
    check = is_run ? listed_program(lua, lua_gettop(lua)) : ProgramCall{{"?"}, {}};
    check.options.watch = false;
  } else if (type != LUA_TNIL) {
    throw base::UsageError("option `run` is a command: run = { \"pg_isready\" }");
  }
  lua_pop(lua, 1);
  return check;
}

/// Reads the table `ready` at the top of the stack.
ReadyWhen read_ready(lua_State* lua, bool is_run) {
  LuaCall options(lua, false);
  const int at = lua_gettop(lua);
  if (!lua_istable(lua, at)) throw base::UsageError(kOneOf);
  options.allow_options(at, ready_when());
  ReadyWhen ready;
  if (const auto port = options.option_number(at, "port")) {
    if (!(*port >= 1 && *port <= 65535))
      throw base::UsageError("option `port` is a number from 1 to 65535");
    ready.port = static_cast<std::uint16_t>(*port);
  }
  ready.text = options.option_text(at, "prints").value_or("");
  ready.check = read_check(lua, at, is_run);
  const int count = static_cast<int>(ready.port != 0) + static_cast<int>(!ready.text.empty()) +
                    static_cast<int>(!ready.check.command.empty());
  if (count != 1) throw base::UsageError(kOneOf);
  const double within = options.option_number(at, "within").value_or(kReadyWithin);
  if (!(within > 0 && within <= kLongestStart))
    throw base::UsageError("option `within` is a number of seconds, at most 3600");
  ready.within = base::from_seconds(within);
  return ready;
}

int read_stop_signal(LuaCall& call) {
  const std::string name = call.option_text(1, "stop").value_or("SIGTERM");
  const int signal = base::signal_number(name);
  if (signal == 0) throw base::UsageError("there is no signal " + name);
  return signal;
}

Service read_service(LuaCall& call) {
  if (call.count() != 1 || !lua_istable(call.lua, 2))
    throw base::UsageError(
        "write host:service{ \"program\", \"argument\", ready = { port = 5432 } }");
  call.allow_options(1, service_command());
  Service service{.call = listed_program(call.lua, 2), .stop_signal = read_stop_signal(call)};
  call.push_field(1, "ready");
  service.ready = read_ready(call.lua, true);
  lua_pop(call.lua, 1);
  return service;
}

void check_service(LuaCall& call) {
  call.push_field(1, "ready");
  read_ready(call.lua, false);
  lua_pop(call.lua, 1);
}

int host_service(LuaCall& call) {
  ScriptContext& context = context_of(call);
  const auto service = std::make_shared<Service>(read_service(call));
  service->host = call.self<LuaHost>().host;
  const std::uint64_t since = context.laboratory().timeline().last();
  lab::LabProgram& program = start_service(context, *service);
  return await_ready(context, *service, program, since, call.line(),
                     [&program, service](lua_State* lua) {
                       return push_object(lua, LuaProgram{&program, service});
                     });
}

bool has_ended(const lab::LabProgram& program) {
  return !program.running() && program.processes().empty();
}

Condition::Status end_status(const lab::LabProgram& program, int signal) {
  if (has_ended(program)) return {true, "it has"};
  if (program.signals().is_ignored(signal))
    return {false, "it ignores " + base::signal_name(signal) +
                       "; give host:service another signal: stop = \"SIGINT\""};
  return {false, std::to_string(program.processes().size()) + " of its processes run"};
}

/// Asks it to end, unless its host has lost its power since.
void stop(LuaCall& call, const Service& service, lab::LabProgram& program) {
  if (service.incarnation != service.host->incarnation() || has_ended(program)) return;
  context_of(call).act({.host = program.host(),
                        .verb = ActionVerb::stop,
                        .program = program.name(),
                        .signal = service.stop_signal,
                        .line = call.line()});
  program.signals().send_to_all(service.stop_signal);
}

/// The script's object stands for the new program from then on.
int program_restart(LuaCall& call) {
  ScriptContext& context = context_of(call);
  auto& object = call.self<LuaProgram>();
  lab::LabProgram& old = *object.program;
  const std::shared_ptr<Service> service = object.service;
  if (!service)
    throw base::UsageError(old.title() + " is no service, so it cannot be restarted; start it by " +
                           "host:service{ ... }");
  service->host->machine();  // says it when it is off
  stop(call, *service, old);
  auto ended = context.condition(
      kEndsWithin, old.title() + " ends after " + base::signal_name(service->stop_signal),
      [&old, service] { return end_status(old, service->stop_signal); });
  ended->ask_every = kAskWorkersEvery;
  ended->host = old.host();
  const KeptValue kept(call.lua, 1);
  const int line = call.line();
  return context.suspend_until(
      std::move(ended), line, [&context, &object, service, kept, line](lua_State*) {
        const std::uint64_t since = context.laboratory().timeline().last();
        object.program = &start_service(context, *service);
        return await_ready(context, *service, *object.program, since, line,
                           [kept](lua_State* lua) { return kept.push(lua); });
      });
}

}  // namespace

LuaModule services_module() {
  return {.classes = {lua_class<LuaHost>({{.name = "service",
                                           .function = host_service,
                                           .doc = "Starts a program, and waits until it is ready.",
                                           .parameters = {{"command", "service_command"}},
                                           .results = {"program"},
                                           .check = check_service}}),
                      lua_class<LuaProgram>(
                          {{.name = "restart",
                            .function = program_restart,
                            .doc = "Stops a service, starts it again, and waits until it is ready.",
                            .parameters = {},
                            .results = {"program"}}})},
          .tables = {&service_command(), &ready_when()}};
}

}  // namespace tcplab::app
