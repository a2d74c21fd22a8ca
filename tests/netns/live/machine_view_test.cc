// The kernel of a host does without a view of the machine's files only where the machine allows
// none.
#include "netns/machine_view.hh"

#include <fcntl.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <exception>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include "tests/catch.hh"
#include "tests/skip.hh"

using namespace tcplab;

namespace {

enum class Outcome { view, no_view, error, obstacle };

/// Asks for a view in a child, after `prepare`.
Outcome outcome_after(const std::function<bool()>& prepare) {
  const pid_t child = ::fork();
  if (child == 0) {
    Outcome outcome = Outcome::obstacle;
    try {
      netns::HostConfig contained;
      contained.containment.emplace();
      const std::vector<netns::HostConfig> configs{contained};
      if (prepare()) outcome = netns::view_if_allowed(configs) ? Outcome::view : Outcome::no_view;
    } catch (const std::exception&) {
      outcome = Outcome::error;
    }
    ::_exit(static_cast<int>(outcome));
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  REQUIRE(WIFEXITED(status));
  return static_cast<Outcome>(WEXITSTATUS(status));
}

bool enter_user_namespace() {
  const std::string user = "0 " + std::to_string(::geteuid()) + " 1";
  const std::string group = "0 " + std::to_string(::getegid()) + " 1";
  if (::unshare(CLONE_NEWUSER) == -1) return false;
  std::ofstream("/proc/self/setgroups") << "deny";
  std::ofstream("/proc/self/uid_map") << user;
  std::ofstream("/proc/self/gid_map") << group;
  return true;
}

bool limit_namespaces(int limit) {
  if (!enter_user_namespace()) return false;
  std::ofstream file("/proc/sys/user/max_mnt_namespaces");
  return static_cast<bool>(file << limit << std::flush);
}

bool limit_descriptors() {
  const int next = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  const rlimit limit{static_cast<rlim_t>(next) + 2, static_cast<rlim_t>(next) + 2};
  return ::setrlimit(RLIMIT_NOFILE, &limit) == 0;
}

tests::Obstacle obstacle_in(Outcome outcome) {
  if (outcome != Outcome::obstacle) return std::nullopt;
  return "no user namespace with a limit of its own can be made here";
}

}  // namespace

TEST_CASE("a machine that allows no mount namespaces has no view of its files for kernels") {
  const Outcome outcome = outcome_after([] { return limit_namespaces(0); });
  SKIP_IF(obstacle_in(outcome));
  CHECK(outcome == Outcome::no_view);
}

TEST_CASE("too few descriptors are an error, and no reason to do without a view") {
  CHECK(outcome_after(limit_descriptors) == Outcome::error);
}

TEST_CASE("too few mount namespaces are an error, and no reason to do without a view") {
  // This process takes the only one that its limit allows.
  const Outcome outcome =
      outcome_after([] { return limit_namespaces(1) && ::unshare(CLONE_NEWNS) == 0; });
  SKIP_IF(obstacle_in(outcome));
  CHECK(outcome == Outcome::error);
}

TEST_CASE("a process that may make mount namespaces has a view") {
  const Outcome outcome = outcome_after(enter_user_namespace);
  SKIP_IF(obstacle_in(outcome));
  CHECK(outcome == Outcome::view);
}
