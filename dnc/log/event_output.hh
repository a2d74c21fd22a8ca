// A descriptor that somebody else reads the record from, and that must never harm dnc: when its
// reader goes away dnc goes on without it, where a plain write(2) would raise SIGPIPE, whose
// disposition is left alone because it is an exhibit on the socket.
#pragma once

#include <string_view>

namespace tcplab::dnc {

class EventOutput {
public:
  /// Borrows the descriptor. Throws base::UsageError when it is not open for writing.
  explicit EventOutput(int descriptor);

  /// Writes all of it, waiting while a pipe is full. After the first failure does nothing; a
  /// failure other than a reader that went away is said on stderr, once.
  void write(std::string_view bytes);
  bool broken() const { return broken_; }

private:
  void write_some(std::string_view& bytes);
  void fail(int error);

  int descriptor_;
  bool raises_sigpipe_ = false;  // a pipe or a socket, not a file
  bool broken_ = false;
};

}  // namespace tcplab::dnc
