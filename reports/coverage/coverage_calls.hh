// The results that system calls on a TCP socket can have, according to their man pages.
// `tcplab coverage` compares them with what runs have shown. Values only.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "capture/event/event.hh"

namespace tcplab::reports {

struct KnownOutcome {
  std::string_view call;   // "read", also for recv(2) and similar calls
  std::string_view value;  // "ECONNRESET", "0", "n", "IN|HUP"
  std::string_view meaning;
  std::string_view unseen{};  // why it cannot happen here; empty if it can
};

/// Returns all known results, in the order in which a program uses the calls.
std::span<const KnownOutcome> known_outcomes();

struct CallOutcome {
  std::string call;
  std::string value;
  auto operator<=>(const CallOutcome&) const = default;
};

/// Returns the result of a finished call; nothing if the call is not about a socket.
std::optional<CallOutcome> answer_of(const capture::Call& call);

}  // namespace tcplab::reports
