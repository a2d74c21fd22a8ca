// Waits as `tcplab trace --waits` sees them.
#pragma once

#include <string>

#include "reports/waits/trace_wait.hh"
#include "tests/reports/sample_calls.hh"

namespace tcplab::reports::tests {

constexpr base::Instant kReturn = kStart + std::chrono::seconds(1);

/// A wait of a program whose stack is fetch() below main().
inline TraceWait waited(const std::string& name, std::int64_t result, base::nanoseconds took) {
  capture::Call call = returned(name, 3, result, took);
  call.remote = base::Endpoint::parse("10.0.0.2:5432");
  call.stack = {"fetch (/srv/a.py:3)", "<module> (/srv/a.py:9)"};
  return {.call = call, .entered = call.entered, .until = kReturn, .process = "python3"};
}

}  // namespace tcplab::reports::tests
