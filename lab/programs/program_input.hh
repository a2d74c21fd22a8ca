// The standard input of a program: queues what is typed until the program reads it.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <string>

#include "base/file_descriptor.hh"

namespace tcplab::lab {

class ProgramInput {
public:
  /// `descriptor`: what the program reads is written there. `is_terminal`: it ends with Ctrl-D.
  ProgramInput(boost::asio::io_context& loop, base::FileDescriptor descriptor, bool is_terminal);
  ProgramInput(const ProgramInput&) = delete;
  ProgramInput& operator=(const ProgramInput&) = delete;

  /// Queues text. Does nothing if the program has ended.
  void type(const std::string& text);
  void close();

private:
  void write_more();

  boost::asio::posix::stream_descriptor stream_;
  bool is_terminal_;
  std::string to_type_;
  bool close_when_typed_ = false;
};

}  // namespace tcplab::lab
