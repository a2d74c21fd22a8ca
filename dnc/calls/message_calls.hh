// Calls that few programs make: recvmsg(2) with its control messages, and splice(2).
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "dnc/calls/control_data.hh"
#include "dnc/calls/made_call.hh"

namespace tcplab::dnc {

/// Each function makes exactly one system call, as those of Calls.
class MessageCalls {
public:
  explicit MessageCalls(Recorder& recorder) : recorder_(recorder) {}

  /// recvmsg(2): also gives the control messages.
  CallResult receive(int fd, std::span<char> buffer, int flags, ControlData& control);
  CallResult pipe(std::array<int, 2>& ends);  // ends[0] is read
  /// splice(2): moves bytes between a pipe and `socket`, which is `from` or `to`.
  CallResult splice(int from, int to, int socket, std::size_t count);

private:
  Recorder& recorder_;
};

}  // namespace tcplab::dnc
