// The REPL's commands about processes: its children, and its own limits and privileges.
#pragma once

#include <string>
#include <vector>

#include "dnc/calls/calls.hh"
#include "dnc/netcat/options.hh"
#include "dnc/repl/repl_sockets.hh"
#include "dnc/repl/repl_words.hh"

namespace tcplab::dnc {

class ProcessCommands {
public:
  ProcessCommands(const Options& options, Calls& calls, const ReplSockets& sockets)
      : options_(options), calls_(calls), sockets_(sockets) {}

  /// Each runs one command and returns what to print. Throws base::UsageError.
  std::string fork(const Words& arguments);
  std::string kill(const Words& arguments);
  std::string limit(const Words& arguments);
  std::string drop(const Words& arguments);

private:
  const Options& options_;
  Calls& calls_;
  const ReplSockets& sockets_;
  std::vector<int> children_;  // from fork, until kill
};

}  // namespace tcplab::dnc
