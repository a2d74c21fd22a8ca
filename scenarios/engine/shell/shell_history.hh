// The lines that were typed into the shell, kept from one session to the next: a line each, in
// $XDG_STATE_HOME/tcplab/history (XDG Base Directory Specification; ~/.local/state where unset).
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace tcplab::engine {

class ShellHistory {
public:
  /// An empty path keeps nothing.
  explicit ShellHistory(std::filesystem::path file) : file_(std::move(file)) {}

  static std::filesystem::path default_file();

  /// The newest lines, oldest first.
  std::vector<std::string> load() const;
  /// Appends, so that two sessions at once keep each other's. Where it cannot, it does not.
  void add(const std::string& line);

private:
  std::filesystem::path file_;
  std::string last_;
};

}  // namespace tcplab::engine
