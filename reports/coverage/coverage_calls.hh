// What system calls on a TCP socket may answer, according to their man pages: the list that
// `tcplab coverage` holds against what was seen. Values only.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "capture/event/event.hh"

namespace tcplab::reports {

struct KnownOutcome {
  std::string_view call;   // "read", for recv(2) and its kin, too
  std::string_view value;  // "ECONNRESET", "0", "n", "IN|HUP"
  std::string_view meaning;
  std::string_view unseen{};  // why it cannot be provoked here; empty: it can
};

/// In the order of the calls' lives.
std::span<const KnownOutcome> known_outcomes();

struct CallOutcome {
  std::string call;
  std::string value;
  auto operator<=>(const CallOutcome&) const = default;
};

/// What this call, that has returned, says; nothing for one that is not about a socket.
std::optional<CallOutcome> answer_of(const capture::Call& call);

}  // namespace tcplab::reports
