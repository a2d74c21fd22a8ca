#include "app/programs/start_program.hh"

#include <filesystem>

#include "app/script/lua_objects.hh"
#include "base/error.hh"
#include "lab/machine/stall_watch.hh"
#include "lab/programs/needs.hh"

namespace tcplab::app {

std::vector<std::string> command_words(LuaCall& call, int first) {
  std::vector<std::string> words;
  for (int i = first; i <= call.count(); ++i) {
    const LuaHost* host = call.find<LuaHost>(i);
    words.push_back(host != nullptr ? host->host->name() : call.word(i));
  }
  return words;
}

namespace {

/// Returns the path of the file that a command would execute.
std::string program_file(const std::string& program) {
  if (program.find('/') != std::string::npos) return std::filesystem::absolute(program).string();
  return lab::find_program(program);
}

}  // namespace

lab::LabProgram& start_program(ScriptContext& context, lab::LabHost& host,
                               const std::vector<std::string>& command,
                               const lab::ProgramOptions& options) {
  if (!options.user.empty())
    if (const auto missing = lab::missing_user(lab::user_named(options.user)))
      throw lab::Skip("to start a program as " + options.user + ", " + *missing);
  if (!host.machine().stack_service().makes_calls)
    throw lab::Skip("to start " + command.front() + " needs a TCP stack that makes the calls of " +
                    "programs; that of " + host.name() + " does not");
  context.laboratory().network().pump();  // a script may start many without a pause
  try {
    lab::LabProgram& program = context.laboratory().programs().start(host, command, options);
    // An earlier connection with the same endpoints belonged to another program.
    context.waiter().cursors().move("state " + program.host() + "/" + program.name(),
                                    context.laboratory().timeline().last());
    for (const lab::GivenInjection& given : options.injections)
      context.act({.host = program.host(),
                   .verb = capture::ActionVerb::inject,
                   .program = program.name(),
                   .injection = given.rule,
                   .line = given.line});
    return program;
  } catch (const lab::StallError&) {
    throw;  // frames are carried while a program starts
  } catch (const base::LabError& error) {
    if (command.front() == "dnc") throw;
    if (command.front().find('/') == std::string::npos &&
        lab::find_program(command.front()).empty())
      throw lab::Skip("the program " + command.front() + " is not installed");
    const std::string why = lab::why_not_executable(program_file(command.front()));
    if (!why.empty()) throw base::UsageError(host.name() + ": " + why);
    if (!options.folder.empty() || !options.user.empty() || !options.limits.empty())
      throw base::UsageError(error.what());
    throw;
  }
}

bool asks_to_listen(const std::vector<std::string>& words) {
  for (const std::string& word : words)
    if (word == "-l" || word == "--listen" || word == "-kl" || word == "-lk") return true;
  return false;
}

bool is_end_of(const lab::LabProgram& program, const capture::Event& event) {
  const auto* change = std::get_if<capture::Program>(&event.body);
  return change != nullptr && change->host == program.host() && change->program == program.name() &&
         (change->change == capture::ProgramChange::exited ||
          change->change == capture::ProgramChange::killed);
}

namespace {

/// Whether the program listens. If it ends before, there is no hope. Until then, what failed last.
Condition::Status listen_status(ScriptContext& context, const lab::LabProgram& program,
                                std::uint64_t since) {
  Condition::Status answer{false, "it has not called listen(2) yet"};
  std::string failed;
  context.laboratory().timeline().visit_after(since, [&](const capture::Event& event) {
    if (is_end_of(program, event)) {
      answer = {false, describe(event) + (failed.empty() ? "" : ", after " + failed), true};
      return false;
    }
    const auto* call = std::get_if<capture::Call>(&event.body);
    if (call == nullptr || call->host != program.host() || call->program != program.name())
      return true;
    if (call->phase == capture::CallPhase::enter) return true;
    if (call->result == -1) answer.seen = failed = describe(event);
    answer.holds = call->call == "listen" && call->result == 0;
    if (answer.holds) answer.seen = describe(event);
    return !answer.holds;
  });
  return answer;
}

}  // namespace

std::unique_ptr<Condition> dnc_listens(ScriptContext& context, const lab::LabProgram& program,
                                       std::uint64_t since) {
  return context.condition(kReadyWithin, program.title() + " listens", [&context, &program, since] {
    return listen_status(context, program, since);
  });
}

}  // namespace tcplab::app
