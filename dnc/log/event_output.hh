// Writes the log of calls to a descriptor that another program may read. If the reader goes away,
// dnc goes on without it, although a plain write(2) would raise SIGPIPE. The disposition of SIGPIPE
// stays unchanged, because users watch what SIGPIPE does when dnc writes to the socket.
#pragma once

#include <string_view>

namespace tcplab::dnc {

class EventOutput {
public:
  /// Does not own the descriptor. Throws base::UsageError if it is not open for writing.
  explicit EventOutput(int descriptor);

  /// Writes all bytes; waits while a pipe is full. After the first failure it does nothing. It
  /// prints that failure on stderr, unless the reader just went away.
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
