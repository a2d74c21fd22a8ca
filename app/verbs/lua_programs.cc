// Programs in scripts: their standard input and output, and signals.
#include <csignal>

#include "app/programs/service.hh"
#include "app/script/lua_objects.hh"
#include "app/script/script_context.hh"
#include "app/verbs/lua_modules.hh"
#include "base/error.hh"

namespace tcplab::app {

using capture::ActionVerb;

namespace {

constexpr std::size_t kMostOutput = 16 << 20;  // bytes; a script has 64 MiB

lab::LabProgram& program_of(LuaCall& call) { return *call.self<LuaProgram>().program; }

void act_on_program(LuaCall& call, capture::Action action) {
  action.host = program_of(call).host();
  action.program = program_of(call).name();
  action.line = call.line();
  context_of(call).act(std::move(action));
}

const LuaTable kReachOptions = {
    "reach_options",
    "",
    {{"only?", "\"main\"",
      "the process that the host started; by default, all that it started, too"}}};

/// Throws base::UsageError if the program has ended.
void require_running(LuaCall& call, const std::string& so) {
  const lab::LabProgram& program = program_of(call);
  if (!program.running()) throw base::UsageError(program.title() + " " + program.ending() + so);
}

/// True for { only = "main" } in the options at `index`.
bool is_main_only(LuaCall& call, int index) {
  call.allow_options(index, kReachOptions);
  return call.option_word(index, "only", {"main"}).has_value();
}

/// A program that will not end leaves a note, because nothing else would say so.
void note_ignored(LuaCall& call, int signal) {
  const lab::LabProgram& program = program_of(call);
  if (!program.signals().is_ignored(signal)) return;
  lab::Laboratory& laboratory = context_of(call).laboratory();
  laboratory.timeline().append(
      laboratory.clock().now(),
      capture::Note{program.title() + " ignores " + base::signal_name(signal) +
                    ", so it runs on; kill() ends any program"});
}

int send_signal(LuaCall& call, ActionVerb verb, int signal, bool main_only) {
  lab::LabProgram& program = program_of(call);
  if (main_only || program.processes().empty())
    require_running(call, ", so it gets no signal; write lab:expect(...):still_runs() before it");
  const bool is_named = main_only && verb != ActionVerb::signal;
  act_on_program(call, {.verb = verb, .signal = signal, .value = is_named ? "main" : ""});
  if (verb == ActionVerb::stop) note_ignored(call, signal);
  if (main_only)
    program.signals().send(signal);
  else
    program.signals().send_to_all(signal);
  return call.push_self();
}

int program_type(LuaCall& call) {
  const std::string text = call.text(1, "what to type");
  require_running(call, ", so it reads no text; write lab:expect(...):still_runs() before it");
  act_on_program(call, {.verb = ActionVerb::type, .text = text});
  program_of(call).input().type(text);
  return call.push_self();
}

int program_close_stdin(LuaCall& call) {
  act_on_program(call, {.verb = ActionVerb::close_stdin});
  program_of(call).input().close();
  return call.push_self();
}

int signal_argument(LuaCall& call) {
  const std::string name = call.text(1, "the signal");
  const int signal = base::signal_number(name);
  if (signal == 0) throw base::UsageError("there is no signal " + name);
  return signal;
}

int program_stop(LuaCall& call) {
  const bool has_signal = call.has(1) && !lua_istable(call.lua, 2);
  const auto& service = call.self<LuaProgram>().service;
  const int usual = service ? service->stop_signal : SIGTERM;
  return send_signal(call, ActionVerb::stop, has_signal ? signal_argument(call) : usual,
                     is_main_only(call, has_signal ? 2 : 1));
}

/// program:signal "SIGUSR1": one that is not meant to end it.
int program_signal(LuaCall& call) {
  return send_signal(call, ActionVerb::signal, signal_argument(call), true);
}

/// A program that has ended needs no signal.
int program_kill(LuaCall& call) {
  const bool main_only = is_main_only(call, 1);
  const bool has_ended =
      !program_of(call).running() && (main_only || program_of(call).processes().empty());
  if (has_ended) return call.push_self();
  return send_signal(call, ActionVerb::kill, SIGKILL, main_only);
}

/// Returns what the program has written so far, from the timeline. The timeline may be in a file,
/// so nothing keeps the text.
int program_output(LuaCall& call) {
  const lab::LabProgram& program = program_of(call);
  const std::string stream = call.has(1) ? call.text(1, "the stream") : "stdout";
  if (stream != "stdout" && stream != "stderr")
    throw base::UsageError("a program has no output \"" + stream +
                           "\"; it has \"stdout\" (the "
                           "default) and \"stderr\"");
  std::string text;
  context_of(call).laboratory().timeline().visit_after(0, [&](const capture::Event& event) {
    const auto* wrote = std::get_if<capture::Program>(&event.body);
    if (wrote != nullptr && wrote->host == program.host() && wrote->program == program.name() &&
        wrote->stream == stream)
      text += wrote->text;
    return text.size() <= kMostOutput;
  });
  if (text.size() > kMostOutput)
    throw base::UsageError(program.title() + " has written more than 16 MiB on " + stream +
                           ": too much for a script; use lab:expect(...):prints");
  return call.push(text);
}

int program_freeze(LuaCall& call) {
  return send_signal(call, ActionVerb::freeze, SIGSTOP, is_main_only(call, 1));
}

int program_thaw(LuaCall& call) {
  return send_signal(call, ActionVerb::thaw, SIGCONT, is_main_only(call, 1));
}

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
                "Asks it and all its processes to end, with a signal.",
                {{"signal?", "signal_name", "SIGTERM by default, or the one of its service"},
                 {"options?", "reach_options"}},
                {"program"}},
               {"signal",
                program_signal,
                "Sends its main process a signal that is not meant to end it.",
                {{"signal", "signal_name"}},
                {"program"}},
               {"kill",
                program_kill,
                "Sends SIGKILL to all its processes, unless they have ended; its kernel lives on.",
                {{"options?", "reach_options"}},
                {"program"}},
               {"output",
                program_output,
                "Returns all that it has written so far.",
                {{"stream?", "\"stdout\"|\"stderr\"", "stdout by default"}},
                {"string"}},
               {"freeze",
                program_freeze,
                "Stops all its processes (SIGSTOP): the program does not run, but its kernel does.",
                {{"options?", "reach_options"}},
                {"program"}},
               {"thaw",
                program_thaw,
                "Lets all its processes run again (SIGCONT).",
                {{"options?", "reach_options"}},
                {"program"}}})},
          .tables = {&kReachOptions},
          .words = {{"signal_name",
                     {"SIGINT", "SIGKILL", "SIGPIPE", "SIGSTOP", "SIGTERM", "SIGUSR1"},
                     true,
                     [](const std::string& name) {
                       if (base::signal_number(name) == 0)
                         throw base::UsageError("there is no signal " + name);
                     }}}};
}

}  // namespace tcplab::app
