// The lab's end of a pipe that a program on another kernel seems to write to. What the pipe cannot
// take yet waits here, because the lab itself reads it, on the same thread.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <string>

#include "base/file_descriptor.hh"
#include "base/kernel_questions.hh"

namespace tcplab::engine {

class PipeFeed {
public:
  PipeFeed(boost::asio::io_context& loop, base::FileDescriptor write_end);

  void write(base::Bytes bytes);
  /// Closes the pipe once it has taken everything.
  void finish();

private:
  void write_more();

  boost::asio::posix::stream_descriptor pipe_;
  std::string waiting_;
  bool is_finished_ = false;
  bool is_full_ = false;
};

}  // namespace tcplab::engine
