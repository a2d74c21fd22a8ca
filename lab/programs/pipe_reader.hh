// Reads a pipe in the Boost.Asio loop: a program's output, a run's events, a shell's input.
#pragma once

#include <functional>
#include <memory>
#include <string_view>

#include "base/file_descriptor.hh"

namespace boost::asio {
class io_context;
}

namespace tcplab::lab {

/// Makes a descriptor non-blocking. Throws base::SystemError.
void make_non_blocking(int descriptor);

/// Reads a pipe on the loop, without blocking, and gives what it reads to `sink`.
class PipeReader {
public:
  PipeReader(boost::asio::io_context& loop, base::FileDescriptor descriptor,
             std::function<void(std::string_view)> sink);
  ~PipeReader();
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
  struct Stream;  // hides Boost.Asio, which is slow to compile

  void wait();
  void read();
  bool read_some();  // false at the end and when nothing is there

  std::unique_ptr<Stream> stream_;
  std::function<void(std::string_view)> sink_;
  bool at_end_ = false;
};

}  // namespace tcplab::lab
