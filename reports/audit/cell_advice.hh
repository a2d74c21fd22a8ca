// What would help in a cell: rules over its facts. audit_words.hh says it, with the spelling of
// known programs.
#pragma once

#include <vector>

#include "reports/audit/audit.hh"

namespace tcplab::reports {

/// Returns what to change, the most important first; empty if nothing is wrong, or if the events
/// do not tell what is.
std::vector<Advice> advice_for(const Cell& cell);

}  // namespace tcplab::reports
