#include "capture/calls/traced_programs.hh"

#include <algorithm>
#include <cerrno>
#include <climits>

namespace tcplab::capture {

TracedProgram TracedPrograms::seize(pid_t process) {
  const TracedProgram program = ++last_;
  tracer_.seize(process, program);
  programs_[process] = program;
  return program;
}

std::optional<TracedProgram> TracedPrograms::find(pid_t process) const {
  const auto found = programs_.find(process);
  return found == programs_.end() ? std::nullopt : std::optional(found->second);
}

void TracedPrograms::ended(TracedProgram program) {
  std::erase_if(programs_, [program](const auto& entry) { return entry.second == program; });
}

int TracedPrograms::take(const AddInjection& request) {
  const auto program = find(request.process);
  if (!program) return ESRCH;
  tracer_.injections().add(request.id, *program, request.rule);
  return 0;
}

int TracedPrograms::take(const RemoveInjection& request) {
  tracer_.injections().remove(request.id);
  return 0;
}

int TracedPrograms::take(const AskInjection& request) const {
  const auto matched = tracer_.injections().idle_matches(request.id);
  return matched ? static_cast<int>(std::min<std::uint64_t>(*matched, INT_MAX - 1)) + 1 : 0;
}

int TracedPrograms::take(const ImposeOptions& request) {
  tracer_.impose(request.options);
  return 0;
}

Event unseen_event(pid_t process, const std::string& why) {
  Program unseen;
  unseen.pid = process;
  unseen.change = ProgramChange::calls_unseen;
  unseen.text = why;
  return {.number = 0, .at = base::now(), .body = unseen};
}

}  // namespace tcplab::capture
