// Formats connection states, with a number if a host has several connections.
#pragma once

#include "capture/event/event.hh"
#include "reports/text/styled_text.hh"

namespace tcplab::reports {

/// Returns "SYN_RECV", "ESTABLISHED #2" or "LISTEN :8080".
StyledText state_text(const capture::State& state, int connection);

/// Returns "FIN_WAIT2 → CLOSED", for a change without a frame beside it.
StyledText transition_text(const capture::State& state, int connection);

/// Returns whether the change is not worth showing: a bound socket without a connection, or a
/// listener of a host that lost power.
bool is_boring(const capture::State& state);

/// Returns whether the state is that of a listener, not of a connection.
bool is_listener(const capture::State& state);

}  // namespace tcplab::reports
