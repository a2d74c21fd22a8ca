// A file descriptor that closes itself. It is move-only, so it has exactly one owner.
// Closing ignores errors. A caller that needs the result of close(2) calls release() and then
// close(2); dnc does so, to record it.
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

  /// Returns the descriptor and gives up ownership; the caller must close it.
  int release() { return std::exchange(descriptor_, -1); }
  void reset() noexcept;

private:
  int descriptor_ = -1;
};

struct Pipe {
  FileDescriptor read_end;
  FileDescriptor write_end;
};
/// Creates a pipe(2) with both ends close-on-exec. Throws SystemError.
Pipe make_pipe();

}  // namespace tcplab::base
