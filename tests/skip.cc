#include "tests/skip.hh"

#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <sstream>

#include "base/error.hh"
#include "tests/catch.hh"

namespace tcplab::tests {

namespace {

int skipped = 0;

/// Returns the errno of unshare(2), called in a child so that this process keeps its namespaces.
int try_unshare(int flags) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(::unshare(flags) == 0 ? 0 : errno);
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : EINTR;
}

}  // namespace

Obstacle no_namespaces() {
  const int user = ::geteuid() == 0 ? 0 : CLONE_NEWUSER;
  const int error = try_unshare(user | CLONE_NEWNET | CLONE_NEWPID | CLONE_NEWNS);
  if (error == 0) return std::nullopt;
  return "namespaces may not be made here: unshare(2) says " + base::errno_name(error);
}

Obstacle no_root() {
  if (::geteuid() == 0) return std::nullopt;
  return "needs root";
}

Obstacle no_program(const std::string& program) {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "" : path);
  for (std::string folder; std::getline(folders, folder, ':');)
    if (::access((folder + "/" + program).c_str(), X_OK) == 0) return std::nullopt;
  return "needs " + program + ", which is not on PATH";
}

void note_skip(const std::string& reason) {
  std::printf("skipped: %s: %s\n", Catch::getResultCapture().getCurrentTestName().c_str(),
              reason.c_str());
  std::fflush(stdout);
  ++skipped;
  SUCCEED("skipped: " << reason);  // without an assertion, the test would fail
}

int skips() { return skipped; }

}  // namespace tcplab::tests
