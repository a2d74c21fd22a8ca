// The name of a file in a temporary folder. The destructor removes both.
#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "base/error.hh"

namespace tcplab::tests {

class TemporaryFile {
public:
  explicit TemporaryFile(const std::string& name) {
    std::string pattern = std::filesystem::temp_directory_path() / "tcplab-test-XXXXXX";
    if (::mkdtemp(pattern.data()) == nullptr) throw base::SystemError("make a folder", errno);
    folder_ = pattern;
    path_ = folder_ / name;
  }
  ~TemporaryFile() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  std::string path() const { return path_; }

  std::string content() const {
    std::ifstream stream(path_, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }
  void write(const std::string& content) const {
    std::ofstream(path_, std::ios::binary | std::ios::trunc) << content;
  }

private:
  std::filesystem::path folder_;
  std::filesystem::path path_;
};

}  // namespace tcplab::tests
