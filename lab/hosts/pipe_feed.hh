// Writes the output of a program on a kernel host into a pipe. The lab reads that pipe on the same
// thread, so a write must not block: bytes for which the pipe has no room wait here.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <string>

#include "base/file_descriptor.hh"
#include "base/kernel_questions.hh"

namespace tcplab::lab {

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

}  // namespace tcplab::lab
