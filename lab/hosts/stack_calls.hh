// The calls of the programs on a stack host. Each program (dnc --stack) sends its requests through
// a socket of its own; the stack has one standard input and one standard output for all of them.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>

#include "base/file_descriptor.hh"
#include "lab/hosts/pipe_feed.hh"

namespace tcplab::lab {

class StackCalls {
public:
  /// `requests` is the stack's standard input, `answers` its standard output.
  StackCalls(boost::asio::io_context& loop, base::FileDescriptor requests,
             base::FileDescriptor answers);
  ~StackCalls();
  StackCalls(const StackCalls&) = delete;
  StackCalls& operator=(const StackCalls&) = delete;

  /// Returns the program's end of a new socket.
  base::FileDescriptor add_program();

  /// Takes what the stack has written. Waits at most `most` if that is nothing.
  void await_answer(std::chrono::milliseconds most);

  /// Lets the stack close what ended programs had open, and waits for its answers, but at most a
  /// second. Calls `meanwhile` every millisecond.
  void settle(const std::function<void()>& meanwhile);

  /// Called with each line of the stack that is no answer.
  std::function<void(const std::string& line)> on_line;
  /// Called when the stack has closed its standard output.
  std::function<void()> on_end;

private:
  using Id = std::uint64_t;

  /// A program: its socket, and what it has open in the stack.
  struct Client {
    Client(boost::asio::io_context& loop, base::FileDescriptor ours);

    boost::asio::posix::stream_descriptor socket;
    std::unique_ptr<PipeFeed> answers;
    std::string buffer{};
    std::set<std::int64_t> open{};  // descriptors of the stack
    std::map<Id, Id> asked{};       // its number of a request, and ours
  };

  /// A request that has no answer yet.
  struct Request {
    std::weak_ptr<Client> client;
    Id id = 0;  // the client's number
    bool makes_descriptor = false;
    std::int64_t closes = -1;  // the descriptor that it closes
  };

  void read_answers();
  bool take_answers();
  void read_requests(const std::shared_ptr<Client>& client);
  void take_request(const std::shared_ptr<Client>& client, const std::string& line);
  void take_answer(const std::string& line);
  bool take_requests(const std::shared_ptr<Client>& client);
  void client_ended(Client& client);
  void close_in_stack(std::int64_t descriptor);
  void send(const std::string& line);

  boost::asio::io_context& loop_;
  PipeFeed requests_;
  boost::asio::posix::stream_descriptor answers_;
  std::string buffer_;
  Id last_ = 0;
  std::map<Id, Request> waiting_;
  std::set<Id> closing_;  // our requests to close what ended programs had open
  std::set<std::shared_ptr<Client>> clients_;
};

}  // namespace tcplab::lab
