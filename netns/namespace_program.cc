#include "netns/namespace_program.hh"

#include <sys/wait.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>

#include "base/error.hh"

namespace tcplab::netns {

NamespaceProgram::NamespaceProgram(Spawned process, ProcessMark mark)
    : process_(std::move(process)), mark_(mark), own_sockets_(process_.pid) {}

std::optional<ProgramEnd> NamespaceProgram::try_wait() {
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
