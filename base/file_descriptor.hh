// A file descriptor that closes itself. Move-only: exactly one owner at a time.
// Closing never throws and never reports: a caller that cares about close(2)'s
// answer (dnc does, it is an exhibit there) calls close(2) itself after release().
#pragma once

#include <utility>

namespace tcplab::base {

class FileDescriptor {
public:
  FileDescriptor() = default;
  explicit FileDescriptor(int descriptor) : descriptor_(descriptor) {}
  FileDescriptor(FileDescriptor&& other) noexcept : descriptor_(other.release()) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept;
  ~FileDescriptor() { reset(); }

  int get() const { return descriptor_; }
  explicit operator bool() const { return descriptor_ >= 0; }

  /// Gives the descriptor away; the caller closes it.
  int release() { return std::exchange(descriptor_, -1); }
  void reset() noexcept;

private:
  int descriptor_ = -1;
};

/// A pipe(2), both ends close-on-exec. Throws SystemError.
struct Pipe {
  FileDescriptor read_end;
  FileDescriptor write_end;
};
Pipe make_pipe();

}  // namespace tcplab::base
