#include "lab/clock/preload/waits.hh"

#include <linux/futex.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <climits>
#include <cstddef>
#include <cstdlib>
#include <cstring>

#include "lab/clock/clock_page.hh"
#include "lab/clock/preload/machine_calls.hh"

namespace tcplab::lab {

namespace {

enum State : int { unused, taken, waiting, ringing, rung };

}  // namespace

struct WaitPlace {
  std::atomic<int> state;
  pid_t thread;
  pthread_cond_t* condition;  // null: a signal ends the wait
  std::int64_t deadline;
};

namespace {

constexpr std::size_t kMostWaits = 4096;
constexpr std::int64_t kFirstPause = 100'000;  // until the ringer rings again
constexpr std::int64_t kLongestPause = 20'000'000;

HostClockPage* page = nullptr;
ClockClient* client = nullptr;
WaitPlace places[kMostWaits];
std::atomic<std::size_t> used_places;  // those from here on were never used

// In the static block of each thread: a dynamic one would be allocated in a signal handler.
__attribute__((tls_model("initial-exec"))) thread_local volatile sig_atomic_t signalled = 0;

[[noreturn]] void give_up(const char* why) {
  [[maybe_unused]] const ssize_t size = ::write(STDERR_FILENO, why, std::strlen(why));
  ::abort();
}

void wait_for_bell(std::uint32_t seen, const timespec* until) {
  ::syscall(SYS_futex, &client->bell, FUTEX_WAIT_BITSET, seen, until, nullptr,
            FUTEX_BITSET_MATCH_ANY);
}

void ring_bell() {
  ++client->bell;
  ::syscall(SYS_futex, &client->bell, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}

/// Returns the machine's time of a time of the lab.
std::int64_t machine_time_of(std::int64_t time) {
  const std::int64_t machine =
      page->origin + (time - page->skipped - page->origin) * page->slowness;
  return machine < 0 ? 0 : machine;
}

/// While its state is ringing, the waiting thread does not return. So the condition exists.
void ring(WaitPlace& place, int expected) {
  if (!place.state.compare_exchange_strong(expected, ringing)) return;
  if (place.condition != nullptr)
    ::pthread_cond_broadcast(place.condition);
  else
    ::syscall(SYS_tgkill, ::getpid(), place.thread, kWaitSignal);
  place.state = rung;
}

struct Round {
  std::int64_t first = kNoDeadline;  // of those who wait on
  bool has_rung = false;             // somebody who has not returned yet
};

Round ring_due() {
  Round round;
  const std::int64_t now = lab_time();
  const std::size_t count = used_places;
  for (std::size_t i = 0; i < count; ++i) {
    WaitPlace& place = places[i];
    const int state = place.state;
    if (state != waiting && state != rung) continue;
    const std::int64_t deadline = place.deadline;
    if (state == waiting && deadline > now) {
      if (deadline < round.first) round.first = deadline;
      continue;
    }
    ring(place, state);
    round.has_rung = true;
  }
  return round;
}

/// While somebody who was rung for has not returned, the lab must not skip time.
void* ringer(void* /*unused*/) {
  client->ringer = ::syscall(SYS_gettid);
  std::int64_t pause = kFirstPause;
  for (;;) {
    const std::uint32_t seen = client->bell;
    const Round round = ring_due();
    client->deadline = round.has_rung ? kBeingRung : round.first;
    if (client->bell != seen) continue;
    if (!round.has_rung) pause = kFirstPause;
    if (!round.has_rung && round.first == kNoDeadline) {
      wait_for_bell(seen, nullptr);
      continue;
    }
    const std::int64_t until =
        round.has_rung ? machine_time() + pause : machine_time_of(round.first);
    if (round.has_rung && pause < kLongestPause) pause *= 2;
    const timespec time = timespec_of(until);
    wait_for_bell(seen, &time);
  }
}

/// A program that was started by execve(2) has the place of the one before it.
ClockClient* find_client() {
  const std::int64_t own = ::getpid();
  for (ClockClient& each : page->clients)
    if (each.process == own) return &each;
  for (ClockClient& each : page->clients) {
    std::int64_t nobody = 0;
    if (each.process.compare_exchange_strong(nobody, own)) return &each;
  }
  return nullptr;
}

/// The program's signals must not be handled on the ringer.
void start_ringer() {
  client = find_client();
  if (client == nullptr) give_up("tcplab-clock.so: a host has at most 255 processes\n");
  client->deadline = kNoDeadline;
  client->own_timer = 0;
  sigset_t all;
  sigset_t before;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  pthread_attr_t detached;
  ::pthread_attr_init(&detached);
  ::pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
  pthread_t thread{};
  if (::pthread_create(&thread, &detached, ringer, nullptr) != 0)
    give_up("tcplab-clock.so: cannot start a thread\n");
  ::pthread_attr_destroy(&detached);
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

/// Only the thread that called fork(2) lives in the child.
void start_in_child() {
  for (WaitPlace& place : places) place.state = unused;
  start_ringer();
}

void note_signal(int /*number*/) { signalled = 1; }

}  // namespace

bool start_waits() {
  const char* number = std::getenv(kClockVariable);
  if (number == nullptr) return false;
  void* memory = ::mmap(nullptr, sizeof(HostClockPage), PROT_READ | PROT_WRITE, MAP_SHARED,
                        std::atoi(number), 0);
  if (memory == MAP_FAILED) return false;
  page = static_cast<HostClockPage*>(memory);
  struct sigaction action {};
  action.sa_handler = note_signal;
  ::sigaction(kWaitSignal, &action, nullptr);
  sigset_t own;
  ::sigemptyset(&own);
  ::sigaddset(&own, kWaitSignal);
  ::pthread_sigmask(SIG_BLOCK, &own, nullptr);
  start_ringer();
  ::pthread_atfork(nullptr, nullptr, start_in_child);
  return true;
}

bool has_clock() { return client != nullptr; }

std::int64_t lab_time() {
  return page->origin + (machine_time() - page->origin) / page->slowness + page->skipped;
}

std::int64_t lab_offset() {
  const std::int64_t machine = machine_time();
  return page->origin + (machine - page->origin) / page->slowness + page->skipped - machine;
}

WaitPlace* begin_wait(std::int64_t deadline, pthread_cond_t* condition) {
  for (std::size_t i = 0; i < kMostWaits; ++i) {
    int state = unused;
    if (!places[i].state.compare_exchange_strong(state, taken)) continue;
    std::size_t used = used_places;
    while (used <= i && !used_places.compare_exchange_weak(used, i + 1)) {
    }
    WaitPlace& place = places[i];
    place.thread = static_cast<pid_t>(::syscall(SYS_gettid));
    place.condition = condition;
    place.deadline = deadline;
    place.state = waiting;
    // The ringer looks at all places again if the bell has changed meanwhile.
    ++client->bell;
    if (deadline < client->deadline || client->deadline == kBeingRung) ring_bell();
    return &place;
  }
  give_up("tcplab-clock.so: a process has at most 4096 timed waits at once\n");
}

bool end_wait(WaitPlace* place) {
  for (;;) {
    int state = waiting;
    if (place->state.compare_exchange_strong(state, unused)) return false;
    if (state == unused) return false;  // the wait is that of a parent
    if (state == rung) break;
    ::sched_yield();  // the ringer is ringing
  }
  place->state = unused;
  return true;
}

bool was_signalled() {
  const bool was = signalled != 0;
  signalled = 0;
  return was;
}

void note_own_timer(std::int64_t kind) { client->own_timer = kind; }

}  // namespace tcplab::lab
