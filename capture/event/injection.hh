// What a script does to the system calls of a program (program:inject), as a fact of events and as
// the rule that the tracer follows.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/clock.hh"
#include "base/endpoint.hh"

namespace tcplab::capture {

enum class TcpState : std::uint8_t;

/// Which calls are changed, and how. A call matches if it has the name, and the connection, state
/// and number of bytes that the rule asks for.
struct InjectionRule {
  std::string call;         // its name or its family (is_of_family())
  int error = 0;            // it fails with this errno, and never reaches the kernel; 0: it does
  std::uint64_t bytes = 0;  // it moves at most this many bytes; 0: as many as the program asks for
  base::nanoseconds delay{};            // it reaches the kernel this much later
  std::uint32_t nth = 1;                // the first that is changed, among those that match
  std::uint32_t times = 1;              // how many are changed
  std::optional<base::Endpoint> local;  // the connection; empty: any
  std::optional<base::Endpoint> remote;
  std::optional<TcpState> state;  // of the connection, when the call is made
  std::uint64_t after_bytes = 0;  // that the socket has received (or sent) before

  bool operator==(const InjectionRule&) const = default;
};

}  // namespace tcplab::capture
