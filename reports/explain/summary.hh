// One line about a captured connection: how it ended, and how bad that is.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "capture/follow/conversation.hh"
#include "capture/follow/conversation_facts.hh"
#include "reports/explain/roles.hh"

namespace tcplab::reports {

/// What is wrong with a connection, the least first. A connection with several has the worst.
enum class Trouble : std::uint8_t {
  none,
  waiting,      // for data, for at least 5 s when the capture ends
  window,       // the window was zero, and opened again
  loss,         // segments were retransmitted
  slow_open,    // the SYN or the SYN,ACK was retransmitted, and then answered
  half_closed,  // one end has closed, the other has not
  no_reply,     // an end closed, or gave up, after the client's last data had no reply
  reset,
  icmp,       // errors about an open connection
  refused,    // by a RST or an ICMP error
  no_answer,  // to the SYN, or to the SYN,ACK
  stuck,      // the window is zero when the capture ends
  silent,     // one end stopped answering
};

/// Returns "silent", "slow open": for the JSON and the overview.
std::string_view name(Trouble trouble);
/// Returns the words after a number of connections: "with retransmissions".
std::string_view words_for_many(Trouble trouble);

struct Summary {
  Trouble trouble = Trouble::none;
  std::string ending;                        // "no answer to 5 SYNs", "closed; 14 retransmissions"
  std::int64_t lasted = 0;                   // nanoseconds
  std::array<std::uint64_t, 2> octets = {};  // of data, by each end
  std::uint64_t retransmissions = 0;         // of both ends
  std::uint64_t zero_windows = 0;
  bool has_remark = false;  // the ending says more than the state
};

/// `end_at` is the time of the capture's last frame, in nanoseconds since 1970.
Summary summary_of(const capture::Conversation& talk, const capture::ConversationFacts& facts,
                   const Roles& roles, std::int64_t end_at);

/// Returns true if the first is worse, or equally bad with more retransmissions.
bool is_worse(const Summary& one, const Summary& other);

}  // namespace tcplab::reports
