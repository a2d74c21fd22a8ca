// The signals that a command takes in its loop.
#pragma once

#include <initializer_list>

namespace tcplab::engine {

/// After these, a call that waits goes on, as SA_RESTART has it (signal(7)); a loop hears of them
/// all the same. Boost.Asio 1.81 does not ask for it: a write to a slow terminal then ends with
/// EINTR, which is the end of a stream. To be called where a signal_set has them.
void let_calls_go_on(std::initializer_list<int> signals);

}  // namespace tcplab::engine
