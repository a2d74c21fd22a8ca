// Keeps the typed lines between sessions, in $XDG_STATE_HOME/tcplab/history (XDG Base Directory
// Specification; ~/.local/state if unset).
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace tcplab::app {

class ShellHistory {
public:
  /// With an empty path, nothing is kept.
  explicit ShellHistory(std::filesystem::path file) : file_(std::move(file)) {}

  static std::filesystem::path default_file();

  /// Returns the newest lines, at most 1000, oldest first.
  std::vector<std::string> load() const;
  /// Appends a line, so that two sessions at once keep each other's lines. Ignores errors.
  void add(const std::string& line);

private:
  std::filesystem::path file_;
  std::string last_;
};

}  // namespace tcplab::app
