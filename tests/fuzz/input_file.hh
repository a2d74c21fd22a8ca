// Gives the fuzzer's input a path, for code that reads files. The file is in memory, and its path
// is under /proc.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <string>

namespace tcplab::fuzz {

class InputFile {
public:
  InputFile() : descriptor_(::memfd_create("input", MFD_CLOEXEC)) {}
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;
  ~InputFile() { ::close(descriptor_); }

  /// Returns false if the bytes cannot be written; the input is then skipped.
  bool hold(const std::uint8_t* data, std::size_t size) {
    return ::ftruncate(descriptor_, 0) == 0 &&
           ::pwrite(descriptor_, data, size, 0) == static_cast<ssize_t>(size);
  }
  std::string path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

private:
  int descriptor_;
};

}  // namespace tcplab::fuzz
