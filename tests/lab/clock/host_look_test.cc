#include "lab/clock/host_look.hh"

#include <memory>
#include <vector>

#include "tests/catch.hh"

using namespace tcplab;
using lab::HostLook;
using lab::ThreadLook;
using lab::Wait;
using State = lab::HostLook::State;

namespace {

constexpr std::int64_t kNow = 1000;

ThreadLook sleeper(pid_t thread, Wait wait, std::uint64_t switches = 5) {
  return {.own_id = thread, .sleeps = true, .switches = switches, .wait = wait, .call = 7};
}

/// A host with one process, whose library waits for it in thread 9.
struct Host {
  Host() {
    client.process = 8;
    client.ringer = 9;
    client.deadline = 2000;
    page->own_deadline = lab::kNoDeadline;
  }

  HostLook look() const {
    HostLook host;
    add(host);
    return host;
  }
  void add(HostLook& host) const {
    lab::add_process(host, {.own_id = process, .threads = threads}, *page,
                     base::from_nanoseconds(kNow));
  }

  std::unique_ptr<lab::HostClockPage> page = std::make_unique<lab::HostClockPage>();
  lab::ClockClient& client = page->clients[3];
  pid_t process = 8;
  std::vector<ThreadLook> threads{sleeper(8, Wait::untimed), sleeper(9, Wait::timed)};
};

}  // namespace

TEST_CASE("a process whose threads wait for others rests until its deadline") {
  const HostLook look = Host().look();
  CHECK(look.state == State::rests);
  CHECK(look.next_timer == base::from_nanoseconds(2000));
}

TEST_CASE("without a deadline it rests for ever") {
  Host host;
  host.client.deadline = lab::kNoDeadline;
  CHECK(host.look().state == State::rests);
  CHECK_FALSE(host.look().next_timer);
}

TEST_CASE("a thread that runs keeps time from being skipped") {
  Host host;
  host.threads.push_back({.own_id = 10, .sleeps = false});
  CHECK(host.look().state == State::runs);
}

TEST_CASE("a thread that is in no system call yet counts as running") {
  Host host;
  host.threads.push_back(sleeper(10, Wait::none));
  CHECK(host.look().state == State::runs);
}

TEST_CASE("a process whose deadline has passed is about to run") {
  Host host;
  for (const std::int64_t deadline : {kNow, kNow - 1, lab::kBeingRung}) {
    host.client.deadline = deadline;
    CHECK(host.look().state == State::runs);
  }
}

TEST_CASE("a wait for the machine's clock is unseen, except that of the library") {
  Host host;
  host.threads.push_back(sleeper(10, Wait::timed));
  CHECK(host.look().state == State::unseen);
  CHECK(host.look().why == "waits for the machine's clock in system call 7");
  host.threads.back().wait = Wait::unknown;
  CHECK(host.look().state == State::unseen);
}

TEST_CASE("a process without the library is unseen") {
  Host host;
  host.process = 5;
  CHECK(host.look().state == State::unseen);
}

TEST_CASE("execve(2) ends the library's thread, and the place of its process is void") {
  Host host;
  host.threads.pop_back();
  CHECK(host.look().state == State::unseen);
}

TEST_CASE("a timer of the machine is unseen") {
  Host host;
  host.client.own_timer = static_cast<std::int64_t>(lab::OwnTimer::timerfd);
  CHECK(host.look().state == State::unseen);
  CHECK(host.look().why == "has set a timer with timerfd_settime(2)");
}

TEST_CASE("a process with a clock of its own may wait for the machine's, but not run") {
  Host host;
  host.process = 20;
  host.page->own_process = 20;
  host.page->own_deadline = 3000;
  host.threads = {sleeper(20, Wait::timed), sleeper(21, Wait::unknown)};
  CHECK(host.look().state == State::rests);
  CHECK(host.look().next_timer == base::from_nanoseconds(3000));
  host.page->own_deadline = kNow;
  CHECK(host.look().state == State::runs);
  host.page->own_deadline = 3000;
  host.threads.push_back({.own_id = 22, .sleeps = false});
  CHECK(host.look().state == State::runs);
}

TEST_CASE("the first deadline of all processes counts") {
  Host host;
  HostLook look;
  host.add(look);
  host.client.deadline = 1500;
  host.add(look);
  host.client.deadline = 1800;
  host.add(look);
  CHECK(look.next_timer == base::from_nanoseconds(1500));
}

TEST_CASE("the mark changes when a thread has run, and when one has ended") {
  Host host;
  const std::uint64_t before = host.look().mark;
  CHECK(host.look().mark == before);
  ++host.threads.front().switches;
  CHECK(host.look().mark != before);
  --host.threads.front().switches;
  host.threads.push_back(sleeper(10, Wait::untimed));
  CHECK(host.look().mark != before);
}
