// Connection states in words, with what tells two connections of a host apart.
#pragma once

#include "capture/event/event.hh"
#include "reports/text/styled_text.hh"

namespace tcplab::reports {

/// "SYN_RECV", "ESTABLISHED #2", "LISTEN :8080".
StyledText state_text(const capture::State& state, int connection);

/// "FIN_WAIT2 → CLOSED": for a change that no frame beside it explains.
StyledText transition_text(const capture::State& state, int connection);

/// Bound sockets without a connection, and listeners that ended with their host's power.
bool is_boring(const capture::State& state);

/// States of a listener are not about one connection.
bool is_listener(const capture::State& state);

}  // namespace tcplab::reports
