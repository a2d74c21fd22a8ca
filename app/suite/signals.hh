// Prepares the signals that a command handles in its event loop.
#pragma once

#include <initializer_list>

namespace tcplab::app {

/// Sets SA_RESTART (signal(7)) for these signals, so that they do not interrupt blocking calls.
/// Boost.Asio 1.81 does not set it: a write to a slow terminal then fails with EINTR, and a
/// std::ostream takes that as its end. Call it after a signal_set has the signals.
void restart_calls_after(std::initializer_list<int> signals);

}  // namespace tcplab::app
