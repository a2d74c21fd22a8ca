// What a connection waits for when the capture ends: data that was acknowledged and had no reply,
// data that was never acknowledged, or the first data.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "capture/follow/conversation.hh"
#include "capture/follow/conversation_facts.hh"
#include "reports/explain/roles.hh"

namespace tcplab::reports {

struct Waiting {
  enum class Kind : std::uint8_t {
    no_reply,           // the client's data was acknowledged; the server has sent none since
    no_acknowledgment,  // of the end's data, and it did not retransmit
    no_data,            // neither end has sent any
  };
  Kind kind = Kind::no_reply;
  std::size_t end = 0;      // whose data it is; the client for no_data
  std::int64_t lasted = 0;  // nanoseconds until the capture ends
};

/// Returns what an open connection has waited for, for at least 5 s. Empty if nothing.
std::optional<Waiting> waiting_of(const capture::Conversation& talk,
                                  const capture::ConversationFacts& facts, const Roles& roles);

/// Returns a sentence about it; empty if it waits for nothing.
std::string waiting_words(const capture::Conversation& talk,
                          const capture::ConversationFacts& facts, const Roles& roles);

}  // namespace tcplab::reports
