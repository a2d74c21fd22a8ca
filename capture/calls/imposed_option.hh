// A socket option that the lab sets on the sockets of traced programs.
#pragma once

#include "base/socket_options.hh"

namespace tcplab::capture {

struct ImposedOption {
  const base::SocketOption* option = nullptr;  // of base::socket_options(), with a number
  int value = 0;
};

}  // namespace tcplab::capture
