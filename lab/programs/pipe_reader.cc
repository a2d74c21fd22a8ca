#include "lab/programs/pipe_reader.hh"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <boost/asio/error.hpp>
#include <cerrno>
#include <utility>

#include "base/error.hh"

namespace tcplab::lab {

using boost::asio::posix::stream_descriptor;

void make_non_blocking(int descriptor) {
  base::check("make a pipe non-blocking", ::fcntl(descriptor, F_SETFL, O_NONBLOCK));
}

PipeReader::PipeReader(boost::asio::io_context& loop, base::FileDescriptor descriptor,
                       std::function<void(std::string_view)> sink)
    : stream_(loop), sink_(std::move(sink)) {
  make_non_blocking(descriptor.get());
  stream_.assign(descriptor.release());
  wait();
}

void PipeReader::wait() {
  stream_.async_wait(stream_descriptor::wait_read, [this](const boost::system::error_code& error) {
    if (error == boost::asio::error::operation_aborted) return;
    if (!hold_up) return read();
    hold_up([this] { read(); });
  });
}

void PipeReader::read() {
  if (read_some()) return wait();
  if (on_end) on_end();
}

bool PipeReader::read_some() {
  std::array<char, 65536> buffer;
  const ssize_t size = ::read(stream_.native_handle(), buffer.data(), buffer.size());
  if (size > 0) sink_({buffer.data(), static_cast<std::size_t>(size)});
  at_end_ = size == 0 || (size == -1 && errno == EIO);  // a terminal that nobody has any more
  return size > 0 || (size == -1 && (errno == EAGAIN || errno == EINTR));
}

void PipeReader::drain() {
  std::array<char, 65536> buffer;
  ssize_t size = -1;
  while (stream_.is_open() &&
         (size = ::read(stream_.native_handle(), buffer.data(), buffer.size())) > 0)
    sink_({buffer.data(), static_cast<std::size_t>(size)});
  at_end_ = at_end_ || size == 0 || (size == -1 && errno == EIO);
}

}  // namespace tcplab::lab
