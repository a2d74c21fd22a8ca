// Helpers for the tests of lab/ and app/: temporary files, complete scenario scripts with
// added fields, and the message of an exception.
#pragma once

#include <filesystem>
#include <string>

#include "base/error.hh"

namespace tcplab::tests {

/// A temporary folder. The destructor removes it with all its files.
class TemporaryFolder {
public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  /// Writes a file below the folder, makes its parent folders, and returns its path.
  std::string write(const std::filesystem::path& name, const std::string& text) const;

private:
  std::filesystem::path path_;
};

/// Returns a complete scenario with these fields added, such as `tags = { "close" }`.
std::string scenario(const std::string& fields = "");

/// Returns the message of the base::UsageError that the action throws; empty if it throws none. Any
/// other exception fails the test.
template <typename Action>
std::string complaint(Action action) {
  try {
    action();
  } catch (const base::UsageError& error) {
    return error.what();
  }
  return "";
}

}  // namespace tcplab::tests
