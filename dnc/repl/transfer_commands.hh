// The REPL's commands that send and receive data: read(2), write(2), recv(2), send(2),
// recvmsg(2), splice(2).
#pragma once

#include <array>
#include <string>
#include <vector>

#include "dnc/calls/calls.hh"
#include "dnc/calls/message_calls.hh"
#include "dnc/netcat/options.hh"
#include "dnc/repl/repl_sockets.hh"
#include "dnc/repl/repl_words.hh"

namespace tcplab::dnc {

class TransferCommands {
public:
  TransferCommands(const Options& options, Calls& calls, MessageCalls messages,
                   const ReplSockets& sockets)
      : options_(options), calls_(calls), messages_(messages), sockets_(sockets) {}

  /// Each runs one command and returns what to print. Throws base::UsageError.
  std::string read(const Words& arguments);
  std::string write(const Words& arguments);
  std::string fill(const Words& arguments);
  std::string recv(const Words& arguments);
  std::string send(const Words& arguments);
  std::string recvmsg(const Words& arguments);
  /// Moves bytes from the socket into a pipe of dnc's, or back.
  std::string splice(const Words& arguments);

private:
  const Options& options_;
  Calls& calls_;
  MessageCalls messages_;
  const ReplSockets& sockets_;
  std::vector<char> buffer_;
  std::array<int, 2> pipe_ = {-1, -1};  // of splice; made when it is used first
};

}  // namespace tcplab::dnc
