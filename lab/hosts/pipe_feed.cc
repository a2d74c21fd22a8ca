#include "lab/hosts/pipe_feed.hh"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

#include "base/error.hh"

namespace tcplab::lab {

PipeFeed::PipeFeed(boost::asio::io_context& loop, base::FileDescriptor write_end) : pipe_(loop) {
  const int flags = base::check("read the flags of a pipe", ::fcntl(write_end.get(), F_GETFL));
  base::check("make a pipe non-blocking", ::fcntl(write_end.get(), F_SETFL, flags | O_NONBLOCK));
  pipe_.assign(write_end.release());
}

void PipeFeed::write(base::Bytes bytes) {
  waiting_.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (!is_full_) write_more();
}

void PipeFeed::finish() {
  is_finished_ = true;
  if (!is_full_) write_more();
}

/// The lab ignores SIGPIPE. If nobody reads the pipe any more, what it should get is dropped.
void PipeFeed::write_more() {
  while (pipe_.is_open() && !waiting_.empty()) {
    const ssize_t size = ::write(pipe_.native_handle(), waiting_.data(), waiting_.size());
    if (size >= 0) {
      waiting_.erase(0, static_cast<std::size_t>(size));
    } else if (errno == EAGAIN) {
      is_full_ = true;
      pipe_.async_wait(boost::asio::posix::stream_descriptor::wait_write,
                       [this](const boost::system::error_code& error) {
                         if (error) return;
                         is_full_ = false;
                         write_more();
                       });
      return;
    } else {
      pipe_.close();
    }
  }
  if (is_finished_ && pipe_.is_open()) pipe_.close();
}

}  // namespace tcplab::lab
