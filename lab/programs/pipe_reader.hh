// Reads a pipe in the Boost.Asio loop: a program's output, a run's events, a shell's input.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <functional>
#include <string_view>

#include "base/file_descriptor.hh"

namespace tcplab::lab {

/// Makes a descriptor non-blocking. Throws base::SystemError.
void make_non_blocking(int descriptor);

/// Reads a pipe on the loop, without blocking, and gives what it reads to `sink`.
class PipeReader {
public:
  PipeReader(boost::asio::io_context& loop, base::FileDescriptor descriptor,
             std::function<void(std::string_view)> sink);
  PipeReader(const PipeReader&) = delete;
  PipeReader& operator=(const PipeReader&) = delete;

  /// Reads what is available now, without waiting.
  void drain();
  /// True once it has read to the end-of-file: no process writes to the pipe any more.
  bool at_end() const { return at_end_; }

  /// If set, called with each reading that is due, which it may do later. drain() does not wait for
  /// it.
  std::function<void(std::function<void()> read)> hold_up;
  /// Called at end-of-file, unless drain() reached it first.
  std::function<void()> on_end;

private:
  void wait();
  void read();
  bool read_some();  // false at the end and when nothing is there

  boost::asio::posix::stream_descriptor stream_;
  std::function<void(std::string_view)> sink_;
  bool at_end_ = false;
};

}  // namespace tcplab::lab
