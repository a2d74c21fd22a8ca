#include "capture/calls/tracer.hh"

#include <asm/unistd.h>
#include <linux/kcmp.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <fstream>

#include "base/error.hh"
#include "capture/calls/call_filter.hh"
#include "capture/calls/call_registers.hh"
#include "capture/calls/ptrace.hh"
#include "capture/calls/thread_state.hh"

namespace tcplab::capture {

namespace {

constexpr long kOptions = PTRACE_O_TRACESECCOMP | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK |
                          PTRACE_O_TRACECLONE | PTRACE_O_TRACEEXEC | PTRACE_O_EXITKILL |
                          PTRACE_O_TRACESYSGOOD;

/// The process (thread group) of a thread: proc_pid_status(5).
pid_t process_of(pid_t thread) {
  std::ifstream file("/proc/" + std::to_string(thread) + "/status");
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("Tgid:")) return std::atoi(line.c_str() + 5);
  return thread;
}

/// The kernel's own errors (include/linux/errno.h): it repeats the call, or turns them into EINTR.
bool is_interruption(std::int64_t result) {
  constexpr std::int64_t kErestartsys = 512;
  constexpr std::int64_t kErestartRestartblock = 516;
  return result <= -kErestartsys && result >= -kErestartRestartblock;
}

constexpr const char* kIoUring = "it uses io_uring(7)";
constexpr const char* kUntraced = "it starts a process with CLONE_UNTRACED, whose calls may fail";
constexpr const char* kForeign = "it makes system calls of another architecture (32-bit code)";

/// A call at its entry, for rules.
class EntryFacts : public CallFacts {
public:
  EntryFacts(CallDecoder& decoder, const CallStop& stop, const Call& call)
      : decoder_(decoder), stop_(stop), call_(call) {}

  std::optional<TcpState> state() const override { return decoder_.state(stop_, call_); }
  std::uint64_t bytes_before() const override { return decoder_.bytes_before(stop_, call_); }
  std::uint64_t bytes_asked() const override { return capture::bytes_asked(stop_); }

private:
  CallDecoder& decoder_;
  const CallStop& stop_;
  const Call& call_;
};

bool is_job_control(int signal) {
  return signal == SIGSTOP || signal == SIGTSTP || signal == SIGTTIN || signal == SIGTTOU;
}

}  // namespace

void Tracer::seize(pid_t process, TracedProgram program) {
  base::check("trace process " + std::to_string(process),
              ::ptrace(PTRACE_SEIZE, process, nullptr, kOptions));
  threads_[process] = {.process = process, .program = program, .pending = {}};
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
  const auto found = threads_.find(id);
  if (found != threads_.end()) decoder_.stopped(found->second.process, id);
  if (found == threads_.end()) {
    if (released_.contains(id)) statuses_[id] = status;  // a child of ours
    return;
  }
  if (found->second.process == id) {
    statuses_[id] = status;
    decoder_.forget(id);
  }
  const TracedProgram program = found->second.program;
  threads_.erase(found);  // also if it was delayed
  const bool is_alive = std::ranges::any_of(
      threads_, [program](const auto& entry) { return entry.second.program == program; });
  if (!is_alive) injections_.forget(program);
  observer_.on_ended(program, id, !is_alive);
}

/// A new thread may stop before the event of its parent's clone(2) arrives.
Tracer::Thread& Tracer::thread(pid_t id) {
  const auto [found, is_new] = threads_.try_emplace(id);
  if (is_new) found->second.process = process_of(id);
  return found->second;
}

void Tracer::stopped(pid_t id, int status) {
  const int signal = WSTOPSIG(status);
  const int event = status >> 16;
  Thread& of = thread(id);
  decoder_.stopped(of.process, id);
  if (event == PTRACE_EVENT_SECCOMP) return at_filter(id, of);
  if (event == 0 && signal == (SIGTRAP | 0x80)) return at_boundary(id, of);  // TRACESYSGOOD
  if (event == PTRACE_EVENT_STOP && is_job_control(signal)) return at_group_stop(id, of);
  if (event == PTRACE_EVENT_FORK || event == PTRACE_EVENT_VFORK || event == PTRACE_EVENT_CLONE)
    started(id);
  if (event == PTRACE_EVENT_EXEC) after_exec(id);
  go_on(id, of, event == 0 ? signal : 0);
}

/// Lets a thread run until its pending call returns, or until its next stop.
void Tracer::go_on(pid_t id, const Thread& of, int signal) {
  const bool is_in_call = of.clone || (of.pending && !of.pending->is_interrupted);
  const auto request =
      is_in_call || stops_at_ == StopsAt::every_call ? PTRACE_SYSCALL : PTRACE_CONT;
  ::ptrace(request, id, nullptr, static_cast<long>(signal));
}

/// A thread stops with its process, until SIGCONT or, if the process is released, for others.
void Tracer::at_group_stop(pid_t id, const Thread& of) {
  const pid_t process = of.process;
  if (!released_.contains(process)) {
    ::ptrace(PTRACE_LISTEN, id, nullptr, nullptr);
    return;
  }
  ::ptrace(PTRACE_DETACH, id, nullptr, nullptr);
  threads_.erase(id);
  const auto is_of_process = [process](const auto& one) { return one.second.process == process; };
  if (std::ranges::none_of(threads_, is_of_process)) observer_.on_released(process);
}

void Tracer::release(pid_t process, pid_t thread) {
  released_.insert(process);
  ::syscall(SYS_tgkill, process, thread, SIGSTOP);
}

void Tracer::started(pid_t parent) {
  unsigned long message = 0;
  if (::ptrace(PTRACE_GETEVENTMSG, parent, nullptr, &message) != 0) return;
  const Thread& of = thread(parent);
  Thread& child = thread(static_cast<pid_t>(message));
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
  thread(id).pending.reset();
  thread(id).delayed_until.reset();
  thread(id).clone.reset();
  decoder_.forget_descriptors(id);
}

void Tracer::at_filter(pid_t id, Thread& of) {
  const auto info = syscall_info(id, PTRACE_SYSCALL_INFO_SECCOMP);
  if (!info || info->op != PTRACE_SYSCALL_INFO_SECCOMP) return go_on(id, of);
  at_entry(id, of, *info);
}

/// At the entry or the return of a call; the entry only without a filter.
void Tracer::at_boundary(pid_t id, Thread& of) {
  const auto info = syscall_info(id, PTRACE_SYSCALL_INFO_EXIT);
  if (!info) return go_on(id, of);
  if (info->op == PTRACE_SYSCALL_INFO_EXIT) return at_return(id, of, info->exit.rval);
  at_entry(id, of, *info);
}

void Tracer::unseen(Thread& of, const std::string& why) {
  decoder_.distrust_descriptors(of.process);
  if (reported_unseen_.insert({{of.process, why}, true}).second)
    observer_.on_unseen(of.program, of.process, why);
}

/// `entry` has the same members whether the filter or ptrace has stopped the thread.
void Tracer::at_entry(pid_t id, Thread& of, const SyscallInfo& info) {
  if (is_foreign_call(info.arch, info.entry.nr)) {
    unseen(of, kForeign);
    return go_on(id, of);
  }
  if (info.entry.nr == __NR_io_uring_setup) unseen(of, kIoUring);
  if (starts_untraced(id, info)) {
    of.clone = UntracedClone::clear(id, info);
    if (!of.clone) unseen(of, kUntraced);
  }
  CallStop stop{.process = of.process, .thread = id};
  std::copy_n(info.entry.args, stop.arguments.size(), stop.arguments.begin());
  stop.call = find_traced_call(static_cast<long>(info.entry.nr), stop.arguments);
  if (stop.call == nullptr) return go_on(id, of);
  if (stop.call->kind == CallKind::exit) observer_.on_exit(of.program);
  const bool continues = of.pending && restarts(of, stop);
  if (!continues) begin(id, of, stop);
  if (!of.delayed_until) change(id, of);
}

/// Notes a call on a TCP socket, and what a rule does to it.
void Tracer::begin(pid_t id, Thread& of, const CallStop& stop) {
  of.pending.reset();
  auto decoded = decoder_.enter(stop);
  if (!decoded) {
    if (decoder_.is_refused()) unseen(of, "pidfd_getfd(2) is refused (see tcplab doctor)");
    return;
  }
  decoded->id = ++last_call_;
  const base::Instant now = base::now();
  of.pending = Pending{.stop = stop, .call = std::move(*decoded), .entered = now};
  blocking_.emplace_back(now + kBlocksAfter, id);
  if (injections_.is_empty()) return;
  Pending& pending = *of.pending;
  const EntryFacts facts(decoder_, stop, pending.call);
  pending.change = injections_.at_entry(of.program, pending.call, facts).value_or(CallChange{});
  pending.call.injected_delay = pending.change.delay;
  if (pending.change.delay.count() == 0) return;
  of.delayed_until = now + pending.change.delay;
  delayed_.emplace(*of.delayed_until, id);
}

void Tracer::act_on_time(base::Instant now) {
  resume_delayed(now);
  report_blocked(now);
}

/// Returns the blocked call that is reported next; nullptr if there is none.
Tracer::Thread* Tracer::next_blocking() {
  for (; !blocking_.empty(); blocking_.pop_front()) {
    const auto [due, id] = blocking_.front();
    const auto found = threads_.find(id);
    if (found == threads_.end() || !found->second.pending) continue;  // it has returned
    const Pending& pending = *found->second.pending;
    // An entry that is older than the call is of an earlier call of the thread.
    if (!pending.is_reported && pending.entered + kBlocksAfter <= due) return &found->second;
  }
  return nullptr;
}

std::optional<base::Instant> Tracer::due() {
  std::optional<base::Instant> first;
  if (next_blocking() != nullptr) first = blocking_.front().first;
  if (delayed_.empty()) return first;
  const base::Instant resumed = delayed_.begin()->first;
  return first ? std::min(*first, resumed) : resumed;
}

void Tracer::report_blocked(base::Instant now) {
  for (Thread* of = next_blocking(); of != nullptr; of = next_blocking()) {
    const auto [due, id] = blocking_.front();
    if (due > now) return;
    if (!of->delayed_until && !sleeps(id)) {  // look again
      blocking_.pop_front();
      blocking_.emplace_back(now + kBlocksAfter, id);
      continue;
    }
    of->pending->is_reported = true;
    observer_.on_call(of->program, of->pending->entered, of->pending->call);
  }
}

void Tracer::resume_delayed(base::Instant now) {
  while (!delayed_.empty()) {
    const auto [due, id] = *delayed_.begin();
    if (due > now) return;
    delayed_.erase(delayed_.begin());
    const auto found = threads_.find(id);
    // Since then, the thread may have ended, and another may have its id.
    if (found == threads_.end() || found->second.delayed_until != due) continue;
    found->second.delayed_until.reset();
    change(id, found->second);
  }
}

/// Does to the pending call what its rule says, and lets the thread go on. A call that is made
/// again after a signal is limited again.
void Tracer::change(pid_t id, Thread& of) {
  if (of.pending) {
    Pending& pending = *of.pending;
    if (pending.change.error != 0)
      skip_call(id);
    else if (pending.change.bytes != 0)
      pending.shortened.emplace(pending.stop, pending.change.bytes);
  }
  go_on(id, of);
}

/// At the return: what the program gets.
std::int64_t Tracer::changed_result(pid_t id, Pending& pending, std::int64_t result) {
  if (pending.change.error != 0) {
    result = -pending.change.error;
    set_result(id, result);
    pending.call.injected = true;
  } else if (pending.shortened) {
    pending.shortened->restore(pending.stop);
    pending.shortened.reset();
    pending.call.injected = result == static_cast<std::int64_t>(pending.change.bytes);
  }
  return result;
}

/// Whether this is the interrupted call again. If not, the program got EINTR.
bool Tracer::restarts(Thread& of, const CallStop& stop) {
  Pending& pending = *of.pending;
  if (pending.is_interrupted &&
      (stop.call->kind == CallKind::restart ||
       (stop.call == pending.stop.call && stop.arguments == pending.stop.arguments))) {
    pending.is_interrupted = false;
    return true;
  }
  if (pending.is_interrupted) finish(of, pending.interrupted_at, -EINTR);
  return false;
}

void Tracer::at_return(pid_t id, Thread& of, std::int64_t result) {
  const base::Instant now = base::now();
  if (of.clone) of.clone->restore(id);
  of.clone.reset();
  if (of.pending && !of.pending->is_interrupted) {
    result = changed_result(id, *of.pending, result);
    if (is_interruption(result)) {
      of.pending->is_interrupted = true;
      of.pending->interrupted_at = now;
    } else {
      finish(of, now, result);
    }
  }
  go_on(id, of);
}

void Tracer::finish(Thread& of, base::Instant at, std::int64_t result) {
  Pending pending = std::move(*of.pending);
  of.pending.reset();
  if (!decoder_.leave(pending.stop, result, pending.call)) return;
  pending.call.entered = pending.entered;
  observer_.on_call(of.program, at, pending.call);
  if (imposed_.empty()) return;
  if (const auto descriptor = socket_to_change(pending.stop, pending.call))
    impose_on(of, pending.stop, at, *descriptor);
}

/// Returns the descriptor of a new socket, or of one whose imposed option the program has changed.
std::optional<int> Tracer::socket_to_change(const CallStop& stop, const Call& call) const {
  if (call.result < 0) return std::nullopt;
  const CallKind kind = stop.call->kind;
  if (kind == CallKind::socket || kind == CallKind::accept) return static_cast<int>(call.result);
  if (kind != CallKind::set_option) return std::nullopt;
  const bool is_imposed = std::ranges::any_of(imposed_, [&stop](const ImposedOption& one) {
    return static_cast<int>(stop.arguments[1]) == one.option->level &&
           static_cast<int>(stop.arguments[2]) == one.option->number;
  });
  return is_imposed ? std::optional(call.fd) : std::nullopt;
}

/// The thread is stopped at the return of its call, so it uses the socket only afterwards.
void Tracer::impose_on(const Thread& of, const CallStop& stop, base::Instant at, int descriptor) {
  for (const ImposedOption& option : imposed_) {
    Call call = decoder_.set_option(stop, descriptor, option);
    call.id = ++last_call_;
    call.entered = at;
    observer_.on_call(of.program, at, call);
  }
}

}  // namespace tcplab::capture
