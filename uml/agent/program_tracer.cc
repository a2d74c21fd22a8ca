#include "uml/agent/program_tracer.hh"

#include <sys/ptrace.h>
#include <sys/wait.h>

#include <algorithm>
#include <csignal>
#include <iterator>
#include <utility>
#include <variant>

#include "base/error.hh"
#include "capture/calls/stack_text.hh"
#include "capture/event/call_thread.hh"
#include "capture/event/event_json.hh"
#include "uml/configuration.hh"

namespace tcplab::uml {

using capture::TracedProgram;

namespace {

/// The status of waitpid(2) after a successful execve(2): PTRACE_O_TRACEEXEC in ptrace(2).
bool is_after_exec(int status) { return status >> 8 == (SIGTRAP | PTRACE_EVENT_EXEC << 8); }

}  // namespace

void ProgramTracer::seize(pid_t process, const std::vector<std::string>& requests) {
  for (const std::string& text : requests) {
    capture::WatchRequest request = capture::parse_watch_request(text);
    if (const auto* trace = std::get_if<capture::TraceProgram>(&request)) {
      Lines& lines = lines_[programs_.seize(process)];
      lines.process = process;
      lines.stacks = capture::FailingCalls("stack", trace->stacks);
      continue;
    }
    if (auto* added = std::get_if<capture::AddInjection>(&request)) added->process = process;
    take(request);
  }
}

/// Before its exec it is a single process, and nothing else can happen to it.
void ProgramTracer::await_exec(pid_t process) {
  int status = 0;
  do {
    base::check("wait for a program", ::waitpid(process, &status, __WALL));
    handle(process, status);
  } while (WIFSTOPPED(status) && !is_after_exec(status));
}

int ProgramTracer::take(const std::string& request) {
  return take(capture::parse_watch_request(request));
}

int ProgramTracer::take(const capture::WatchRequest& request) {
  return std::visit([this](const auto& one) { return perform(one); }, request);
}

int ProgramTracer::perform(const capture::TellCalls& /*request*/) {
  flush();
  return 0;
}

/// A system call is dear in a guest, so the clock is read only if something may be due.
std::optional<base::nanoseconds> ProgramTracer::act_on_time() {
  if (!tracer_.due()) return std::nullopt;
  const base::Instant now = base::now();
  tracer_.act_on_time(now);
  const auto due = tracer_.due();
  if (!due) return std::nullopt;
  return std::max(*due - now, base::nanoseconds::zero());
}

void ProgramTracer::flush() {
  for (auto entry = lines_.begin(); entry != lines_.end();) {
    Lines& lines = entry->second;
    PayloadWriter to;
    to.number(static_cast<std::uint64_t>(lines.process));
    to.number(static_cast<std::uint64_t>(kCallsStream));
    if (!lines.text.empty()) {
      PayloadWriter output = to;
      channel_.send(Kind::output, output.rest(as_bytes(std::exchange(lines.text, {}))).payload());
    }
    if (lines.is_last) channel_.send(Kind::output_end, to.payload());
    entry = lines.is_last ? lines_.erase(entry) : std::next(entry);
  }
}

/// The lab finds and names the frames of a stack: it comes in the line before its call.
void ProgramTracer::on_call(TracedProgram program, base::Instant at, const capture::Call& call) {
  const auto found = lines_.find(program);
  if (found != lines_.end() && found->second.stacks.match(call))
    if (const auto stack = copier_.copy(call.pid, capture::thread_of(call)))
      found->second.text += capture::to_text(*stack) + "\n";
  add(program, {.number = 0, .at = at, .body = call});
}

void ProgramTracer::on_unseen(TracedProgram program, pid_t process, const std::string& why) {
  add(program, capture::unseen_event(process, why));
}

/// A line with the id of a thread notifies the lab of its end, as with a watcher of the lab.
void ProgramTracer::on_ended(TracedProgram program, pid_t thread, bool is_last) {
  const auto found = lines_.find(program);
  if (found == lines_.end()) return;
  found->second.text += std::to_string(thread) + "\n";
  found->second.is_last = is_last;
  if (is_last) programs_.ended(program);
}

void ProgramTracer::add(TracedProgram program, const capture::Event& event) {
  const auto found = lines_.find(program);
  if (found == lines_.end()) return;
  capture::append_json(found->second.text, event);
  found->second.text += '\n';
}

}  // namespace tcplab::uml
