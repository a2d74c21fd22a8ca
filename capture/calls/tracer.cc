#include "capture/calls/tracer.hh"

#include <linux/kcmp.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <string>
#include <utility>

#include "base/error.hh"
#include "capture/calls/call_filter.hh"
#include "capture/calls/call_registers.hh"

namespace tcplab::capture {

namespace {

constexpr long kOptions = PTRACE_O_TRACESECCOMP | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK |
                          PTRACE_O_TRACECLONE | PTRACE_O_TRACEEXEC | PTRACE_O_EXITKILL |
                          PTRACE_O_TRACESYSGOOD;

StoppedThread stopped_thread(pid_t id, const TracedThread& of) {
  return {.process = of.process, .thread = id, .program = of.program};
}

/// Of a call of mmap(2), without the address.
MappedPart mapped_part(const SyscallInfo& info) {
  const auto& arguments = info.entry.args;
  return {.size = arguments[1],
          .offset = arguments[5],
          .descriptor = static_cast<int>(arguments[4]),
          .is_executable = (arguments[2] & PROT_EXEC) != 0};
}

bool is_job_control(int signal) {
  return signal == SIGSTOP || signal == SIGTSTP || signal == SIGTTIN || signal == SIGTTOU;
}

}  // namespace

void Tracer::seize(pid_t process, TracedProgram program) {
  base::check("trace process " + std::to_string(process),
              ::ptrace(PTRACE_SEIZE, process, nullptr, kOptions));
  threads_.add(process, program);
}

std::optional<int> Tracer::status(pid_t process) const {
  const auto found = statuses_.find(process);
  if (found == statuses_.end()) return std::nullopt;
  return found->second;
}

bool Tracer::handle_next() {
  int status = 0;
  const pid_t id = ::waitpid(-1, &status, __WALL);
  if (id <= 0) return false;
  handle(id, status);
  return true;
}

void Tracer::handle(pid_t id, int status) {
  if (WIFSTOPPED(status))
    stopped(id, status);
  else
    ended(id, status);
}

void Tracer::ended(pid_t id, int status) {
  const TracedThread* const of = threads_.find(id);
  if (of == nullptr) {
    if (released_.contains(id)) statuses_[id] = status;  // a child of ours
    return;
  }
  const pid_t process = of->process;
  const TracedProgram program = of->program;
  decoder_.stopped(process, id);
  if (process == id) {
    statuses_[id] = status;
    decoder_.forget(id);
    if (stop_points_ != nullptr) stop_points_->ended(id);
  }
  threads_.erase(id);  // also if it was delayed
  const bool is_alive = threads_.has_any_of_program(program);
  if (!is_alive) injections().forget(program);
  observer_.on_ended(program, id, !is_alive);
}

void Tracer::stopped(pid_t id, int status) {
  const int signal = WSTOPSIG(status);
  const int event = status >> 16;
  TracedThread& of = threads_.at(id);
  decoder_.stopped(of.process, id);
  if (event == PTRACE_EVENT_SECCOMP) return at_filter(id, of);
  if (event == 0 && signal == (SIGTRAP | 0x80)) return at_boundary(id, of);  // TRACESYSGOOD
  if (event == PTRACE_EVENT_STOP && is_job_control(signal)) return at_group_stop(id, of);
  if (event == PTRACE_EVENT_FORK || event == PTRACE_EVENT_VFORK || event == PTRACE_EVENT_CLONE)
    started(id);
  if (event == PTRACE_EVENT_EXEC) after_exec(id);
  if (event == 0 && signal == SIGTRAP && stop_points_ != nullptr &&
      stop_points_->at_trap(stopped_thread(id, of)))
    return go_on(id, of);
  if (event == 0) observer_.on_signal(of.process, id, signal, of.is_interrupted);
  go_on(id, of, event == 0 ? signal : 0);
}

/// Lets a thread run until its pending call returns, or until its next stop.
void Tracer::go_on(pid_t id, const TracedThread& of, int signal) {
  const bool is_in_call = of.clone || of.mapping || (of.pending && !of.pending->is_interrupted);
  const auto request =
      is_in_call || stops_at_ == StopsAt::every_call ? PTRACE_SYSCALL : PTRACE_CONT;
  ::ptrace(request, id, nullptr, static_cast<long>(signal));
}

/// A thread stops with its process, until SIGCONT or, if the process is released, for others.
void Tracer::at_group_stop(pid_t id, const TracedThread& of) {
  const pid_t process = of.process;
  if (!released_.contains(process)) {
    ::ptrace(PTRACE_LISTEN, id, nullptr, nullptr);
    return;
  }
  ::ptrace(PTRACE_DETACH, id, nullptr, nullptr);
  threads_.erase(id);
  if (!threads_.has_any_of_process(process)) observer_.on_released(process);
}

void Tracer::release(pid_t process, pid_t thread) {
  released_.insert(process);
  ::syscall(SYS_tgkill, process, thread, SIGSTOP);
}

void Tracer::started(pid_t parent) {
  unsigned long message = 0;
  if (::ptrace(PTRACE_GETEVENTMSG, parent, nullptr, &message) != 0) return;
  const TracedThread& of = threads_.at(parent);
  TracedThread& child = threads_.at(static_cast<pid_t>(message));
  child.program = of.program;
  if (child.process == of.process) return;
  // clone(2) with CLONE_FILES: what one closes is closed for both. Without kcmp(2), nobody knows.
  if (::syscall(SYS_kcmp, of.process, child.process, KCMP_FILES, 0, 0) > 0) return;
  decoder_.distrust_descriptors(of.process);
  decoder_.distrust_descriptors(child.process);
}

/// exec(2) in a thread ends all other threads, and the thread gets the id of the process.
void Tracer::after_exec(pid_t id) {
  unsigned long message = 0;
  if (::ptrace(PTRACE_GETEVENTMSG, id, nullptr, &message) != 0) return;
  const auto former = static_cast<pid_t>(message);
  if (former != id) threads_.erase(former);
  TracedThread& of = threads_.at(id);
  of.pending.reset();
  of.delayed_until.reset();
  of.clone.reset();
  of.mapping.reset();
  decoder_.forget_descriptors(id);
  if (stop_points_ != nullptr) stop_points_->at_exec(stopped_thread(id, of));
}

void Tracer::at_filter(pid_t id, TracedThread& of) {
  const auto info = syscall_info(id, PTRACE_SYSCALL_INFO_SECCOMP);
  if (!info || info->op != PTRACE_SYSCALL_INFO_SECCOMP) return go_on(id, of);
  at_entry(id, of, *info);
}

/// At the entry or the return of a call; the entry only without a filter.
void Tracer::at_boundary(pid_t id, TracedThread& of) {
  const auto info = syscall_info(id, PTRACE_SYSCALL_INFO_EXIT);
  if (!info) return go_on(id, of);
  if (info->op != PTRACE_SYSCALL_INFO_EXIT) return at_entry(id, of, *info);
  calls_.leave(id, of, info->exit.rval);
  if (of.mapping) mapped(id, of, info->exit.rval);
  go_on(id, of);
}

void Tracer::at_entry(pid_t id, TracedThread& of, const SyscallInfo& info) {
  if (stop_points_ != nullptr && is_mapping(info.arch, info.entry.nr))
    of.mapping = mapped_part(info);
  calls_.enter(id, of, info);
  if (!of.delayed_until) go_on(id, of);
}

void Tracer::mapped(pid_t id, TracedThread& of, std::int64_t result) {
  MappedPart part = *std::exchange(of.mapping, std::nullopt);
  constexpr std::int64_t kMostErrno = 4095;  // MAX_ERRNO in include/linux/err.h
  if (result < 0 && result >= -kMostErrno) return;
  part.address = static_cast<std::uint64_t>(result);
  stop_points_->at_mapping(stopped_thread(id, of), part);
}

void Tracer::act_on_time(base::Instant now) {
  for (const pid_t id : calls_.end_delays(now)) go_on(id, threads_.at(id));
  calls_.report_blocked(now);
}

}  // namespace tcplab::capture
