// The REPL's commands that get and set what the kernel keeps of a socket: options, TCP_INFO, flags,
// and the numbers of ioctl(2).
#pragma once

#include <string>

#include "dnc/calls/calls.hh"
#include "dnc/repl/repl_sockets.hh"
#include "dnc/repl/repl_words.hh"

namespace tcplab::dnc {

class OptionCommands {
public:
  OptionCommands(Calls& calls, const ReplSockets& sockets) : calls_(calls), sockets_(sockets) {}

  /// Each runs one command and returns what to print. Throws base::UsageError.
  std::string getsockopt(const Words& arguments);
  std::string setsockopt(const Words& arguments);
  std::string nonblock(const Words& arguments);
  std::string info(const Words& arguments);
  std::string ioctl(const Words& arguments);

private:
  Calls& calls_;
  const ReplSockets& sockets_;
};

}  // namespace tcplab::dnc
