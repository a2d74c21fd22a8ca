// The options of a socket that decide when a kernel gives up: socket(7), tcp(7).
#pragma once

#include <string_view>

#include "audit/audit.hh"

namespace tcplab::audit {

/// Takes down what a setsockopt(2) has set: its arguments are "TCP_KEEPIDLE = 60". Ignores other
/// options, and calls that failed.
void note_option(SocketOptions& options, const capture::Call& call);

}  // namespace tcplab::audit
