// Expectations about programs: their ends, their output, whether they run.
#include <chrono>

#include "base/error.hh"
#include "scenarios/engine/script/script_context.hh"
#include "scenarios/engine/verbs/lua_modules.hh"
#include "scenarios/engine/verbs/lua_objects.hh"
#include "scenarios/engine/verbs/lua_subject.hh"

namespace tcplab::engine {

using capture::ProgramChange;
using namespace std::chrono_literals;

namespace {

constexpr base::nanoseconds kAskEvery = 5ms;  // no event says that a program sleeps

int expect_program(LuaCall& call, ProgramChange change, std::optional<int> code,
                   std::optional<std::string> text) {
  const Subject& subject = subject_of(call);
  auto pattern = std::make_unique<ProgramPattern>();
  pattern->host = subject.host->name();
  pattern->program = program_of(subject).name();
  pattern->change = change;
  pattern->code = code;
  pattern->text = std::move(text);
  return expect(call, subject, subject.stream("program"), std::move(pattern));
}

int subject_exits(LuaCall& call) {
  std::optional<int> status;
  if (call.has(1)) status = static_cast<int>(call.whole(1, "the exit status", 0, 255));
  return expect_program(call, ProgramChange::exited, status, std::nullopt);
}

int subject_killed_by(LuaCall& call) {
  const std::string name = call.text(1, "the signal");
  const int signal = base::signal_number(name);
  if (signal == 0) throw base::UsageError("there is no signal " + name);
  return expect_program(call, ProgramChange::killed, signal, std::nullopt);
}

int subject_prints(LuaCall& call) {
  return expect_program(call, ProgramChange::wrote, std::nullopt, call.text(1, "the text"));
}

int subject_still_runs(LuaCall& call) {
  const Subject& subject = subject_of(call);
  const bool runs = program_of(subject).running();
  return context_of(call).judge(runs, subject.title() + " still runs",
                                runs ? "it does" : "it has ended", subject.host->name(),
                                call.line());
}

int subject_sleeps(LuaCall& call) {
  const Subject& subject = subject_of(call);
  ScriptContext& context = context_of(call);
  auto sleeps = context.condition(
      subject.span, subject.title() + " sleeps", [&program = program_of(subject)] {
        const bool is_asleep = program.sleeps();
        return Condition::Status{is_asleep, is_asleep ? "it does" : "it is awake, or has ended"};
      });
  sleeps->ask_every = kAskEvery;
  return context.suspend_until(std::move(sleeps), call.line());
}

}  // namespace

LuaModule program_expectations_module() {
  return {.classes = {lua_class<Subject>(
              {{"exits",
                subject_exits,
                "Expects that it exits.",
                {{"status?", "integer", "any by default"}},
                {"event"}},
               {"killed_by",
                subject_killed_by,
                "Expects that a signal ends it.",
                {{"signal", "signal_name"}},
                {"event"}},
               {"prints",
                subject_prints,
                "Expects output that contains the text.",
                {{"text", "string"}},
                {"event"}},
               {"still_runs", subject_still_runs, "Expects that it has not ended."},
               {"sleeps", subject_sleeps,
                "Expects that it waits in a system call, which a signal would interrupt."}})}};
}

}  // namespace tcplab::engine
