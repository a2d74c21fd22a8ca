// The words for the marks of an audit.
#pragma once

#include <string>
#include <string_view>

#include "capture/event/audit_note.hh"

namespace tcplab::reports {

/// Returns "wrong data", "not reached", ...
std::string_view outcome_text(capture::AuditOutcome outcome);

/// Returns "the client reacted: it sent data", "the client did not react", ...
std::string reaction_text(capture::AuditReaction reaction);

/// Returns one line: "audit: server: power off, at the moment: waiting; limit 5 min".
std::string audit_line(const capture::AuditNote& note);

}  // namespace tcplab::reports
