#include "app/suite/run_guard.hh"

#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <thread>

#include "app/suite/run_control.hh"
#include "tests/catch.hh"

using namespace tcplab::app;

namespace base = tcplab::base;

namespace {

/// A process with two children, so it passes a limit of one.
class ProcessWithChildren {
public:
  ProcessWithChildren() {
    if (pid_ == 0) {
      for (int child = 0; child < 2; ++child) {
        if (::fork() != 0) continue;
        ::prctl(PR_SET_PDEATHSIG, SIGKILL);
        break;
      }
      for (;;) ::pause();
    }
  }
  ~ProcessWithChildren() {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
  ProcessWithChildren(const ProcessWithChildren&) = delete;
  ProcessWithChildren& operator=(const ProcessWithChildren&) = delete;

  pid_t pid() const { return pid_; }

private:
  pid_t pid_ = ::fork();
};

/// Ticks as a suite does, until the guard has looked at the machine.
void tick_until_looked(RunGuard& guard) {
  for (const base::Instant end = base::now() + std::chrono::milliseconds(1500);
       base::now() < end;) {
    guard.tick();
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
}

}  // namespace

TEST_CASE("a run that passes a limit is told so, unless it is over") {
  const ProcessWithChildren process;
  ControlEnds ends = make_control();
  std::string killed_for;
  const auto watch = [&](RunGuard& guard) {
    guard.add({.process = process.pid(),
               .limits = {.processes = 1},
               .socket = std::move(ends.says),
               .on_kill = [&](const std::string& reason) { killed_for = reason; }});
    tick_until_looked(guard);
  };
  SECTION("it hears") {
    RunGuard guard;
    watch(guard);
    char text[200] = {};
    CHECK(::recv(ends.hears.get(), text, sizeof text - 1, MSG_DONTWAIT) > 0);
    CHECK(std::string(text).find("had more than 1 processes") != std::string::npos);
  }
  SECTION("it is over: nobody is told, nobody is killed, and no SIGPIPE comes") {
    ends.hears.reset();
    RunGuard guard;
    watch(guard);
    CHECK(killed_for.empty());
    CHECK(::kill(process.pid(), 0) == 0);
  }
}
