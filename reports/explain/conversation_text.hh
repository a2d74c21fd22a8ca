// One connection of somebody's capture, in words.
#pragma once

#include <string>
#include <vector>

#include "capture/follow/conversation.hh"

namespace tcplab::reports {

/// "10.0.0.1:40000 ─▶ 10.0.0.2:8080".
std::string title_of(const capture::Conversation& conversation);

/// How it ended, or stands: "reset by 10.0.0.2:8080", "closed", "no answer to SYN".
std::string ending_of(const capture::Conversation& conversation);

/// A sentence each: how it began, what was sent, what went wrong, how it ended.
std::vector<std::string> sentences_of(const capture::Conversation& conversation);

}  // namespace tcplab::reports
