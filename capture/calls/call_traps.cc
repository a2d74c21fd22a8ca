#include "capture/calls/call_traps.hh"

#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <climits>
#include <csignal>
#include <fmt/format.h>
#include <fstream>

#include "base/error.hh"
#include "capture/event/call_thread.hh"

namespace tcplab::capture {

namespace {

std::string failure(const Call& call) {
  return fmt::format("{}: {}", call.call, base::errno_name(call.error));
}

/// As abort(3) does. The thread must be stopped.
void unblock(pid_t thread, int signal) {
  std::uint64_t mask = 0;  // the kernel's sigset_t
  if (::ptrace(PTRACE_GETSIGMASK, thread, sizeof mask, &mask) != 0) return;
  mask &= ~(std::uint64_t{1} << (signal - 1));
  ::ptrace(PTRACE_SETSIGMASK, thread, sizeof mask, &mask);
}

std::string core_pattern() {
  std::ifstream file("/proc/sys/kernel/core_pattern");
  std::string line;
  std::getline(file, line);
  return line;
}

std::string no_core() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_CORE, &limit) == 0 && limit.rlim_cur == 0)
    return "no core file: its limit is 0 (ulimit -c unlimited)";
  return "no core file; see core(5) for the reasons";
}

std::string core_text(std::optional<int> status) {
  if (!status || !WIFSIGNALED(*status) || WTERMSIG(*status) != SIGABRT)
    return "but SIGABRT did not end it: it handles or ignores the signal";
  if (!WCOREDUMP(*status)) return no_core();
  return fmt::format("core dumped (kernel.core_pattern is {})", core_pattern());
}

}  // namespace

void CallTraps::on_call(TracedProgram program, base::Instant at, const Call& call) {
  next_.on_call(program, at, call);
  if (tracer_ == nullptr) return;
  if (stop_on_.empty() && abort_on_.empty()) return;
  recorder_.note(at, call);
  if (stop_on_.match(call)) stop(at, call);
  if (abort_on_.match(call)) abort(at, call);
}

void abort_at(const Call& call) {
  unblock(thread_of(call), SIGABRT);
  ::syscall(SYS_tgkill, call.pid, thread_of(call), SIGABRT);
}

void CallTraps::abort(base::Instant at, const Call& call) {
  if (!aborted_.try_emplace(call.pid, failure(call)).second) return;
  recorder_.failed(at, call, true);
  abort_at(call);
}

void CallTraps::stop(base::Instant at, const Call& call) {
  if (!stopped_.try_emplace(call.pid, failure(call)).second) return;
  recorder_.failed(at, call, false);
  tracer_->release(call.pid, thread_of(call));
}

void CallTraps::on_released(pid_t process) {
  tell_(
      fmt::format("process {0} is stopped at {1}, and is not traced any more; "
                  "debug it: gdb -p {0}; let it go on: kill -CONT {0}; {2}",
                  process, stopped_[process], recorder_.place(process)));
}

void CallTraps::finish() {
  if (tracer_ == nullptr) return;
  for (const auto& [process, call] : aborted_)
    tell_(fmt::format("process {} aborted at {}; {}; {}", process, call,
                      core_text(tracer_->status(process)), recorder_.place(process)));
}

void CallTraps::on_other_return(TracedProgram program, pid_t thread) {
  next_.on_other_return(program, thread);
}

void CallTraps::on_probe(TracedProgram program, base::Instant at, const Probe& probe) {
  next_.on_probe(program, at, probe);
}

void CallTraps::on_unseen(TracedProgram program, pid_t process, const std::string& why) {
  next_.on_unseen(program, process, why);
}

void CallTraps::on_signal(pid_t process, pid_t thread, int signal, bool is_interrupted) {
  next_.on_signal(process, thread, signal, is_interrupted);
}

void CallTraps::on_exit(TracedProgram program) { next_.on_exit(program); }

void CallTraps::on_ended(TracedProgram program, pid_t thread, bool is_last) {
  next_.on_ended(program, thread, is_last);
}

}  // namespace tcplab::capture
