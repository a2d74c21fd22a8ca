// An audit for a terminal: the failures, under each its moments, and what to change.
#pragma once

#include <iosfwd>

#include "audit/audit.hh"
#include "reports/text/style.hh"

namespace tcplab::reports {

/// Writes the table. Any width of at least 30 columns will do.
void write_text(std::ostream& out, const audit::Audit& audit, const Style& style);

}  // namespace tcplab::reports
