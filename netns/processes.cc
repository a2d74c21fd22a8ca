#include "netns/processes.hh"

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

bool is_zombie(const fs::path& process) {
  std::string line;
  std::getline(std::ifstream(process / "stat"), line);
  // The state follows the name in parentheses. The name itself may contain parentheses.
  const auto name_end = line.rfind(')');
  if (name_end == std::string::npos || name_end + 2 >= line.size()) return true;
  return line[name_end + 2] == 'Z' || line[name_end + 2] == 'X';
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

}  // namespace tcplab::netns
