#include <dlfcn.h>
#include <poll.h>
#include <sched.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <ctime>
#include <limits>
#include <memory>
#include <string>

#include "tests/catch.hh"
#include "uml/guest_clock.hh"

using namespace tcplab;
using namespace std::chrono_literals;

namespace {

using base::FileDescriptor;

volatile sig_atomic_t alarms = 0;

void count_alarm(int /*number*/, siginfo_t* /*info*/, void* /*context*/) { alarms = alarms + 1; }

/// The functions that a kernel finds in the preload library instead of those of the C library.
struct Library {
  void* handle =
      ::dlopen((std::string(std::getenv("TCPLAB_RELEASE_BIN")) + "/tcplab-guest.so").c_str(),
               RTLD_NOW | RTLD_LOCAL);
  template <typename Function>
  Function* find(const char* name) const {
    return reinterpret_cast<Function*>(::dlsym(handle, name));
  }
  int (*sigaction)(int, const struct sigaction*,
                   struct sigaction*) = find<decltype(::sigaction)>("sigaction");
  int (*timer_settime)(timer_t, int, const itimerspec*,
                       itimerspec*) = find<decltype(::timer_settime)>("timer_settime");
  int (*sigsuspend)(const sigset_t*) = find<decltype(::sigsuspend)>("sigsuspend");
};

void set_variable(const char* name, int value) { ::setenv(name, std::to_string(value).c_str(), 1); }

/// Sleeps as an idle kernel does, while a signal is pending of a timer that it has set again since.
/// Linux 6.13 and later drop such a signal when it is delivered (posixtimer_deliver_signal(),
/// kernel/time/posix-timers.c). Returns how many alarms the kernel has got.
int sleep_with_stale_signal() {
  const Library library;
  struct sigaction action {};
  action.sa_flags = SA_SIGINFO;
  action.sa_sigaction = count_alarm;
  library.sigaction(SIGALRM, &action, nullptr);
  timer_t timer{};
  ::timer_create(CLOCK_MONOTONIC, nullptr, &timer);
  sigset_t alarm;
  sigset_t before;
  sigemptyset(&alarm);
  sigaddset(&alarm, SIGALRM);
  ::sigprocmask(SIG_BLOCK, &alarm, &before);
  const itimerspec soon{{}, {0, 1}};
  library.timer_settime(timer, 0, &soon, nullptr);
  for (sigset_t pending; ::sigpending(&pending) == 0 && sigismember(&pending, SIGALRM) == 0;) {
  }
  const itimerspec later{{}, {3600, 0}};
  library.timer_settime(timer, 0, &later, nullptr);
  library.sigsuspend(&before);
  return alarms;
}

}  // namespace

TEST_CASE("a kernel wakes up although a stale signal of its timer is pending", "[preload]") {
  uml::GuestClock clock;
  const auto place = clock.add([] { return true; });
  // It is full, so the kernel waits when it has said that it sleeps, and before it does.
  const FileDescriptor bell(::eventfd(0, 0));
  const std::uint64_t full = std::numeric_limits<std::uint64_t>::max() - 1;
  CHECK(::write(bell.get(), &full, sizeof full) == sizeof full);
  const pid_t owner = ::getpid();
  const pid_t kernel = ::fork();
  if (kernel == 0) {
    set_variable(uml::kPageVariable, ::dup(place->page_descriptor()));
    set_variable(uml::kSlotVariable, static_cast<int>(place->number()));
    set_variable(uml::kBellVariable, bell.get());
    set_variable(uml::kOwnerVariable, owner);
    ::_exit(sleep_with_stale_signal());
  }
  place->set_process(kernel);
  const FileDescriptor end(static_cast<int>(::syscall(SYS_pidfd_open, kernel, 0)));
  auto rest = clock.rest();
  for (; !rest && ::waitpid(kernel, nullptr, WNOHANG) == 0; rest = clock.rest()) ::sched_yield();
  CHECK(rest);
  if (rest) clock.skip(*rest->next_timer - base::now());
  std::uint64_t count = 0;
  CHECK(::read(bell.get(), &count, sizeof count) == sizeof count);
  pollfd ends{end.get(), POLLIN, 0};
  CHECK(::poll(&ends, 1, 20'000) == 1);
  ::kill(kernel, SIGKILL);
  int status = 0;
  ::waitpid(kernel, &status, 0);
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 1);
}
