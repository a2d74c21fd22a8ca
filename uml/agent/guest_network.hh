// The network devices of a guest: vec0, which leads to the lab, and a TAP for each NIC. What is
// written to a TAP has passed the kernel's TCP/IP stack when write(2) returns.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/file_descriptor.hh"
#include "base/kernel_questions.hh"
#include "uml/message.hh"

namespace tcplab::uml {

/// Opens the agent's end of the channel.
base::FileDescriptor open_channel();

/// Creates a TAP. Its descriptor does not block.
base::FileDescriptor create_tap(const std::string& name);

/// Asks the guest's kernel what the lab asks.
class KernelRelay {
public:
  /// Sends a netlink request to the kernel, and returns its whole answer as it is.
  std::vector<std::uint8_t> ask(int protocol, Bytes request);

  /// Asks sock_diag(7) for the TCP connection of a frame, with its TCP_INFO. Returns the answer as
  /// it is, empty if the frame has no connection. `is_sent`: this host has sent it.
  std::vector<std::uint8_t> ask_about(Bytes frame, bool is_sent);

private:
  std::map<int, std::unique_ptr<base::KernelQuestions>> questions_;  // by protocol
};

}  // namespace tcplab::uml
