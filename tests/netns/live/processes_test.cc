#include "netns/programs/processes.hh"

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <thread>

#include "base/clock.hh"
#include "tests/catch.hh"

using namespace tcplab;
using namespace std::chrono_literals;

namespace {

[[noreturn]] void spin() {
  for (volatile unsigned count = 0;;) count = count + 1;
}

[[noreturn]] void sleep_forever() {
  for (;;) pause();
}

/// A child process; it is killed at the end of the scope.
class Child {
public:
  explicit Child(void (*body)()) : pid_(fork()) {
    if (pid_ == 0) {
      setpgid(0, 0);
      body();
    }
    setpgid(pid_, pid_);
  }
  ~Child() {
    kill(-pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  pid_t pid() const { return pid_; }

private:
  pid_t pid_;
};

/// Waits until the child is running, or is not running; at most 30 s.
bool becomes(bool running, const Child& child) {
  const auto deadline = base::now() + 30s;
  while (netns::is_any_running(child.pid()) != running) {
    if (base::now() > deadline) return false;
    std::this_thread::sleep_for(1ms);
  }
  return true;
}

}  // namespace

TEST_CASE("a process that waits is not running", "[live]") {
  const Child child(sleep_forever);
  CHECK(becomes(false, child));
}

TEST_CASE("a process that computes is running", "[live]") {
  const Child child(spin);
  CHECK(netns::is_any_running(child.pid()));
}

TEST_CASE("a process whose child computes is running", "[live]") {
  const Child child([] {
    if (fork() == 0) spin();
    sleep_forever();
  });
  CHECK(becomes(true, child));
  std::this_thread::sleep_for(10ms);  // whether the parent waits by then or not, its child computes
  CHECK(netns::is_any_running(child.pid()));
}

TEST_CASE("a process that has ended is not running", "[live]") {
  CHECK_FALSE(netns::is_any_running(0x7fffffff));
}
