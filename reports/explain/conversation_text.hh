// Describes one connection of a capture in sentences.
#pragma once

#include <string>
#include <vector>

#include "capture/follow/conversation.hh"
#include "capture/follow/conversation_facts.hh"
#include "reports/explain/roles.hh"

namespace tcplab::reports {

/// Returns "client 10.0.0.1:40000, server 10.0.0.2:8080".
std::string title_of(const capture::Conversation& conversation, const Roles& roles);

/// Returns sentences: how it began, what was sent, what went wrong, how it ended.
std::vector<std::string> sentences_of(const capture::Conversation& conversation,
                                      const capture::ConversationFacts& facts, const Roles& roles);

/// Returns true if evidently another host sent the RST: the same end goes on, or its other segments
/// came another way.
bool is_foreign_reset(const capture::Conversation& talk, const capture::ConversationFacts& facts);

}  // namespace tcplab::reports
