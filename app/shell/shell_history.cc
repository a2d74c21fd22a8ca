#include "app/shell/shell_history.hh"

#include <cstdlib>
#include <fstream>

namespace tcplab::app {

namespace {

constexpr std::size_t kMost = 1000;

}  // namespace

std::filesystem::path ShellHistory::default_file() {
  const char* state = std::getenv("XDG_STATE_HOME");
  if (state != nullptr && *state == '/') return std::filesystem::path(state) / "tcplab/history";
  const char* home = std::getenv("HOME");
  if (home == nullptr || *home != '/') return {};
  return std::filesystem::path(home) / ".local/state/tcplab/history";
}

std::vector<std::string> ShellHistory::load() const {
  std::vector<std::string> lines;
  std::ifstream in(file_);
  for (std::string line; std::getline(in, line);)
    if (!line.empty()) lines.push_back(line);
  if (lines.size() > kMost) lines.erase(lines.begin(), lines.end() - kMost);
  return lines;
}

void ShellHistory::add(const std::string& line) {
  if (file_.empty() || line.empty() || line == last_) return;
  last_ = line;
  std::error_code ignored;
  std::filesystem::create_directories(file_.parent_path(), ignored);
  std::ofstream(file_, std::ios::app) << line << '\n';
  std::filesystem::permissions(
      file_, std::filesystem::perms::owner_read | std::filesystem::perms::owner_write, ignored);
}

}  // namespace tcplab::app
