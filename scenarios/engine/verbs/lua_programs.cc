// Programs in scripts: their standard input, and signals.
#include <csignal>

#include "base/error.hh"
#include "scenarios/engine/script/script_context.hh"
#include "scenarios/engine/verbs/lua_modules.hh"
#include "scenarios/engine/verbs/lua_objects.hh"

namespace tcplab::engine {

using capture::ActionVerb;

namespace {

LabProgram& program_of(LuaCall& call) { return *call.self<LuaProgram>().program; }

void act(LuaCall& call, capture::Action action) {
  action.host = program_of(call).host();
  action.program = program_of(call).name();
  action.line = call.line();
  context_of(call).act(std::move(action));
}

int send_signal(LuaCall& call, ActionVerb verb, int signal) {
  act(call, {.verb = verb, .signal = signal});
  if (!program_of(call).signal(signal))
    throw base::UsageError(program_of(call).title() + " has ended already");
  return call.push_self();
}

int program_type(LuaCall& call) {
  const std::string text = call.text(1, "what to type");
  act(call, {.verb = ActionVerb::type, .text = text});
  program_of(call).type(text);
  return call.push_self();
}

int program_close_stdin(LuaCall& call) {
  act(call, {.verb = ActionVerb::close_stdin});
  program_of(call).close_stdin();
  return call.push_self();
}

int signal_argument(LuaCall& call) {
  const std::string name = call.text(1, "the signal");
  const int signal = base::signal_number(name);
  if (signal == 0) throw base::UsageError("there is no signal " + name);
  return signal;
}

int program_stop(LuaCall& call) {
  return send_signal(call, ActionVerb::stop, call.has(1) ? signal_argument(call) : SIGTERM);
}

/// program:signal "SIGUSR1": one that is not meant to end it.
int program_signal(LuaCall& call) {
  return send_signal(call, ActionVerb::signal, signal_argument(call));
}

int program_kill(LuaCall& call) { return send_signal(call, ActionVerb::kill, SIGKILL); }

int program_freeze(LuaCall& call) { return send_signal(call, ActionVerb::freeze, SIGSTOP); }

int program_thaw(LuaCall& call) { return send_signal(call, ActionVerb::thaw, SIGCONT); }

}  // namespace

LuaModule programs_module() {
  return {.classes = {lua_class<LuaProgram>(
              {{"type",
                program_type,
                "Writes text to its standard input.",
                {{"text", "string"}},
                {"program"}},
               {"close_stdin",
                program_close_stdin,
                "Ends its standard input, as Ctrl-D does.",
                {},
                {"program"}},
               {"stop",
                program_stop,
                "Asks it to end with a signal.",
                {{"signal?", "signal_name", "SIGTERM by default"}},
                {"program"}},
               {"signal",
                program_signal,
                "Sends a signal that is not meant to end it.",
                {{"signal", "signal_name"}},
                {"program"}},
               {"kill", program_kill, "Sends SIGKILL; its kernel lives on.", {}, {"program"}},
               {"freeze",
                program_freeze,
                "Sends SIGSTOP: the program does not run, but its kernel does.",
                {},
                {"program"}},
               {"thaw", program_thaw, "Sends SIGCONT.", {}, {"program"}}})},
          .words = {{"signal_name",
                     {"SIGINT", "SIGKILL", "SIGPIPE", "SIGSTOP", "SIGTERM", "SIGUSR1"},
                     true,
                     {},
                     [](const std::string& name) {
                       if (base::signal_number(name) == 0)
                         throw base::UsageError("there is no signal " + name);
                     }}}};
}

}  // namespace tcplab::engine
