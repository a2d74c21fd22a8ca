#include "netns/run_space.hh"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <filesystem>
#include <set>

#include "base/error.hh"
#include "netns/sysctl.hh"
#include "tests/catch.hh"
#include "tests/netns/live/lab.hh"
#include "tests/skip.hh"

using namespace tcplab;
using namespace tcplab::tests;

namespace {

int status_of(const std::function<int()>& body) {
  auto space = netns::start_run_space({}, body);
  return netns::wait_for({space.pid, std::move(space.pidfd)});
}

/// Returns the exit status of a run space whose body prints nothing on stderr.
int status_without_stderr(const std::function<int()>& body) {
  return status_of([&] {
    dup2(open("/dev/null", O_WRONLY), STDERR_FILENO);
    return body();
  });
}

}  // namespace

TEST_CASE("a run space exits with the status of its body", "[live]") {
  SKIP_IF(no_namespaces());
  CHECK(status_of([] { return 0; }) == 0);
  CHECK(status_of([] { return 42; }) == 42);
  CHECK(status_without_stderr([]() -> int { throw base::LabError("broken"); }) == 3);
  CHECK(status_without_stderr([]() -> int { throw 7; }) == 3);
}

TEST_CASE("a run space is pid 1 in new namespaces", "[live]") {
  SKIP_IF(no_namespaces());
  CHECK(run_lab([] {
          expect(getpid() == 1, "it is pid 1");
          expect(geteuid() == 0, "it is root, at least here");
          expect(std::filesystem::read_symlink("/proc/self") == "1", "/proc is its own");
          std::set<std::string> links;
          for (const auto& entry : std::filesystem::directory_iterator("/proc/sys/net/ipv4/conf"))
            links.insert(entry.path().filename());
          expect(!links.contains("eth0"), "it sees no NIC of the machine");
          expect(netns::read_sysctl("net.ipv4.tcp_child_ehash_entries") == "8192",
                 "its hosts get small hash tables");
        }) == "");
}

TEST_CASE("a run space has exactly the descriptors that it was given", "[live]") {
  SKIP_IF(no_namespaces());
  const base::Pipe kept = base::make_pipe();
  const base::Pipe other = base::make_pipe();
  auto space = netns::start_run_space(std::array{kept.write_end.get()}, [&] {
    const bool keeps = fcntl(kept.write_end.get(), F_GETFD) != -1;
    const bool forgets = fcntl(other.write_end.get(), F_GETFD) == -1;
    return keeps && forgets ? 0 : 1;
  });
  CHECK(netns::wait_for({space.pid, std::move(space.pidfd)}) == 0);
}

TEST_CASE("a run space can create processes and wait for them", "[live]") {
  SKIP_IF(no_namespaces());
  CHECK(status_of([] {
          const pid_t child = fork();
          if (child == 0) _exit(5);
          int status = 0;
          waitpid(child, &status, 0);
          return WEXITSTATUS(status);
        }) == 5);
}

TEST_CASE("a run space inherits no signal handler", "[live]") {
  SKIP_IF(no_namespaces());
  const auto before = signal(SIGUSR2, [](int) {});
  const int status = status_of([] { return signal(SIGUSR2, SIG_DFL) == SIG_DFL ? 0 : 1; });
  signal(SIGUSR2, before);
  CHECK(status == 0);
}

TEST_CASE("a run space that is killed leaves no process", "[live]") {
  SKIP_IF(no_namespaces());
  base::Pipe alive = base::make_pipe();
  auto space = netns::start_run_space(std::array{alive.write_end.get()}, [] {
    if (fork() == 0 && fork() == 0) setsid();  // a daemon that keeps the pipe open
    for (;;) pause();
    return 0;
  });
  alive.write_end.reset();
  kill(space.pid, SIGKILL);
  CHECK(netns::wait_for({space.pid, std::move(space.pidfd)}) == 128 + SIGKILL);
  char nothing = 0;
  CHECK(read(alive.read_end.get(), &nothing, 1) == 0);  // no process has the write end any more
}
