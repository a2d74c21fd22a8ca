// The documents that tcplab comes with: those of the source tree, or of the installation.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace tcplab::app {

class SourceTree {
public:
  /// `scenarios` is the folder of the scenarios. Its parent has README.md, docs/ and bench/.
  explicit SourceTree(const std::filesystem::path& scenarios) : root_(scenarios / "..") {}

  /// Returns the paths of the Markdown files, relative to the tree, sorted. Throws base::LabError
  /// if README.md is not there.
  std::vector<std::string> documents() const;
  /// Returns the content of a file; nothing if there is no such file in the tree.
  std::optional<std::string> read(const std::string& path) const;

private:
  std::filesystem::path root_;
};

}  // namespace tcplab::app
