// The words for a wait on a connection: what the connection does, and what ends the wait.
#pragma once

#include <string>
#include <string_view>

#include "look/looked_process.hh"

namespace tcplab::reports {

/// Returns sentences for people.
std::string wait_words(const look::LookedConnection& connection,
                       const audit::KernelSettings& kernel, const audit::WaitEnd& end);

/// Returns what ends the wait besides TCP: the timeout of the call, or the deadline of the task.
/// Empty if it has none.
std::string own_end_words(const look::LookedWait& wait);

/// Returns what a deadline of the program does to the wait of a task; empty if it has none.
std::string deadline_words(const look::LookedTask& task);

/// Returns what bounds such a wait; empty if it is bounded.
std::string_view wait_advice(const audit::WaitEnd& end);

/// Returns the name of a scenario that shows such a wait; empty if none does.
std::string_view wait_scenario(const audit::WaitEnd& end);

/// Returns the octets that the program has written and the peer has not acknowledged. A SYN and a
/// FIN count as one in the kernel's number (RFC 9293 section 3.4), and not here.
std::uint64_t unacknowledged_octets(const audit::SocketFacts& facts);

}  // namespace tcplab::reports
