#include "netns/processes.hh"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>

namespace tcplab::netns {

namespace {

namespace fs = std::filesystem;

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

bool is_any_running(pid_t process) {
  const fs::path folder = "/proc/" + std::to_string(process);
  const char state = state_of(folder);
  if (state == 'R' || state == 'D') return true;
  return std::ranges::any_of(children_of(folder), is_any_running);
}

}  // namespace tcplab::netns
