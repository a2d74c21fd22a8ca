// What an earlier or a neighbouring connection says about a connection of the same capture.
#pragma once

#include <cstdint>
#include <optional>

#include "capture/follow/conversation.hh"
#include "capture/follow/conversation_facts.hh"

namespace tcplab::reports {

/// Returns when the TIME_WAIT began that a new connection of the same endpoints meets at `now`, in
/// nanoseconds since 1970; 0 if none. An attempt that was not established leaves it as it is.
std::int64_t in_time_wait_since(const capture::Conversation& before,
                                const capture::ConversationFacts& facts, std::int64_t now);

/// Compares the timestamps (RFC 7323) of the connections from one address to one listener. A clock
/// shows in two answered connections whose timestamps fit the time between them; a stack that adds
/// a random offset to each connection has none.
class StampClock {
public:
  explicit StampClock(const capture::Conversation& talk) : talk_(talk) {}

  /// Notes another connection of the capture; earlier ones first.
  void note(const capture::Conversation& other);
  /// Returns true if there is a clock, and the connection's timestamps are older than those of an
  /// earlier connection: two hosts behind one NAT sent them, or the host was restarted.
  bool is_behind() const { return has_clock_ && is_older_; }

private:
  struct Stamp {
    std::uint32_t value = 0;
    std::int64_t at = 0;
  };

  const capture::Conversation& talk_;
  std::optional<Stamp> last_;
  bool has_clock_ = false;
  bool is_older_ = false;
};

/// Returns true if the client reset the SYN,ACK: it had asked for no more.
bool was_only_checked(const capture::Conversation& talk, const capture::ConversationFacts& facts);

}  // namespace tcplab::reports
