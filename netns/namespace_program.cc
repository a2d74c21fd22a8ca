#include "netns/namespace_program.hh"

#include <poll.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>

#include "base/error.hh"
#include "netns/ordinary_priority.hh"

namespace tcplab::netns {

NamespaceProgram::NamespaceProgram(Spawned process, ProcessMark mark)
    : process_(std::move(process)), mark_(mark), own_sockets_(process_.pid) {}

std::optional<ProgramEnd> NamespaceProgram::try_wait() {
  const OrdinaryPriority waits_fairly;  // as in clone.hh
  siginfo_t info{};
  if (::waitid(P_PIDFD, static_cast<id_t>(process_.pidfd.get()), &info, WEXITED) == -1) {
    if (errno != EAGAIN) throw base::SystemError("wait for a program", errno);
    return std::nullopt;
  }
  has_ended_ = true;
  return ProgramEnd{.has_exited = info.si_code == CLD_EXITED, .value = info.si_status};
}

bool NamespaceProgram::signal(int signal) {
  return !has_ended_ && ::kill(process_.pid, signal) == 0;
}

/// A pidfd is readable once the process has closed its files (do_exit()), also if its tracer has
/// not waited for it yet.
bool NamespaceProgram::await_end(bool of_all, std::chrono::milliseconds most) {
  std::vector<base::FileDescriptor> opened;
  std::vector<pollfd> ends{{process_.pidfd.get(), POLLIN, 0}};
  if (of_all) {
    for (const pid_t process : processes()) {
      opened.emplace_back(static_cast<int>(::syscall(SYS_pidfd_open, process, 0)));
      if (opened.back()) ends.push_back({opened.back().get(), POLLIN, 0});
    }
  }
  const auto deadline = std::chrono::steady_clock::now() + most;
  for (pollfd& end : ends) {
    // Rounded up: with a timeout of 0, a caller at a real-time priority would never let them end.
    const auto left =
        std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
    if (::poll(&end, 1, std::max(0, static_cast<int>(left.count()))) != 1) return false;
  }
  return true;
}

bool NamespaceProgram::ignores(int signal) const {
  return !has_ended_ && netns::ignores(process_.pid, signal);
}

/// Reads its state in /proc/PID/stat, after the name in parentheses (proc(5)).
bool NamespaceProgram::sleeps() const {
  if (has_ended_) return false;
  std::ifstream file("/proc/" + std::to_string(process_.pid) + "/stat");
  const std::string stat(std::istreambuf_iterator<char>(file), {});
  const auto name_end = stat.rfind(") ");
  return name_end != std::string::npos && stat.compare(name_end + 2, 1, "S") == 0;
}

void NamespaceProgram::read_sockets(bool of_all) {
  own_sockets_.read_all();
  workers_sockets_.clear();
  if (!of_all) return;
  for (const pid_t process : processes())
    if (process != process_.pid) workers_sockets_.emplace_back(process).read_all();
}

bool NamespaceProgram::had(std::uint32_t inode) const {
  const auto has = [inode](const OpenSockets& sockets) { return sockets.had(inode); };
  return own_sockets_.had(inode) || std::ranges::any_of(workers_sockets_, has);
}

}  // namespace tcplab::netns
