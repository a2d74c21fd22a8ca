// Advises what to change because of a cell: rules over its facts. audit_words.hh puts the advice
// into words, with the spelling of known programs.
#pragma once

#include <vector>

#include "audit/audit.hh"

namespace tcplab::audit {

/// Returns what to change, the most important first; empty if nothing is wrong, or if the events
/// do not show what is.
std::vector<Advice> advice_for(const Cell& cell);

}  // namespace tcplab::audit
