#include "lab/clock/thread_look.hh"

#include <string>

#include "tests/catch.hh"

using namespace tcplab;
using lab::ThreadLook;
using lab::Wait;

namespace {

const std::string kStatus =
    "Name:\tState: R (odd)\nState:\tS (sleeping)\nPid:\t812\nNSpid:\t812\t7\nThreads:\t3\n"
    "voluntary_ctxt_switches:\t40\nnonvoluntary_ctxt_switches:\t2\n";

Wait wait_in(const std::string& syscall) {
  ThreadLook thread;
  lab::add_call(thread, syscall);
  return thread.wait;
}

}  // namespace

TEST_CASE("the status of a thread says whether it sleeps, and how often it ran") {
  const auto thread = lab::parse_thread_status(kStatus);
  REQUIRE(thread);
  CHECK(thread->sleeps);
  CHECK(thread->own_id == 7);
  CHECK(thread->switches == 42);
}

TEST_CASE("only an interruptible sleep counts") {
  for (const char* state : {"R (running)", "D (disk sleep)", "T (stopped)", "t (tracing stop)"}) {
    std::string text = kStatus;
    text.replace(text.find("S (sleeping)"), 12, state);
    CAPTURE(state);
    CHECK_FALSE(lab::parse_thread_status(text)->sleeps);
  }
}

TEST_CASE("what is no status is none") {
  CHECK_FALSE(lab::parse_thread_status(""));
  CHECK_FALSE(lab::parse_thread_status("State:\tS (sleeping)\n"));
}

#ifdef __x86_64__
TEST_CASE("a wait in a system call has a limit or none") {
  // read(3, ...); poll(..., 1, -1) and (..., 1, 1000); epoll_wait(..., -1) and (..., 5)
  CHECK(wait_in("0 0x3 0x7f 0x10 0x0 0x0 0x0 0x7ffd 0x7f12") == Wait::untimed);
  CHECK(wait_in("7 0x7f 0x1 0xffffffff 0x0 0x0 0x0 0x7ffd 0x7f12") == Wait::untimed);
  CHECK(wait_in("7 0x7f 0x1 0x3e8 0x0 0x0 0x0 0x7ffd 0x7f12") == Wait::timed);
  CHECK(wait_in("232 0x4 0x7f 0x8 0xffffffff 0x0 0x0 0x7ffd 0x7f12") == Wait::untimed);
  CHECK(wait_in("232 0x4 0x7f 0x8 0x5 0x0 0x0 0x7ffd 0x7f12") == Wait::timed);
  // ppoll and pselect6 without and with a time
  CHECK(wait_in("271 0x7f 0x1 0x0 0x7f 0x8 0x0 0x7ffd 0x7f12") == Wait::untimed);
  CHECK(wait_in("271 0x7f 0x1 0x7ffe 0x7f 0x8 0x0 0x7ffd 0x7f12") == Wait::timed);
  CHECK(wait_in("270 0x1 0x7f 0x0 0x0 0x0 0x7f 0x7ffd 0x7f12") == Wait::untimed);
  CHECK(wait_in("270 0x1 0x7f 0x0 0x0 0x7ffe 0x7f 0x7ffd 0x7f12") == Wait::timed);
  // futex: FUTEX_WAIT_BITSET|PRIVATE|CLOCK_REALTIME without and with a time; FUTEX_WAKE
  CHECK(wait_in("202 0x7f 0x189 0x0 0x0 0x0 0xffffffff 0x7ffd 0x7f12") == Wait::untimed);
  CHECK(wait_in("202 0x7f 0x189 0x0 0x7ffe 0x0 0xffffffff 0x7ffd 0x7f12") == Wait::timed);
  CHECK(wait_in("202 0x7f 0x81 0x1 0x0 0x0 0x0 0x7ffd 0x7f12") == Wait::unknown);
  // clock_nanosleep, restart_syscall, io_uring_enter
  CHECK(wait_in("230 0x1 0x0 0x7f 0x0 0x0 0x0 0x7ffd 0x7f12") == Wait::timed);
  CHECK(wait_in("219 0x0 0x0 0x0 0x0 0x0 0x0 0x7ffd 0x7f12") == Wait::timed);
  CHECK(wait_in("426 0x4 0x0 0x1 0x1 0x0 0x0 0x7ffd 0x7f12") == Wait::unknown);
}
#endif

TEST_CASE("a thread in no system call does not wait") {
  CHECK(wait_in("running\n") == Wait::none);
  CHECK(wait_in("-1 0x7ffd 0x7f12\n") == Wait::none);
  CHECK(wait_in("") == Wait::none);
}
