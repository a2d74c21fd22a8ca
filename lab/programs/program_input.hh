// The standard input of a program: queues what is typed until the program reads it.
#pragma once

#include <memory>
#include <string>

#include "base/file_descriptor.hh"

namespace boost::asio {
class io_context;
}

namespace tcplab::lab {

class ProgramInput {
public:
  /// `descriptor`: what the program reads is written there. `is_terminal`: it ends with Ctrl-D.
  ProgramInput(boost::asio::io_context& loop, base::FileDescriptor descriptor, bool is_terminal);
  ~ProgramInput();
  ProgramInput(const ProgramInput&) = delete;
  ProgramInput& operator=(const ProgramInput&) = delete;

  /// Queues text. Does nothing if the program has ended.
  void type(const std::string& text);
  void close();

private:
  struct Stream;  // hides Boost.Asio, which is slow to compile

  void write_more();

  std::unique_ptr<Stream> stream_;
  bool is_terminal_;
  std::string to_type_;
  bool close_when_typed_ = false;
};

}  // namespace tcplab::lab
