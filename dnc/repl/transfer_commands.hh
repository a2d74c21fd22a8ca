// The REPL's commands that send and receive data: read(2), write(2), recv(2), send(2).
#pragma once

#include <string>
#include <vector>

#include "dnc/calls/calls.hh"
#include "dnc/netcat/options.hh"
#include "dnc/repl/repl_sockets.hh"
#include "dnc/repl/repl_words.hh"

namespace tcplab::dnc {

class TransferCommands {
public:
  TransferCommands(const Options& options, Calls& calls, const ReplSockets& sockets)
      : options_(options), calls_(calls), sockets_(sockets) {}

  /// Each runs one command and returns what to print. Throws base::UsageError.
  std::string read(const Words& arguments);
  std::string write(const Words& arguments);
  std::string fill(const Words& arguments);
  std::string recv(const Words& arguments);
  std::string send(const Words& arguments);

private:
  const Options& options_;
  Calls& calls_;
  const ReplSockets& sockets_;
  std::vector<char> buffer_;
};

}  // namespace tcplab::dnc
