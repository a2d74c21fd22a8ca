#include "app/suite/run_guard.hh"

#include <poll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <string>
#include <vector>

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
      ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // also if a test fails
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

/// Ticks until a run is told something, and returns that; empty if it is not told in 30 s.
std::string tick_until_told(RunGuard& guard, const ControlEnds& ends) {
  const base::Instant patience = base::now() + std::chrono::seconds(30);
  pollfd told{ends.hears.get(), POLLIN, 0};
  do guard.tick();
  while (::poll(&told, 1, 50) == 0 && base::now() < patience);
  std::string text(200, '\0');
  const ssize_t size = ::recv(ends.hears.get(), text.data(), text.size(), MSG_DONTWAIT);
  text.resize(size > 0 ? static_cast<std::size_t>(size) : 0);
  return text;
}

}  // namespace

TEST_CASE("a run that passes a limit is told so, unless it is over") {
  const ProcessWithChildren over;
  const ProcessWithChildren hearing;
  ControlEnds to_over = make_control();
  ControlEnds to_hearing = make_control();
  to_over.hears.reset();
  std::vector<pid_t> killed;
  RunGuard guard;
  const auto watch = [&](pid_t process, ControlEnds& ends) {
    guard.add({.process = process,
               .limits = {.processes = 1},
               .socket = std::move(ends.says),
               .on_kill = [&killed, process](const std::string&) { killed.push_back(process); }});
  };
  watch(over.pid(), to_over);  // the guard looks at the runs in this order
  watch(hearing.pid(), to_hearing);
  CHECK_THAT(tick_until_told(guard, to_hearing),
             Catch::Matchers::Contains("had more than 1 processes"));
  CHECK(killed.empty());
  CHECK(::waitpid(over.pid(), nullptr, WNOHANG) == 0);
}
