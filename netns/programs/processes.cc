#include "netns/programs/processes.hh"

#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <thread>

#include "base/error.hh"
#include "base/file_descriptor.hh"

namespace tcplab::netns {

namespace {

namespace fs = std::filesystem;

constexpr std::chrono::milliseconds kRound{1};
constexpr int kMostRounds = 200;

std::optional<pid_t> parse_pid(const std::string& text) {
  pid_t pid = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), pid);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return pid;
}

/// Returns "pid:[4026531836]"; empty if the process has ended.
std::string pid_namespace(const fs::path& process) {
  std::error_code gone;
  return fs::read_symlink(process / "ns/pid", gone).string();
}

/// Returns the letter of the process's state (proc_pid_stat(5)); 'X' if the process has ended.
char state_of(const fs::path& process) {
  std::string line;
  std::getline(std::ifstream(process / "stat"), line);
  // The state follows the name in parentheses. The name itself may contain parentheses.
  const auto name_end = line.rfind(')');
  if (name_end == std::string::npos || name_end + 2 >= line.size()) return 'X';
  return line[name_end + 2];
}

/// Below the hard limit, which the process keeps.
rlim_t value_of(ProcessMark mark, rlim_t hard) {
  constexpr rlim_t kUnlimited = rlim_t{1} << 61;  // microseconds
  return std::min(hard, kUnlimited) - mark.number;
}

bool is_zombie(const fs::path& process) {
  const char state = state_of(process);
  return state == 'Z' || state == 'X';
}

/// Returns the children of all threads of the process (proc_pid_tid_children(5)).
std::vector<pid_t> children_of(const fs::path& process) {
  std::vector<pid_t> found;
  std::error_code gone;
  for (const auto& thread : fs::directory_iterator(process / "task", gone)) {
    std::ifstream children(thread.path() / "children");
    for (pid_t child = 0; children >> child;) found.push_back(child);
  }
  return found;
}

rlim_t limit_of(const std::string& word) {
  return word == "unlimited" ? RLIM_INFINITY : std::stoull(word);
}

/// Reads proc_pid_limits(5).
bool has_mark_in_proc(pid_t process, ProcessMark mark) {
  std::ifstream file("/proc/" + std::to_string(process) + "/limits");
  const std::string name = "Max realtime timeout";
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with(name)) continue;
    std::istringstream values(line.substr(name.size()));
    std::string soft, hard;
    values >> soft >> hard;
    return limit_of(soft) == value_of(mark, limit_of(hard));
  }
  return false;
}

/// prlimit(2) on a process of another user needs CAP_SYS_RESOURCE, which even root lacks in most
/// containers. /proc is slower, but everybody may read it.
bool has_mark(pid_t process, ProcessMark mark) {
  rlimit limit{};
  if (::prlimit(process, RLIMIT_RTTIME, nullptr, &limit) == 0)
    return limit.rlim_cur == value_of(mark, limit.rlim_max);
  return errno == EPERM && has_mark_in_proc(process, mark);
}

/// The pid may be that of another process by now, but a pidfd stays that of the one that was marked
/// after it was opened.
void send_signal(pid_t process, ProcessMark mark, int signal) {
  const base::FileDescriptor pidfd(static_cast<int>(::syscall(SYS_pidfd_open, process, 0)));
  if (pidfd && has_mark(process, mark))
    ::syscall(SYS_pidfd_send_signal, pidfd.get(), signal, nullptr, 0);
}

/// Returns whether every thread of the process is stopped, or ends. With a tracer the state is 't',
/// as it is at each of its traced calls.
bool is_stopped(pid_t process) {
  std::error_code gone;
  const fs::path tasks = fs::path("/proc") / std::to_string(process) / "task";
  for (const auto& thread : fs::directory_iterator(tasks, gone))
    if (std::string_view("TtZX").find(state_of(thread.path())) == std::string_view::npos)
      return false;
  return true;
}

}  // namespace

std::vector<pid_t> list_processes(pid_t init) {
  const std::string home = pid_namespace("/proc/" + std::to_string(init));
  std::vector<pid_t> found;
  if (home.empty()) return found;
  for (const auto& entry : fs::directory_iterator("/proc")) {
    const auto pid = parse_pid(entry.path().filename());
    if (!pid || *pid == init || pid_namespace(entry.path()) != home) continue;
    if (!is_zombie(entry.path())) found.push_back(*pid);
  }
  return found;
}

void set_mark(ProcessMark mark) {
  if (mark.number == 0) return;
  rlimit limit{};
  base::check("read a limit", ::getrlimit(RLIMIT_RTTIME, &limit));
  limit.rlim_cur = value_of(mark, limit.rlim_max);
  base::check("mark a process", ::setrlimit(RLIMIT_RTTIME, &limit));
}

std::vector<pid_t> list_processes(ProcessMark mark) {
  std::vector<pid_t> found;
  for (const auto& entry : fs::directory_iterator("/proc")) {
    const auto pid = parse_pid(entry.path().filename());
    if (pid && has_mark(*pid, mark) && !is_zombie(entry.path())) found.push_back(*pid);
  }
  std::ranges::sort(found);
  return found;
}

/// A process that has a fatal signal, or is stopped, does not fork. One that runs may have forked
/// after the list was made, so a list without a new process ends the search. For SIGSTOP it takes
/// two lists that have only stopped processes.
std::size_t signal_all(ProcessMark mark, int signal) {
  std::set<pid_t> signalled;
  int quiet_rounds = 0;
  for (int round = 0; round < kMostRounds; ++round) {
    bool is_quiet = true;
    for (const pid_t process : list_processes(mark)) {
      const bool is_new = signalled.insert(process).second;
      if (is_new) send_signal(process, mark, signal);
      is_quiet = is_quiet && !is_new && (signal != SIGSTOP || is_stopped(process));
    }
    quiet_rounds = is_quiet ? quiet_rounds + 1 : 0;
    if (quiet_rounds == (signal == SIGSTOP ? 2 : 1)) break;
    if (signal == SIGSTOP) std::this_thread::sleep_for(kRound);  // they need the processor to stop
  }
  return signalled.size();
}

bool ignores(pid_t process, int signal) {
  std::ifstream file("/proc/" + std::to_string(process) + "/status");
  const std::string key = "SigIgn:";
  for (std::string line; std::getline(file, line);)
    if (line.starts_with(key))
      return (std::stoull(line.substr(key.size()), nullptr, 16) >> (signal - 1) & 1) != 0;
  return false;
}

bool is_any_running(pid_t process) {
  const fs::path folder = "/proc/" + std::to_string(process);
  const char state = state_of(folder);
  if (state == 'R' || state == 'D') return true;
  return std::ranges::any_of(children_of(folder), is_any_running);
}

}  // namespace tcplab::netns
