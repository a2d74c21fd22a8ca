// What the tests of the scenario engine work with: files that vanish with the test, scripts that
// are whole but for the part a test is about, and the message of what was thrown.
#pragma once

#include <filesystem>
#include <string>

#include "base/error.hh"

namespace tcplab::tests {

/// A folder of its own for one test; gone, with all that is in it, at the end of its scope.
class TemporaryFolder {
public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  /// Writes a file below the folder, with the folders on the way; returns its path.
  std::string write(const std::filesystem::path& name, const std::string& text) const;

private:
  std::filesystem::path path_;
};

/// A scenario that is complete, with `fields` added: `tags = { "close" }, needs = { "root" }`.
std::string scenario(const std::string& fields = "");

/// What the action says when it throws base::UsageError; empty when it does not. Anything else
/// that it throws fails the test.
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
