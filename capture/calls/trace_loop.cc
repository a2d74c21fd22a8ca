#include "capture/calls/trace_loop.hh"

#include <fcntl.h>
#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <ctime>

#include "base/error.hh"

namespace tcplab::capture {

namespace {

constexpr base::nanoseconds kTick = std::chrono::milliseconds(1);

// Of the one loop of this process: its signal handler needs them.
volatile std::sig_atomic_t is_woken = 0;
timer_t wake_timer{};

/// timer_settime(2) is safe in a signal handler (signal-safety(7)). 0: never.
void set_timer(base::nanoseconds after) {
  constexpr std::int64_t kSecond = 1'000'000'000;
  const itimerspec time{{}, {after.count() / kSecond, after.count() % kSecond}};
  ::timer_settime(wake_timer, 0, &time, nullptr);
}

/// If the signal comes just before waitpid(2), it does not end that wait. So it comes again, until
/// the loop has seen it.
void wake(int /*signal*/) {
  is_woken = 1;
  const int error = errno;
  set_timer(kTick);
  errno = error;
}

bool is_readable(int descriptor, int timeout) {
  pollfd wanted{descriptor, POLLIN, 0};
  return ::poll(&wanted, 1, timeout) > 0;
}

}  // namespace

TraceLoop::TraceLoop(Tracer& tracer) : tracer_(tracer), thread_(::gettid()) {
  sigevent event{};
  event.sigev_notify = SIGEV_THREAD_ID;
  event.sigev_signo = SIGIO;
  event._sigev_un._tid = thread_;
  base::check("make a timer", ::timer_create(CLOCK_MONOTONIC, &event, &wake_timer));
  struct sigaction action {};
  action.sa_handler = wake;  // without SA_RESTART: it ends waitpid(2)
  base::check("handle SIGIO", ::sigaction(SIGIO, &action, nullptr));
}

TraceLoop::~TraceLoop() {
  ::timer_delete(wake_timer);
  std::signal(SIGIO, SIG_IGN);  // the descriptor may still send one
}

void TraceLoop::interrupt() const { ::syscall(SYS_tgkill, ::getpid(), thread_, SIGIO); }

/// Asks for SIGIO when the descriptor becomes readable: F_SETOWN_EX in fcntl(2).
void TraceLoop::watch(int descriptor) {
  watched_ = descriptor;
  if (descriptor < 0) return;
  const f_owner_ex owner{F_OWNER_TID, ::gettid()};
  base::check("watch a descriptor", ::fcntl(descriptor, F_SETOWN_EX, &owner));
  const int flags = base::check("watch a descriptor", ::fcntl(descriptor, F_GETFL));
  base::check("watch a descriptor", ::fcntl(descriptor, F_SETFL, flags | O_ASYNC));
  is_woken = 1;  // it may be readable already
}

/// Flushes, and reports calls that have blocked long enough. Returns whether the descriptor is
/// readable.
bool TraceLoop::tick(const std::function<void()>& flush) {
  set_timer({});
  is_armed_ = false;
  is_woken = 0;
  const base::Instant now = base::now();
  tracer_.act_on_time(now);
  flush();
  auto due = tracer_.due();
  if (alarm_ && (!due || *alarm_ < *due)) due = alarm_;
  if (due) {
    set_timer(std::max(*due - now, kTick / 4));  // not one for each of many threads
    is_armed_ = *due - now <= kTick;
  }
  if (watched_ < 0 || !is_readable(watched_, 0)) return false;
  is_woken = 1;  // SIGIO comes for the first message only: look again
  return true;
}

bool TraceLoop::turn(int descriptor, const std::function<void()>& flush) {
  if (descriptor != watched_) watch(descriptor);
  if (is_woken != 0) return tick(flush);
  if (tracer_.handle_next()) {
    if (!is_armed_) set_timer(kTick);
    is_armed_ = true;
    return false;
  }
  if (tracer_.has_tracees() || watched_ < 0) return false;
  flush();
  return is_readable(watched_, -1);
}

}  // namespace tcplab::capture
