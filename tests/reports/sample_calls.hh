// Calls as the tracer records them.
#pragma once

#include <string>

#include "capture/event/event.hh"

namespace tcplab::reports::tests {

constexpr base::Instant kStart{std::chrono::seconds(1000)};

/// A call of process 4711 that returned `result`, or -1 and the error -`result`. It returned one
/// second after kStart.
inline capture::Call returned(const std::string& name, int fd, std::int64_t result,
                              base::nanoseconds took = std::chrono::microseconds(10)) {
  capture::Call call;
  call.host = "kang";
  call.program = "curl";
  call.pid = 4711;
  call.phase = capture::CallPhase::leave;
  call.call = name;
  call.fd = fd;
  call.result = result < 0 ? -1 : result;
  call.error = result < 0 ? static_cast<int>(-result) : 0;
  call.entered = kStart + std::chrono::seconds(1) - took;
  return call;
}

}  // namespace tcplab::reports::tests
