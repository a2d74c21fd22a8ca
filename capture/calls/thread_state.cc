#include "capture/calls/thread_state.hh"

#include <sys/wait.h>

#include <fstream>
#include <string>

namespace tcplab::capture {

namespace {

bool is_running(pid_t thread) {
  std::string line;
  std::getline(std::ifstream("/proc/" + std::to_string(thread) + "/stat"), line);
  const auto end = line.rfind(") ");
  return end != std::string::npos && line[end + 2] == 'R';
}

/// A stop, or the end, that waitpid(2) will return next.
bool has_unseen_stop(pid_t thread) {
  siginfo_t stop{};
  const int options = WEXITED | WSTOPPED | WNOHANG | WNOWAIT | __WALL;
  return ::waitid(P_PID, static_cast<id_t>(thread), &stop, options) == 0 && stop.si_pid != 0;
}

}  // namespace

bool sleeps(pid_t thread) { return !is_running(thread) && !has_unseen_stop(thread); }

}  // namespace tcplab::capture
