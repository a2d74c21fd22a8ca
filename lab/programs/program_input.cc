#include "lab/programs/program_input.hh"

#include <unistd.h>

#include <cerrno>

#include "lab/programs/pipe_reader.hh"

namespace tcplab::lab {

using boost::asio::posix::stream_descriptor;

ProgramInput::ProgramInput(boost::asio::io_context& loop, base::FileDescriptor descriptor,
                           bool is_terminal)
    : stream_(loop), is_terminal_(is_terminal) {
  make_non_blocking(descriptor.get());
  stream_.assign(descriptor.release());
}

void ProgramInput::type(const std::string& text) {
  to_type_ += text;
  write_more();
}

void ProgramInput::close() {
  if (is_terminal_) return type("\x04");  // Ctrl-D
  close_when_typed_ = true;
  write_more();
}

/// The lab ignores SIGPIPE. If the program no longer reads, its end will tell.
void ProgramInput::write_more() {
  while (stream_.is_open() && !to_type_.empty()) {
    const ssize_t size = ::write(stream_.native_handle(), to_type_.data(), to_type_.size());
    if (size >= 0) {
      to_type_.erase(0, static_cast<std::size_t>(size));
    } else if (errno == EAGAIN) {
      stream_.async_wait(stream_descriptor::wait_write,
                         [this](const boost::system::error_code& error) {
                           if (!error) write_more();
                         });
      return;
    } else {
      stream_.close();
    }
  }
  if (close_when_typed_ && stream_.is_open()) stream_.close();
}

}  // namespace tcplab::lab
