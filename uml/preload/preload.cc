// A library for LD_PRELOAD of a User-mode Linux kernel (a Linux process, dynamically linked). It
// changes what the kernel asks of the machine:
// - Its clock is the lab's virtual clock, and the lab knows when it sleeps, and until when.
// - It does not sleep if a signal has come since it decided to: UML only remembers such a signal,
//   and would sleep until its next timer.
// - Everything that it starts dies with it, and it dies with the lab. Without this, a process of a
//   guest whose kernel has died would go on, and its next system call would reach the machine.
// - It cannot reach the machine (confinement.hh).
// - It leaves no file: the kernel would make a folder for a console of commands, which outlives it.
// - It survives processors with a large floating-point state, and does not write a state that the
//   process has already (extended_state.hh).
//
// Without the C++ library and exceptions: it lives in a process that has neither.

#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <ctime>

#include "uml/clock_page.hh"
#include "uml/extended_state.hh"
#include "uml/preload/confinement.hh"

namespace tcplab::uml {

namespace {

constexpr std::int64_t kSecond = 1'000'000'000;

ClockPage* page = nullptr;
GuestSlot* slot = nullptr;
int bell = -1;

// The kernel's one timer. Setting the machine's timer behind it was a third of the time that a
// kernel takes when time is skipped. So it is set again only if it would fire too late. If it fires
// too early, the kernel finds that nothing is due.
bool has_timer = false;
timer_t timer{};
std::int64_t interval = 0;           // of a periodic timer, which the kernel has while it boots
volatile bool is_due_ahead = false;  // the kernel waits for its signal
volatile std::int64_t due = 0;       // when it fires, in virtual time
std::int64_t machine_due = 0;        // when the machine's timer fires, in the machine's time

bool is_confined = false;
bool has_view = false;  // and so a folder where it may write

/// Returns the next definition of a function: that of the C library.
template <typename Function>
Function* next(const char* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

std::int64_t nanoseconds_of(const timespec& time) { return time.tv_sec * kSecond + time.tv_nsec; }
timespec timespec_of(std::int64_t nanoseconds) {
  return {nanoseconds / kSecond, static_cast<long>(nanoseconds % kSecond)};
}

int machine_clock(clockid_t clock, timespec* time) {
  static auto* const kReal = next<int(clockid_t, timespec*)>("clock_gettime");
  return kReal(clock, time);
}

std::int64_t machine_time() {
  timespec time{};
  machine_clock(CLOCK_MONOTONIC, &time);
  return nanoseconds_of(time);
}

std::int64_t virtual_time_at(std::int64_t machine) {
  return page->origin + (machine - page->origin) / page->slowness + page->offset;
}

/// Returns a span of virtual time as one of the machine's.
std::int64_t machine_span(std::int64_t span) { return span * page->slowness; }

int number_of(const char* variable) {
  const char* text = std::getenv(variable);
  return text == nullptr ? -1 : std::atoi(text);
}

/// Dies with `parent`, also if it has died already.
void die_with(pid_t parent) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(1);
}

__attribute__((constructor)) void begin() {
  if (number_of(kConfinedVariable) > 0) {
    confine(number_of(kViewVariable));
    is_confined = true;
    has_view = number_of(kViewVariable) >= 0;
  }
  const int owner = number_of(kOwnerVariable);
  if (owner > 0) die_with(owner);
  const int descriptor = number_of(kPageVariable);
  const int number = number_of(kSlotVariable);
  if (descriptor < 0 || number < 0) return;
  void* memory =
      ::mmap(nullptr, sizeof(ClockPage), PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  if (memory == MAP_FAILED) ::_exit(1);
  ::close(descriptor);
  page = static_cast<ClockPage*>(memory);
  slot = &page->slots[number];
  bell = number_of(kBellVariable);
  slot->pid = ::getpid();
}

// Signals that the kernel has got. It is single-threaded, and each handler runs on its thread.
using Handler = void(int, siginfo_t*, void*);
constexpr int kSignals = 65;
Handler* handlers[kSignals];
volatile std::uint64_t signals = 0;
std::uint64_t known_signals = 0;  // when it last slept, or looked

void count_signal(int number, siginfo_t* info, void* context) {
  signals = signals + 1;
  if (number == SIGALRM && page != nullptr && virtual_time_at(machine_time()) >= due) {
    is_due_ahead = interval != 0;
    due = due + interval;
  }
  handlers[number](number, info, context);
}

/// For the kernel, its timer has fired.
void wake(int /*number*/, siginfo_t* info, void* context) { count_signal(SIGALRM, info, context); }

int set_machine_timer(timer_t which, int flags, const itimerspec* value, itimerspec* old) {
  static auto* const kReal =
      next<int(timer_t, int, const itimerspec*, itimerspec*)>("timer_settime");
  return kReal(which, flags, value, old);
}

/// Sets the machine's timer, unless it fires before the kernel's timer is due anyway. Time may have
/// been skipped since it was set: then it would fire late by that much.
void arm() {
  if (!is_due_ahead || interval != 0) return;
  const std::int64_t now = machine_time();
  const std::int64_t rest = due - virtual_time_at(now);
  const std::int64_t wanted = now + (rest < 1 ? 1 : machine_span(rest));
  const bool is_right = page->slowness == 1 ? machine_due == wanted : machine_due <= wanted;
  if (machine_due > now && is_right) return;
  machine_due = wanted;
  const itimerspec setting{{}, timespec_of(wanted - now)};
  set_machine_timer(timer, 0, &setting, nullptr);
}

/// Tells the lab that this kernel sleeps, and until when.
void tell_sleep() {
  slot->deadline = is_due_ahead ? due : virtual_time_at(machine_time());
  slot->sleeps = slot->sleeps + 1;
  const std::uint64_t one = 1;
  if (bell >= 0 && ::write(bell, &one, sizeof one) == -1) return;  // full: the lab has not looked
}

/// Opens what a confined process cannot open itself: /dev/null, which is its descriptor 0, and the
/// file of the kernel's memory, which needs neither a name nor a folder. Otherwise returns -1.
int open_instead(const char* path, int flags) {
  if (!is_confined) return -1;
  if (std::strcmp(path, "/dev/null") == 0) return ::dup(STDIN_FILENO);
  const bool is_memory = !has_view && (flags & O_TMPFILE) == O_TMPFILE;
  return is_memory ? ::memfd_create("tcplab-guest", MFD_CLOEXEC) : -1;
}

/// What a new process of the kernel runs first.
struct Start {
  int (*function)(void*);
  void* argument;
  pid_t parent;
};

int start_mortal(void* data) {
  const Start start = *static_cast<Start*>(data);
  die_with(start.parent);
  return start.function(start.argument);
}

long next_ptrace(int request, pid_t process, const void* address, void* data) {
  static auto* const kReal = next<long(int, pid_t, const void*, void*)>("ptrace");
  return kReal(request, process, address, data);
}

long register_set(int request, pid_t process, const void* kind, iovec* area) {
  return next_ptrace(request, process, kind, area);
}

ExtendedStates extended_states(register_set);

}  // namespace

}  // namespace tcplab::uml

using namespace tcplab::uml;  // the functions below replace those of the C library

extern "C" {

int clock_gettime(clockid_t clock, timespec* time) noexcept {
  const int result = machine_clock(clock, time);
  if (result != 0 || page == nullptr) return result;
  if (clock != CLOCK_MONOTONIC && clock != CLOCK_REALTIME) return result;
  const std::int64_t machine = machine_time();
  std::int64_t now = nanoseconds_of(*time) + virtual_time_at(machine) - machine;
  if (clock == CLOCK_MONOTONIC) {
    if (const std::int64_t held = slot->held; now < held) now = held;
    now += slot->ahead;
  }
  *time = timespec_of(now);
  return result;
}

int timer_settime(timer_t which, int flags, const itimerspec* value, itimerspec* old) noexcept {
  if (page == nullptr) return set_machine_timer(which, flags, value, old);
  const std::int64_t first = nanoseconds_of(value->it_value);
  has_timer = true;
  timer = which;
  interval = nanoseconds_of(value->it_interval);
  due = virtual_time_at(machine_time()) + first;
  is_due_ahead = first != 0;  // last: the signal of the timer before may come in between
  if (first != 0 && interval == 0) {
    arm();
    return 0;
  }
  machine_due = 0;
  const itimerspec setting{timespec_of(machine_span(interval)), timespec_of(machine_span(first))};
  return set_machine_timer(which, flags, &setting, old);
}

/// Answers what the kernel has set, not what the machine's timer does.
int timer_gettime(timer_t which, itimerspec* value) noexcept {
  static auto* const kReal = next<int(timer_t, itimerspec*)>("timer_gettime");
  if (page == nullptr || !has_timer) return kReal(which, value);
  const std::int64_t rest = due - virtual_time_at(machine_time());
  *value = {{}, timespec_of(!is_due_ahead ? 0 : rest < 1 ? 1 : rest)};
  return 0;
}

int sigaction(int number, const struct sigaction* action, struct sigaction* old) noexcept {
  static auto* const kReal =
      next<int(int, const struct sigaction*, struct sigaction*)>("sigaction");
  if (number != SIGIO && number != SIGALRM) return kReal(number, action, old);
  Handler* const before = handlers[number];
  struct sigaction counted {};
  if (action != nullptr) counted = *action;
  if ((counted.sa_flags & SA_SIGINFO) != 0) {
    handlers[number] = action->sa_sigaction;
    counted.sa_sigaction = count_signal;
  }
  const int result = kReal(number, action == nullptr ? nullptr : &counted, old);
  if (number == SIGALRM && counted.sa_sigaction == count_signal) {
    counted.sa_sigaction = wake;
    kReal(kWakeSignal, &counted, nullptr);
  }
  // UML sets its old handler again later, so it must not be ours.
  if (result == 0 && old != nullptr && old->sa_sigaction == count_signal)
    old->sa_sigaction = before;
  return result;
}

int sigsuspend(const sigset_t* mask) {
  static auto* const kReal = next<int(const sigset_t*)>("sigsuspend");
  if (slot == nullptr || !has_timer) return kReal(mask);
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, &before);
  if (signals != known_signals) {  // UML has perhaps only remembered it: let it look
    known_signals = signals;
    sigprocmask(SIG_SETMASK, &before, nullptr);
    errno = EINTR;
    return -1;
  }
  arm();
  tell_sleep();
  const int result = kReal(mask);
  const int error = errno;
  arm();
  slot->wakes = slot->wakes + 1;
  known_signals = signals;  // UML looks at these when this returns
  sigprocmask(SIG_SETMASK, &before, nullptr);
  errno = error;
  return result;
}

int open(const char* path, int flags, ...) {
  static auto* const kReal = next<int(const char*, int, ...)>("open");
  va_list arguments;
  va_start(arguments, flags);
  const auto mode = va_arg(arguments, mode_t);
  va_end(arguments);
  const int other = open_instead(path, flags);
  return other >= 0 ? other : kReal(path, flags, mode);
}

int open64(const char* path, int flags, ...) {
  static auto* const kReal = next<int(const char*, int, ...)>("open64");
  va_list arguments;
  va_start(arguments, flags);
  const auto mode = va_arg(arguments, mode_t);
  va_end(arguments);
  const int other = open_instead(path, flags);
  return other >= 0 ? other : kReal(path, flags, mode);
}

int mkdir(const char* path, mode_t mode) noexcept {
  static auto* const kReal = next<int(const char*, mode_t)>("mkdir");
  return std::strncmp(path, kNoFolder, sizeof kNoFolder - 1) == 0 ? 0 : kReal(path, mode);
}

int clone(int (*function)(void*), void* stack, int flags, void* argument, ...) noexcept {
  static auto* const kReal = next<int(int (*)(void*), void*, int, void*, ...)>("clone");
  constexpr std::size_t kAlignment = 64;
  // At the top of the new stack, because the caller's may be gone when the child looks.
  auto top = reinterpret_cast<std::uintptr_t>(stack) - sizeof(Start);
  auto* start = reinterpret_cast<Start*>(top - top % kAlignment);
  *start = {function, argument, ::getpid()};
  return kReal(start_mortal, start, flags, start);
}

long ptrace(__ptrace_request request, ...) noexcept {
  va_list arguments;
  va_start(arguments, request);
  const pid_t process = va_arg(arguments, pid_t);
  const void* address = va_arg(arguments, void*);
  void* data = va_arg(arguments, void*);
  va_end(arguments);
  constexpr int kOldSetOptions = 21;  // PTRACE_OLDSETOPTIONS
  if (request == PTRACE_SETOPTIONS || static_cast<int>(request) == kOldSetOptions)
    data = reinterpret_cast<void*>(reinterpret_cast<std::uintptr_t>(data) | PTRACE_O_EXITKILL);
  const bool is_state = reinterpret_cast<std::uintptr_t>(address) == NT_X86_XSTATE;
  if (request == PTRACE_GETREGSET && is_state)
    return extended_states.read(process, *static_cast<iovec*>(data));
  if (request == PTRACE_SETREGSET && is_state)
    return extended_states.write(process, *static_cast<iovec*>(data));
  const bool may_run =
      request != PTRACE_GETREGS && request != PTRACE_SETREGS && request != PTRACE_GETSIGINFO;
  if (may_run) extended_states.forget(process);
  return next_ptrace(request, process, address, data);
}

}  // extern "C"
