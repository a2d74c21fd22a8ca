// The arguments of a traced call as text for people, as dnc and strace write them.
#pragma once

#include <optional>
#include <string>

#include "base/clock.hh"
#include "base/endpoint.hh"
#include "capture/calls/call_stop.hh"

namespace tcplab::capture {

/// Returns the arguments besides the descriptor: "1024 bytes", "SO_KEEPALIVE = 1",
/// "10.0.0.2:8080"; empty if there are none worth showing.
std::string argument_text(const CallStop& stop);

/// Returns the address in the sockaddr that connect(2) or bind(2) was given.
std::optional<base::Endpoint> address_argument(const CallStop& stop);

/// Returns how long a call waits for its descriptors at most; empty: until something happens.
std::optional<base::nanoseconds> timeout_argument(const CallStop& stop);

/// ", timeout 100 ms" or ", timeout none", of a call that waits for several descriptors.
std::string timeout_text(const CallStop& stop);

/// Returns the first bytes that the call moved, escaped as in C. `size`: how many it moved.
std::string data_text(const CallStop& stop, std::int64_t size);

}  // namespace tcplab::capture
