// A library for LD_PRELOAD of the processes of a stack host whose run has a virtual clock: their
// clocks are the lab's, and so are the times until which they wait.
//
// A wait with a limit becomes one without, which the library ends in time (waits.hh). So the lab
// can see in /proc whether a thread waits for anything but the lab. A timer that the library does
// not replace makes time pass as usual.
//
// Without the C++ library and exceptions: it lives in processes that may have neither.

#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <csignal>
#include <cstring>
#include <ctime>

#include "lab/clock/clock_page.hh"
#include "lab/clock/preload/machine_calls.hh"
#include "lab/clock/preload/waits.hh"

namespace tcplab::lab {

namespace {

constexpr std::int64_t kMillisecond = 1'000'000;
constexpr std::int64_t kMicrosecond = 1000;

__attribute__((constructor)) void begin() { start_waits(); }

bool is_shifted(clockid_t clock) {
  switch (clock) {
    case CLOCK_REALTIME:
    case CLOCK_REALTIME_COARSE:
    case CLOCK_MONOTONIC:
    case CLOCK_MONOTONIC_COARSE:
    case CLOCK_MONOTONIC_RAW:
    case CLOCK_BOOTTIME:
    case CLOCK_TAI:
      return true;
    default:  // of a process or thread
      return false;
  }
}

/// A sum that stays below the deadline of those who wait for ever.
std::int64_t after(std::int64_t span) {
  const std::int64_t now = lab_time();
  return span >= kNoDeadline - 1 - now ? kNoDeadline - 1 : now + span;
}

std::int64_t span_of(const timespec& time) {
  if (time.tv_sec >= kNoDeadline / kSecond) return kNoDeadline - 1;
  return nanoseconds_of(time);
}

bool is_valid(const timespec& time) {
  return time.tv_sec >= 0 && time.tv_nsec >= 0 && time.tv_nsec < kSecond;
}

/// Returns the lab's monotonic time at an absolute time of a clock.
std::int64_t deadline_at(clockid_t clock, const timespec& time) {
  return after(span_of(time) - machine_time(clock) - lab_offset());
}

void end_cancelled(void* place) { end_wait(static_cast<WaitPlace*>(place)); }

/// Ends `wait(mask)`, which must not have a limit, at the deadline. Returns its result, or 0 at the
/// deadline. `given`: the mask of signals during the wait; null: that of the thread.
template <typename Function>
int wait_until(std::int64_t deadline, const sigset_t* given, const Function& wait) {
  sigset_t mask;
  if (given != nullptr)
    mask = *given;
  else
    pthread_sigmask(SIG_BLOCK, nullptr, &mask);
  sigdelset(&mask, kWaitSignal);
  for (;;) {
    was_signalled();
    WaitPlace* place = begin_wait(deadline, nullptr);
    int result = 0;
    pthread_cleanup_push(end_cancelled, place);
    result = wait(&mask);
    pthread_cleanup_pop(0);
    const int error = errno;
    const bool is_over = end_wait(place);
    errno = error;
    if (result != -1 || error != EINTR) return result;
    if (is_over) return 0;
    if (!was_signalled()) return -1;  // not by the signal of an earlier wait
  }
}

/// Sleeps. Returns 0, or EINTR.
int sleep_until(std::int64_t deadline) {
  static auto* const kReal = next<int(pollfd*, nfds_t, const timespec*, const sigset_t*)>("ppoll");
  if (deadline <= lab_time()) return 0;
  return wait_until(deadline, nullptr,
                    [](const sigset_t* mask) { return kReal(nullptr, 0, nullptr, mask); }) == 0
             ? 0
             : EINTR;
}

std::int64_t rest_until(std::int64_t deadline) {
  const std::int64_t rest = deadline - lab_time();
  return rest < 0 ? 0 : rest;
}

/// Sleeps for a span. Returns 0, or EINTR and what is left.
int sleep_for(std::int64_t span, timespec* left) {
  const std::int64_t deadline = after(span);
  const int error = sleep_until(deadline);
  if (error != 0 && left != nullptr) *left = timespec_of(rest_until(deadline));
  return error;
}

int fail_with(int error) {
  if (error == 0) return 0;
  errno = error;
  return -1;
}

/// A wait that others may end for no reason (pthread_cond_wait(3)).
int wait_for_condition(pthread_cond_t* condition, pthread_mutex_t* mutex, std::int64_t deadline) {
  WaitPlace* place = begin_wait(deadline, condition);
  int error = 0;
  pthread_cleanup_push(end_cancelled, place);
  error = ::pthread_cond_wait(condition, mutex);
  pthread_cleanup_pop(0);
  const bool is_over = end_wait(place);
  return error == 0 && is_over ? ETIMEDOUT : error;
}

/// Which clock the times of a condition belong to (glibc, nptl/pthreadP.h:
/// __PTHREAD_COND_CLOCK_MONOTONIC_MASK).
clockid_t clock_of(const pthread_cond_t* condition) {
  return (condition->__data.__wrefs & 2U) != 0 ? CLOCK_MONOTONIC : CLOCK_REALTIME;
}

/// sem_wait(3) has no mask of signals. One that comes just before it is repeated.
int wait_for_semaphore(sem_t* semaphore, clockid_t clock, const timespec& time) {
  if (::sem_trywait(semaphore) == 0) return 0;
  if (!is_valid(time)) return fail_with(EINVAL);
  sigset_t own;
  sigemptyset(&own);
  sigaddset(&own, kWaitSignal);
  bool has_it = false;
  const int result = wait_until(deadline_at(clock, time), nullptr, [&](const sigset_t* /*mask*/) {
    sigset_t before;
    pthread_sigmask(SIG_UNBLOCK, &own, &before);
    const int waited = ::sem_wait(semaphore);
    const int error = errno;
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    errno = error;
    has_it = waited == 0;
    return waited;
  });
  return result == 0 && !has_it ? fail_with(ETIMEDOUT) : result;
}

/// Like select(2): at the deadline, no descriptor is ready.
void clear(int count, fd_set* set) {
  constexpr int kBits = CHAR_BIT * sizeof(long);
  if (set != nullptr && count > 0)
    std::memset(set, 0, static_cast<std::size_t>((count + kBits - 1) / kBits) * sizeof(long));
}

int select_until(int count, fd_set* read, fd_set* write, fd_set* except, std::int64_t deadline,
                 const sigset_t* given) {
  static auto* const kReal =
      next<int(int, fd_set*, fd_set*, fd_set*, const timespec*, const sigset_t*)>("pselect");
  bool is_ready = false;
  const int result = wait_until(deadline, given, [&](const sigset_t* mask) {
    const int ready = kReal(count, read, write, except, nullptr, mask);
    is_ready = ready != -1;
    return ready;
  });
  if (result != 0 || is_ready) return result;
  for (fd_set* set : {read, write, except}) clear(count, set);
  return 0;
}

void note(OwnTimer timer) {
  if (has_clock()) note_own_timer(static_cast<std::int64_t>(timer));
}

bool is_set(const timeval& value) { return value.tv_sec != 0 || value.tv_usec != 0; }
bool is_set(const timespec& value) { return value.tv_sec != 0 || value.tv_nsec != 0; }

}  // namespace

}  // namespace tcplab::lab

using namespace tcplab::lab;  // the functions below replace those of the C library

extern "C" {

int clock_gettime(clockid_t clock, timespec* time) noexcept {
  static auto* const kReal = next<int(clockid_t, timespec*)>("clock_gettime");
  const int result = kReal(clock, time);
  if (result == 0 && has_clock() && is_shifted(clock))
    *time = timespec_of(nanoseconds_of(*time) + lab_offset());
  return result;
}

int gettimeofday(timeval* time, void* zone) noexcept {
  static auto* const kReal = next<int(timeval*, void*)>("gettimeofday");
  if (!has_clock()) return kReal(time, zone);
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  *time = {now.tv_sec, now.tv_nsec / kMicrosecond};
  return 0;
}

time_t time(time_t* result) noexcept {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  if (result != nullptr) *result = now.tv_sec;
  return now.tv_sec;
}

int timespec_get(timespec* time, int base) noexcept {
  if (base != TIME_UTC) return 0;
  clock_gettime(CLOCK_REALTIME, time);
  return base;
}

int nanosleep(const timespec* time, timespec* left) {
  static auto* const kReal = next<int(const timespec*, timespec*)>("nanosleep");
  if (!has_clock() || !is_valid(*time)) return kReal(time, left);
  return fail_with(sleep_for(span_of(*time), left));
}

int clock_nanosleep(clockid_t clock, int flags, const timespec* time, timespec* left) {
  static auto* const kReal =
      next<int(clockid_t, int, const timespec*, timespec*)>("clock_nanosleep");
  if (!has_clock() || !is_shifted(clock) || !is_valid(*time))
    return kReal(clock, flags, time, left);
  if ((flags & TIMER_ABSTIME) != 0) return sleep_until(deadline_at(clock, *time));
  return sleep_for(span_of(*time), left);
}

unsigned sleep(unsigned seconds) {
  static auto* const kReal = next<unsigned(unsigned)>("sleep");
  if (!has_clock()) return kReal(seconds);
  timespec left{};
  if (sleep_for(seconds * kSecond, &left) == 0) return 0;
  return static_cast<unsigned>(left.tv_sec) + (left.tv_nsec >= kSecond / 2 ? 1 : 0);
}

int usleep(useconds_t microseconds) {
  static auto* const kReal = next<int(useconds_t)>("usleep");
  if (!has_clock()) return kReal(microseconds);
  return fail_with(sleep_for(microseconds * kMicrosecond, nullptr));
}

int poll(pollfd* entries, nfds_t count, int milliseconds) {
  static auto* const kReal = next<int(pollfd*, nfds_t, int)>("poll");
  static auto* const kWait = next<int(pollfd*, nfds_t, const timespec*, const sigset_t*)>("ppoll");
  if (!has_clock() || milliseconds <= 0) return kReal(entries, count, milliseconds);
  return wait_until(after(milliseconds * kMillisecond), nullptr,
                    [&](const sigset_t* mask) { return kWait(entries, count, nullptr, mask); });
}

int ppoll(pollfd* entries, nfds_t count, const timespec* time, const sigset_t* given) {
  static auto* const kReal = next<int(pollfd*, nfds_t, const timespec*, const sigset_t*)>("ppoll");
  if (!has_clock() || time == nullptr || !is_valid(*time) || !is_set(*time))
    return kReal(entries, count, time, given);
  return wait_until(after(span_of(*time)), given,
                    [&](const sigset_t* mask) { return kReal(entries, count, nullptr, mask); });
}

int select(int count, fd_set* read, fd_set* write, fd_set* except, timeval* time) {
  static auto* const kReal = next<int(int, fd_set*, fd_set*, fd_set*, timeval*)>("select");
  if (!has_clock() || time == nullptr || time->tv_sec < 0 || time->tv_usec < 0 || !is_set(*time))
    return kReal(count, read, write, except, time);
  const timespec span{time->tv_sec + time->tv_usec / 1'000'000,
                      time->tv_usec % 1'000'000 * kMicrosecond};
  const std::int64_t deadline = after(span_of(span));
  const int result = select_until(count, read, write, except, deadline, nullptr);
  const int error = errno;
  const timespec left = timespec_of(rest_until(deadline));
  *time = {left.tv_sec, left.tv_nsec / kMicrosecond};
  errno = error;
  return result;
}

int pselect(int count, fd_set* read, fd_set* write, fd_set* except, const timespec* time,
            const sigset_t* given) {
  static auto* const kReal =
      next<int(int, fd_set*, fd_set*, fd_set*, const timespec*, const sigset_t*)>("pselect");
  if (!has_clock() || time == nullptr || !is_valid(*time) || !is_set(*time))
    return kReal(count, read, write, except, time, given);
  return select_until(count, read, write, except, after(span_of(*time)), given);
}

int epoll_pwait(int epoll, epoll_event* events, int most, int milliseconds, const sigset_t* given) {
  static auto* const kReal = next<int(int, epoll_event*, int, int, const sigset_t*)>("epoll_pwait");
  if (!has_clock() || milliseconds <= 0) return kReal(epoll, events, most, milliseconds, given);
  return wait_until(after(milliseconds * kMillisecond), given,
                    [&](const sigset_t* mask) { return kReal(epoll, events, most, -1, mask); });
}

int epoll_wait(int epoll, epoll_event* events, int most, int milliseconds) {
  return epoll_pwait(epoll, events, most, milliseconds, nullptr);
}

int epoll_pwait2(int epoll, epoll_event* events, int most, const timespec* time,
                 const sigset_t* given) {
  static auto* const kReal =
      next<int(int, epoll_event*, int, const timespec*, const sigset_t*)>("epoll_pwait2");
  if (!has_clock() || time == nullptr || !is_valid(*time) || !is_set(*time))
    return kReal(epoll, events, most, time, given);
  return wait_until(after(span_of(*time)), given, [&](const sigset_t* mask) {
    return kReal(epoll, events, most, nullptr, mask);
  });
}

int pthread_cond_timedwait(pthread_cond_t* condition, pthread_mutex_t* mutex,
                           const timespec* time) {
  static auto* const kReal =
      next<int(pthread_cond_t*, pthread_mutex_t*, const timespec*)>("pthread_cond_timedwait");
  if (!has_clock() || !is_valid(*time)) return kReal(condition, mutex, time);
  return wait_for_condition(condition, mutex, deadline_at(clock_of(condition), *time));
}

int pthread_cond_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t clock,
                           const timespec* time) {
  static auto* const kReal =
      next<int(pthread_cond_t*, pthread_mutex_t*, clockid_t, const timespec*)>(
          "pthread_cond_clockwait");
  if (!has_clock() || !is_valid(*time)) return kReal(condition, mutex, clock, time);
  return wait_for_condition(condition, mutex, deadline_at(clock, *time));
}

int sem_timedwait(sem_t* semaphore, const timespec* time) {
  static auto* const kReal = next<int(sem_t*, const timespec*)>("sem_timedwait");
  if (!has_clock()) return kReal(semaphore, time);
  return wait_for_semaphore(semaphore, CLOCK_REALTIME, *time);
}

int sem_clockwait(sem_t* semaphore, clockid_t clock, const timespec* time) {
  static auto* const kReal = next<int(sem_t*, clockid_t, const timespec*)>("sem_clockwait");
  if (!has_clock()) return kReal(semaphore, clock, time);
  return wait_for_semaphore(semaphore, clock, *time);
}

int timerfd_settime(int timer, int flags, const itimerspec* value, itimerspec* old) noexcept {
  static auto* const kReal = next<int(int, int, const itimerspec*, itimerspec*)>("timerfd_settime");
  if (is_set(value->it_value)) note(OwnTimer::timerfd);
  return kReal(timer, flags, value, old);
}

int timer_settime(timer_t timer, int flags, const itimerspec* value, itimerspec* old) noexcept {
  static auto* const kReal =
      next<int(timer_t, int, const itimerspec*, itimerspec*)>("timer_settime");
  if (is_set(value->it_value)) note(OwnTimer::timer);
  return kReal(timer, flags, value, old);
}

int setitimer(__itimer_which_t which, const itimerval* value, itimerval* old) noexcept {
  static auto* const kReal = next<int(__itimer_which_t, const itimerval*, itimerval*)>("setitimer");
  if (which == ITIMER_REAL && is_set(value->it_value)) note(OwnTimer::itimer);
  return kReal(which, value, old);
}

unsigned alarm(unsigned seconds) noexcept {
  static auto* const kReal = next<unsigned(unsigned)>("alarm");
  if (seconds != 0) note(OwnTimer::itimer);
  return kReal(seconds);
}

int setsockopt(int socket, int level, int option, const void* value, socklen_t size) noexcept {
  static auto* const kReal = next<int(int, int, int, const void*, socklen_t)>("setsockopt");
  if (level == SOL_SOCKET && (option == SO_RCVTIMEO || option == SO_SNDTIMEO) &&
      size >= sizeof(timeval) && is_set(*static_cast<const timeval*>(value)))
    note(OwnTimer::socket_timeout);
  return kReal(socket, level, option, value, size);
}

}  // extern "C"
