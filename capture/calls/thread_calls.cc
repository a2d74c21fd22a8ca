#include "capture/calls/thread_calls.hh"

#include <asm/unistd.h>

#include <algorithm>
#include <cerrno>
#include <string>

#include "capture/calls/call_filter.hh"
#include "capture/calls/thread_state.hh"

namespace tcplab::capture {

namespace {

/// The kernel's own errors (include/linux/errno.h): it repeats the call, or turns them into EINTR.
bool is_interruption(std::int64_t result) {
  constexpr std::int64_t kErestartsys = 512;
  constexpr std::int64_t kErestartRestartblock = 516;
  return result <= -kErestartsys && result >= -kErestartRestartblock;
}

constexpr const char* kIoUring = "it uses io_uring(7)";
constexpr const char* kUntraced = "it starts a process with CLONE_UNTRACED, whose calls may fail";
constexpr const char* kForeign =
    "it makes system calls of an ABI that the tracer does not know (x32)";

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

}  // namespace

void ThreadCalls::unseen(const TracedThread& of, const std::string& why) {
  decoder_.distrust_descriptors(of.process);
  if (reported_unseen_.emplace(of.process, why).second)
    observer_.on_unseen(of.program, of.process, why);
}

/// `entry` has the same members whether the filter or ptrace has stopped the thread.
void ThreadCalls::enter(pid_t id, TracedThread& of, const SyscallInfo& info) {
  of.is_interrupted = false;
  if (is_foreign_call(info.arch, info.entry.nr)) return unseen(of, kForeign);
  if (info.entry.nr == __NR_io_uring_setup) unseen(of, kIoUring);
  if (starts_untraced(id, info)) {
    of.clone = UntracedClone::clear(id, info);
    if (!of.clone) unseen(of, kUntraced);
  }
  const CallStop stop = call_stop(of.process, id, info);
  if (stop.call == nullptr) return;
  if (stop.call->kind == CallKind::exit) observer_.on_exit(of.program);
  const bool continues = of.pending && restarts(of, stop);
  if (!continues) begin(id, of, stop);
  if (of.pending && !of.delayed_until) of.pending->make_change();
}

/// Notes a call on a TCP socket, and what a rule does to it.
void ThreadCalls::begin(pid_t id, TracedThread& of, const CallStop& stop) {
  of.pending.reset();
  auto decoded = decoder_.enter(stop);
  if (!decoded) {
    if (decoder_.is_refused()) unseen(of, "pidfd_getfd(2) is refused (see tcplab doctor)");
    return;
  }
  decoded->id = ++last_call_;
  const base::Instant now = base::now();
  of.pending = PendingCall{.stop = stop, .call = std::move(*decoded), .entered = now};
  blocking_.emplace_back(now + kBlocksAfter, id);
  if (injections_.is_empty()) return;
  PendingCall& pending = *of.pending;
  const EntryFacts facts(decoder_, stop, pending.call);
  pending.change = injections_.at_entry(of.program, pending.call, facts).value_or(CallChange{});
  pending.call.injected_delay = pending.change.delay;
  if (pending.change.delay.count() == 0) return;
  of.delayed_until = now + pending.change.delay;
  delayed_.emplace(*of.delayed_until, id);
}

void ThreadCalls::leave(pid_t id, TracedThread& of, std::int64_t result) {
  const base::Instant now = base::now();
  of.is_interrupted = result == -EINTR || is_interruption(result);
  if (of.clone) of.clone->restore(id);
  of.clone.reset();
  if (of.pending && !of.pending->is_interrupted) {
    result = of.pending->changed_result(result);
    if (is_interruption(result)) {
      of.pending->is_interrupted = true;
      of.pending->interrupted_at = now;
    } else {
      finish(of, now, result);
    }
  }
}

/// Whether this is the interrupted call again. If not, the program got EINTR.
bool ThreadCalls::restarts(TracedThread& of, const CallStop& stop) {
  PendingCall& pending = *of.pending;
  if (!pending.is_interrupted) return false;
  if (pending.is_again(stop)) {
    pending.is_interrupted = false;
    return true;
  }
  finish(of, pending.interrupted_at, -EINTR);
  return false;
}

void ThreadCalls::finish(TracedThread& of, base::Instant at, std::int64_t result) {
  PendingCall pending = std::move(*of.pending);
  of.pending.reset();
  if (!decoder_.leave(pending.stop, result, pending.call)) {
    if (pending.is_reported) observer_.on_other_return(of.program, pending.stop.thread);
    return;
  }
  pending.call.entered = pending.entered;
  observer_.on_call(of.program, at, pending.call);
  for (Call& call : imposer_.set_after(pending.stop, pending.call)) {
    call.id = ++last_call_;
    call.entered = at;
    observer_.on_call(of.program, at, call);
  }
}

/// Returns the blocked call that is reported next; nullptr if there is none.
TracedThread* ThreadCalls::next_blocking() {
  for (; !blocking_.empty(); blocking_.pop_front()) {
    const auto [due, id] = blocking_.front();
    TracedThread* const of = threads_.find(id);
    if (of == nullptr || !of->pending) continue;  // it has returned
    const PendingCall& pending = *of->pending;
    // An entry that is older than the call is of an earlier call of the thread.
    if (!pending.is_reported && pending.entered + kBlocksAfter <= due) return of;
  }
  return nullptr;
}

std::optional<base::Instant> ThreadCalls::due() {
  std::optional<base::Instant> first;
  if (next_blocking() != nullptr) first = blocking_.front().first;
  if (delayed_.empty()) return first;
  const base::Instant resumed = delayed_.begin()->first;
  return first ? std::min(*first, resumed) : resumed;
}

void ThreadCalls::report_blocked(base::Instant now) {
  for (TracedThread* of = next_blocking(); of != nullptr; of = next_blocking()) {
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

std::vector<pid_t> ThreadCalls::end_delays(base::Instant now) {
  std::vector<pid_t> ended;
  while (!delayed_.empty()) {
    const auto [due, id] = *delayed_.begin();
    if (due > now) break;
    delayed_.erase(delayed_.begin());
    TracedThread* const of = threads_.find(id);
    // Since then, the thread may have ended, and another may have its id.
    if (of == nullptr || of->delayed_until != due) continue;
    of->delayed_until.reset();
    if (of->pending) of->pending->make_change();
    ended.push_back(id);
  }
  return ended;
}

}  // namespace tcplab::capture
