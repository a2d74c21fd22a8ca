#include "base/file_descriptor.hh"

#include <fcntl.h>
#include <unistd.h>

#include "base/error.hh"

namespace tcplab::base {

FileDescriptor& FileDescriptor::operator=(FileDescriptor&& other) noexcept {
  if (this != &other) {
    reset();
    descriptor_ = other.release();
  }
  return *this;
}

void FileDescriptor::reset() noexcept {
  if (descriptor_ >= 0) ::close(release());
}

Pipe make_pipe() {
  int ends[2];
  check("make a pipe", ::pipe2(ends, O_CLOEXEC));
  return Pipe{FileDescriptor(ends[0]), FileDescriptor(ends[1])};
}

}  // namespace tcplab::base
