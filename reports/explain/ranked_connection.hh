// A connection of a capture with what a reader needs to know about it.
#pragma once

#include "reports/explain/followed.hh"
#include "reports/explain/roles.hh"
#include "reports/explain/summary.hh"

namespace tcplab::reports {

struct RankedConnection {
  Followed* followed;
  Roles roles;
  Summary summary;

  const capture::ConversationFacts& facts() const { return followed->facts; }
};

}  // namespace tcplab::reports
