#include "uml/guest_clock.hh"

#include <poll.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstring>
#include <memory>

#include "tests/catch.hh"

using namespace tcplab;
using namespace std::chrono_literals;

namespace {

/// A guest without a kernel: a process that a signal ends, and what its kernel writes to the page.
class FakeGuest {
public:
  explicit FakeGuest(uml::GuestClock& clock, bool is_ready = true)
      : place(clock.add([this] { return is_quiet; })) {
    void* memory = ::mmap(nullptr, sizeof(uml::ClockPage), PROT_READ | PROT_WRITE, MAP_SHARED,
                          place->page_descriptor(), 0);
    page = static_cast<uml::ClockPage*>(memory);
    pid = ::fork();
    if (pid == 0) {
      std::signal(uml::kWakeSignal, SIG_DFL);
      for (;;) ::pause();
    }
    slot().pid = pid;
    place->set_process(pid);
    if (is_ready) place->be_ready();
  }
  ~FakeGuest() {
    ::kill(pid, SIGKILL);
    ::waitpid(pid, nullptr, 0);
    ::munmap(page, sizeof(uml::ClockPage));
  }
  FakeGuest(const FakeGuest&) = delete;
  FakeGuest& operator=(const FakeGuest&) = delete;

  uml::GuestSlot& slot() { return page->slots[place->number()]; }
  void sleep_until(base::Instant deadline) {
    slot().deadline = base::to_nanoseconds(deadline);
    slot().sleeps = slot().sleeps + 1;
    const std::uint64_t one = 1;
    CHECK(::write(place->bell_descriptor(), &one, sizeof one) == sizeof one);
  }
  void wake() { slot().wakes = slot().wakes + 1; }
  /// Returns true if it got kWakeSignal; waits for it if `soon`.
  bool was_woken(bool soon) {
    siginfo_t info{};
    ::waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOWAIT | (soon ? 0 : WNOHANG));
    return info.si_pid == pid && info.si_status == uml::kWakeSignal;
  }

  /// Waits until the process has got SIGSTOP, or SIGCONT.
  bool is_stopped() {
    siginfo_t info{};
    ::waitid(P_PID, static_cast<id_t>(pid), &info, WSTOPPED | WCONTINUED);
    return info.si_code == CLD_STOPPED;
  }

  bool is_quiet = true;
  std::unique_ptr<uml::ClockPlace> place;
  uml::ClockPage* page = nullptr;
  pid_t pid = 0;
};

bool is_readable(int descriptor) {
  pollfd waiting{descriptor, POLLIN, 0};
  return ::poll(&waiting, 1, 0) == 1;
}

}  // namespace

TEST_CASE("a clock without guests is at rest", "[guest_clock]") {
  const uml::GuestClock clock;
  const auto rest = clock.rest();
  REQUIRE(rest);
  CHECK_FALSE(rest->next_timer);
}

TEST_CASE("guests rest when all of them sleep and have nothing to say", "[guest_clock]") {
  uml::GuestClock clock;
  FakeGuest kang(clock);
  FakeGuest kodos(clock);
  CHECK_FALSE(clock.rest());  // they boot
  const base::Instant soon = base::now() + 10s;
  kang.sleep_until(soon + 5s);
  CHECK_FALSE(clock.rest());
  CHECK(is_readable(clock.descriptor()));
  clock.serve();
  CHECK_FALSE(is_readable(clock.descriptor()));
  kodos.sleep_until(soon);
  const auto rest = clock.rest();
  REQUIRE(rest);
  CHECK(rest->next_timer == soon);
  kang.is_quiet = false;
  CHECK_FALSE(clock.rest());
  kang.is_quiet = true;
  kang.wake();
  CHECK_FALSE(clock.rest());
  kang.sleep_until(soon + 5s);
  const auto again = clock.rest();
  REQUIRE(again);
  CHECK(again->mark != rest->mark);
}

TEST_CASE("a guest has no tick when it sleeps for longer than one", "[guest_clock]") {
  uml::GuestClock clock;
  FakeGuest kang(clock);
  CHECK_FALSE(kang.place->has_no_tick());  // it boots
  kang.sleep_until(base::now() + 10ms);
  CHECK_FALSE(kang.place->has_no_tick());
  kang.wake();
  kang.sleep_until(base::now() + 10s);
  CHECK(kang.place->has_no_tick());
  kang.wake();
  CHECK_FALSE(kang.place->has_no_tick());
  kang.sleep_until(base::now() - 1s);
  CHECK_FALSE(kang.place->has_no_tick());
}

TEST_CASE("a skip wakes the guest whose timer is due, and nobody else", "[guest_clock]") {
  uml::GuestClock clock;
  FakeGuest kang(clock);
  FakeGuest kodos(clock);
  const base::Instant before = base::now();
  kang.sleep_until(before + 100s);
  kodos.sleep_until(before + 200s);
  clock.skip(before + 100s - base::now());
  CHECK(base::now() >= before + 100s);
  CHECK(base::now() < before + 150s);
  CHECK(kang.was_woken(true));
  CHECK_FALSE(kodos.was_woken(false));
  CHECK(kang.page->offset == base::time_course().skipped.count());
  CHECK_FALSE(clock.rest());  // kang is about to run
}

TEST_CASE("a guest whose timer became late by a skip is woken in time", "[guest_clock]") {
  uml::GuestClock clock;
  FakeGuest kang(clock);
  kang.sleep_until(base::now() + 50s);
  clock.skip(49'950ms);
  CHECK_FALSE(kang.was_woken(false));
  pollfd alarm{clock.descriptor(), POLLIN, 0};
  clock.serve();  // the bell
  const base::Instant deadline = base::from_nanoseconds(kang.slot().deadline);
  for (bool is_due = false; !is_due;) {  // the alarm may ring too early
    REQUIRE(::poll(&alarm, 1, 5000) == 1);
    is_due = base::now() >= deadline;
    CHECK((is_due || !kang.was_woken(false)));
    clock.serve();
  }
  CHECK(kang.was_woken(true));
}

TEST_CASE("a hurry skips time although a guest that starts has sent something", "[guest_clock]") {
  uml::GuestClock clock(10);
  FakeGuest kang(clock, false);
  kang.is_quiet = false;
  const base::Instant before = base::now();
  kang.sleep_until(before + 200s);
  clock.hurry(100s);
  CHECK(base::now() >= before + 100s);
  CHECK_FALSE(kang.was_woken(false));
  clock.hurry(150s);
  CHECK(base::now() >= before + 200s);
  CHECK(kang.was_woken(true));
}

TEST_CASE("a hurry skips no time while a guest boots, or another waits for us", "[guest_clock]") {
  uml::GuestClock clock(10);
  FakeGuest kang(clock);
  FakeGuest kodos(clock, false);
  const base::Instant before = base::now();
  kang.sleep_until(before + 100s);
  clock.hurry(100s);
  CHECK(base::now() < before + 50s);
  kodos.sleep_until(before + 100s);
  kang.is_quiet = false;
  clock.hurry(100s);
  CHECK(base::now() < before + 50s);
  kang.is_quiet = true;
  clock.hurry(100s);
  CHECK(base::now() >= before + 100s);
}

TEST_CASE("time stands still for all guests, and goes on where it stopped", "[guest_clock]") {
  uml::GuestClock clock(10);
  FakeGuest kang(clock);
  clock.stand_still();
  CHECK_FALSE(clock.stands_still());  // it boots
  kang.sleep_until(base::now() + 100s);
  clock.stand_still();
  REQUIRE(clock.stands_still());
  CHECK(kang.is_stopped());
  const base::Instant stop = base::now();
  ::poll(nullptr, 0, 50);
  CHECK(base::now() == stop);
  kang.place->resume();
  CHECK_FALSE(clock.stands_still());
  CHECK_FALSE(kang.is_stopped());
  CHECK(base::now() >= stop);
  CHECK(base::now() - stop < 5ms);  // a tenth of 50 ms
  CHECK(kang.page->origin == base::to_nanoseconds(base::time_course().origin));
  CHECK(kang.page->offset == base::time_course().skipped.count());
  base::slow_time(1);  // for the tests after this one
}

TEST_CASE("the lab signals only the process that it has started, whatever a guest writes") {
  uml::GuestClock clock;
  FakeGuest guest(clock);
  FakeGuest other(clock);
  guest.slot().pid = other.pid;  // or -1: every process
  other.sleep_until(base::now() + 1h);
  guest.sleep_until(base::now() + 1s);
  clock.skip(1s);
  CHECK(guest.was_woken(true));
  CHECK_FALSE(other.was_woken(false));
}

TEST_CASE("a place is free again when its guest has gone", "[guest_clock]") {
  uml::GuestClock clock;
  auto first = clock.add([] { return true; });
  const auto second = clock.add([] { return true; });
  CHECK(first->number() == 0);
  CHECK(second->number() == 1);
  first.reset();
  CHECK(clock.add([] { return true; })->number() == 0);
}
