#include "lab/watch/call_pipe.hh"

#include <unistd.h>

#include <cerrno>

namespace tcplab::lab {

bool CallPipe::flush() {
  std::size_t written = 0;
  while (written < text_.size()) {
    const ssize_t size = ::write(descriptor_.get(), text_.data() + written, text_.size() - written);
    if (size == -1 && errno == EINTR) continue;
    if (size == -1 && errno != EAGAIN) written = text_.size();  // nobody reads any more
    if (size == -1) break;
    written += static_cast<std::size_t>(size);
  }
  text_.erase(0, written);
  return text_.empty();
}

}  // namespace tcplab::lab
