// Why a cell ended as it did: which timer, frame or program decided. One rule for each reason; a
// rule claims only what the events show.
#pragma once

#include <vector>

#include "audit/notice_search.hh"

namespace tcplab::audit {

/// What the rules look at.
struct ReasonFacts {
  capture::AuditOutcome outcome = capture::AuditOutcome::not_reached;
  const Sighting* sighting = nullptr;             // null: nothing noticed
  const WatchedConnection* connection = nullptr;  // that it is about, or the last; null: none
  const WatchedConnection* server_end = nullptr;  // the server's end of it; null: not known
  base::Instant failure{};
  std::optional<bool> has_icmp_error;  // delivered to the client after the failure; empty: unknown
  bool is_server_frozen = false;       // its program is stopped, its kernel is not
  bool is_lookup_slow = false;         // DNS replied late after the failure, or not
  bool has_endless_wait = false;       // a call that had no timeout had not returned at the end
};

Reason reason_of(const ReasonFacts& facts);

}  // namespace tcplab::audit
