// What a connection waits for: data that was acknowledged and had no reply, data that was never
// acknowledged, or the first data. It waits until the capture ends, or until an end closes.
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
  std::size_t end = 0;                     // whose data it is; the client for no_data
  std::int64_t lasted = 0;                 // nanoseconds until the capture ends, or until the close
  std::optional<std::size_t> closed_by{};  // by a FIN or a RST; empty if the capture ends first
};

/// Returns what a connection has waited for: for at least 5 s when the capture ends, or for at
/// least 1 s when an end closed, or for any time when the server closed first and had never sent
/// data. Empty if nothing, or if an end is silent. A client that has sent data at least three
/// times, a second apart, to a server that never sends does not wait: such protocols go one way.
std::optional<Waiting> waiting_of(const capture::Conversation& talk,
                                  const capture::ConversationFacts& facts, const Roles& roles);

/// Returns true for a connection in which only the client has sent data, more than twice.
bool goes_one_way(const capture::Conversation& talk, const capture::ConversationFacts& facts,
                  const Roles& roles);

/// Returns a sentence about it; empty if it waits for nothing.
std::string waiting_words(const capture::Conversation& talk,
                          const capture::ConversationFacts& facts, const Roles& roles);

}  // namespace tcplab::reports
