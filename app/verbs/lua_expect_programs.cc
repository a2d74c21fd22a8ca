// Expectations about programs: their ends, their output, whether they run.
#include <chrono>

#include "app/script/lua_objects.hh"
#include "app/script/output_expectation.hh"
#include "app/script/script_context.hh"
#include "app/verbs/lua_modules.hh"
#include "app/verbs/lua_subject.hh"
#include "base/error.hh"

namespace tcplab::app {

using capture::ProgramChange;
using namespace std::chrono_literals;

namespace {

constexpr base::nanoseconds kAskSleepEvery = 5ms;       // no event says that a program sleeps
constexpr base::nanoseconds kAskProcessesEvery = 20ms;  // nor that a daemon ends

int expect_end(LuaCall& call, const Subject& subject, ProgramChange change,
               std::optional<int> code) {
  auto pattern = std::make_unique<ProgramPattern>();
  pattern->host = subject.host->name();
  pattern->program = whole_program_of(subject, "exits() or killed_by()").name();
  pattern->change = change;
  pattern->code = code;
  return expect_of_program(call, subject, subject.stream("program"), std::move(pattern));
}

int subject_exits(LuaCall& call) {
  const Subject subject = subject_of(call);
  std::optional<int> status;
  if (call.has(1)) status = static_cast<int>(call.whole(1, "the exit status", 0, 255));
  return expect_end(call, subject, ProgramChange::exited, status);
}

int subject_ends(LuaCall& call) {
  const Subject subject = subject_of(call);
  auto pattern = std::make_unique<ProgramPattern>();
  pattern->host = subject.host->name();
  pattern->program = whole_program_of(subject, "ends()").name();
  pattern->change = ProgramChange::exited;
  pattern->any_end = true;
  return expect_of_program(call, subject, subject.stream("program"), std::move(pattern));
}

int subject_killed_by(LuaCall& call) {
  const Subject subject = subject_of(call);
  const std::string name = call.text(1, "the signal");
  const int signal = base::signal_number(name);
  if (signal == 0) throw base::UsageError("there is no signal " + name);
  return expect_end(call, subject, ProgramChange::killed, signal);
}

int subject_prints(LuaCall& call) {
  const Subject subject = subject_of(call);
  const lab::LabProgram& program = whole_program_of(subject, "prints()");
  const OutputWanted wanted{.host = program.host(),
                            .program = program.name(),
                            .text = call.text(1, "the text"),
                            .ruled_out = [&program] { return obstacle(program); }};
  if (wanted.text.empty())
    throw base::UsageError("argument 1 (the text) is empty; every program prints that");
  return expect(call, subject, [wanted](base::Instant deadline, base::nanoseconds span) {
    return std::make_unique<OutputExpectation>(deadline, span, wanted);
  });
}

int subject_still_runs(LuaCall& call) {
  const Subject subject = subject_of(call);
  require_expect(subject, "still_runs()");
  const lab::LabProgram& program = whole_program_of(subject, "still_runs()");
  const std::string expected = subject.title() + " still runs";
  if (!is_checked(call, subject, expected)) return 0;
  return context_of(call).verdicts().judge(program.running(), expected,
                                           program.running() ? "it does" : "it " + program.ending(),
                                           subject.host->name(), call.line());
}

Condition::Status is_asleep(const lab::LabProgram& program) {
  const bool sleeps = program.sleeps();
  return {.holds = sleeps,
          .seen = sleeps              ? "it does"
                  : program.running() ? "it is awake"
                                      : "it " + program.ending(),
          .hopeless = !program.running()};
}

int subject_sleeps(LuaCall& call) {
  const Subject subject = subject_of(call);
  const lab::LabProgram& program = whole_program_of(subject, "sleeps()");
  return expect(
      call, subject,
      [title = subject.title(), &program](base::Instant deadline, base::nanoseconds span) {
        auto sleeps = std::make_unique<Condition>(deadline, span, title + " sleeps",
                                                  [&program] { return is_asleep(program); });
        sleeps->ask_every = kAskSleepEvery;
        return sleeps;
      });
}

/// Also of one whose main process has forked away.
Condition::Status has_no_process(const lab::LabProgram& program) {
  if (program.running()) return {false, "its main process runs"};
  const std::size_t left = program.processes().size();
  if (left == 0) return {true, "it has none"};
  return {false, std::to_string(left) + " of its processes run"};
}

int subject_has_no_process(LuaCall& call) {
  const Subject subject = subject_of(call);
  const lab::LabProgram& program = whole_program_of(subject, "has_no_process()");
  return expect(
      call, subject,
      [title = subject.title(), &program](base::Instant deadline, base::nanoseconds span) {
        auto gone = std::make_unique<Condition>(deadline, span, title + " has no process",
                                                [&program] { return has_no_process(program); });
        gone->ask_every = kAskProcessesEvery;
        return gone;
      });
}

}  // namespace

LuaModule program_expectations_module() {
  std::vector<LuaClass> classes = expectation_classes<LuaProgram>(
      {{"exits",
        subject_exits,
        "Is met when it exits.",
        {{"status?", "integer", "any by default", kByteRange}},
        {"event"}},
       {"ends", subject_ends, "Is met when it exits or a signal ends it.", {}, {"event"}},
       {"killed_by",
        subject_killed_by,
        "Is met when a signal ends it.",
        {{"signal", "signal_name"}},
        {"event"}},
       {"prints",
        subject_prints,
        "Is met when its output has the text, after what the last such verb matched.",
        {{"text", "string"}},
        {"event"}},
       {"sleeps", subject_sleeps,
        "Is met when it waits in a system call, which a signal would interrupt."},
       {"has_no_process", subject_has_no_process,
        "Is met when none of its processes runs: neither the main one, nor what it started."}});
  classes.push_back(
      lua_class<Subject>({{"still_runs", subject_still_runs, "Expects that it has not ended."}}));
  return {.classes = classes};
}

}  // namespace tcplab::app
