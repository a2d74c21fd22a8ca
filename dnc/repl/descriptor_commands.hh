// The REPL's commands about the descriptors of a socket: they close, duplicate, pass and select
// them.
#pragma once

#include <array>
#include <string>

#include "dnc/calls/calls.hh"
#include "dnc/repl/repl_sockets.hh"
#include "dnc/repl/repl_words.hh"

namespace tcplab::dnc {

class DescriptorCommands {
public:
  DescriptorCommands(Calls& calls, ReplSockets& sockets) : calls_(calls), sockets_(sockets) {}

  /// Each runs one command and returns what to print. Throws base::UsageError.
  std::string close(const Words& arguments);
  std::string dup(const Words& arguments);
  std::string pass(const Words& arguments);
  std::string take(const Words& arguments);
  std::string use(const Words& arguments);

private:
  Calls& calls_;
  ReplSockets& sockets_;
  std::array<int, 2> channel_ = {-1, -1};  // the Unix socket pair of pass and take
};

}  // namespace tcplab::dnc
