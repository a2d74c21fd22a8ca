// The states that the two ends of a captured connection are in when the capture ends, as far as its
// frames show them. Frames do not show timers, calls, or a loss of power.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "capture/follow/conversation.hh"
#include "capture/follow/conversation_facts.hh"
#include "reports/explain/roles.hh"

namespace tcplab::reports {

struct StateClaim {
  enum class Certainty : std::uint8_t {
    probable,   // it is in one of the states
    last_seen,  // it was; it has stopped answering
    unknown,    // the capture does not have its frames
  };
  Certainty certainty = Certainty::unknown;
  std::vector<capture::TcpState> states;        // the likely one first; empty if unknown
  std::optional<capture::TcpState> queued_fin;  // one of them: closed, with the FIN not yet sent
};

StateClaim standing_of(const capture::Conversation& talk, const capture::ConversationFacts& facts,
                       std::size_t end);

/// Returns a sentence about both ends.
std::string standing_words(const capture::Conversation& talk,
                           const capture::ConversationFacts& facts, const Roles& roles);

}  // namespace tcplab::reports
