// A hint at the TCP that an end runs, from its hop limit and the options of its SYN or SYN,ACK.
// Devices on the path can change both, so no diagnosis builds on it.
#pragma once

#include <string>

#include "capture/follow/conversation_facts.hh"

namespace tcplab::reports {

/// Returns a sentence about that end, `who` in the text, if it does not look like a general-purpose
/// system with hop limit 64 (Linux, BSD, macOS, gVisor), which these numbers do not tell apart.
/// Empty if it does, or if its SYN or SYN,ACK was not seen.
std::string stack_hint(const capture::ConversationFacts& facts, std::size_t end,
                       const std::string& who);

}  // namespace tcplab::reports
