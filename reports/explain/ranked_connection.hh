// A connection of a capture with what a reader needs to know about it.
#pragma once

#include "capture/follow/conversation_facts.hh"
#include "reports/explain/followed_capture.hh"
#include "reports/explain/roles.hh"
#include "reports/explain/summary.hh"

namespace tcplab::reports {

struct RankedConnection {
  const Followed* followed;
  capture::ConversationFacts facts;  // with its surroundings
  Roles roles;
  Summary summary;
};

}  // namespace tcplab::reports
