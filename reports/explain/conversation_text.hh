// Describes one connection of a capture in words.
#pragma once

#include <string>
#include <vector>

#include "capture/follow/conversation.hh"

namespace tcplab::reports {

/// Returns "10.0.0.1:40000 to 10.0.0.2:8080".
std::string title_of(const capture::Conversation& conversation);

/// Returns how it ended, or its state now: "reset by 10.0.0.2:8080", "closed", "half-closed".
std::string ending_of(const capture::Conversation& conversation);

/// Returns sentences: how it began, what was sent, what went wrong, how it ended.
std::vector<std::string> sentences_of(const capture::Conversation& conversation);

}  // namespace tcplab::reports
