#include "capture/calls/trace_loop.hh"

#include <poll.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>

#include "base/error.hh"

namespace tcplab::capture {

namespace {

constexpr base::nanoseconds kFlushAfter = std::chrono::milliseconds(1);

sigset_t child_signal() {
  sigset_t set;
  ::sigemptyset(&set);
  ::sigaddset(&set, SIGCHLD);
  return set;
}

int milliseconds_until(base::Instant due, base::Instant now) {
  if (due <= now) return 0;
  return static_cast<int>(std::chrono::ceil<std::chrono::milliseconds>(due - now).count());
}

}  // namespace

TraceLoop::TraceLoop(Tracer& tracer) : tracer_(tracer) {
  const sigset_t set = child_signal();
  base::check("block SIGCHLD", ::sigprocmask(SIG_BLOCK, &set, nullptr));
  children_ = base::FileDescriptor(
      base::check("watch SIGCHLD", ::signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC)));
}

TraceLoop::~TraceLoop() {
  const sigset_t set = child_signal();
  ::sigprocmask(SIG_UNBLOCK, &set, nullptr);
}

bool TraceLoop::turn(int descriptor, const std::function<void()>& flush) {
  const std::size_t handled = tracer_.handle_stops();
  const base::Instant now = base::now();
  const auto due = tracer_.report_blocked(now);
  const bool is_quiet = handled == 0;
  if (is_quiet || now - flushed_ >= kFlushAfter) {
    flush();
    flushed_ = now;
  }
  // After a stop the next one usually comes soon. The short wait ends in a flush.
  int timeout = due ? milliseconds_until(*due, now) : -1;
  if (!is_quiet) timeout = 1;
  std::array<pollfd, 2> wanted = {pollfd{children_.get(), POLLIN, 0}, {descriptor, POLLIN, 0}};
  const int ready = ::poll(wanted.data(), wanted.size(), timeout);
  if (ready == -1 && errno != EINTR) throw base::SystemError("wait for traced programs", errno);
  if (ready > 0 && wanted[0].revents != 0) {
    signalfd_siginfo ignored{};
    [[maybe_unused]] const ssize_t size = ::read(children_.get(), &ignored, sizeof ignored);
  }
  return ready > 0 && wanted[1].revents != 0;
}

}  // namespace tcplab::capture
