// What a fuzzer gives, as a file for those who read files: in memory, and named by /proc.
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

  /// False: it could not be written, and there is nothing to be learnt.
  bool hold(const std::uint8_t* data, std::size_t size) {
    return ::ftruncate(descriptor_, 0) == 0 &&
           ::pwrite(descriptor_, data, size, 0) == static_cast<ssize_t>(size);
  }
  std::string path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

private:
  int descriptor_;
};

}  // namespace tcplab::fuzz
