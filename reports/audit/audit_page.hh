// An audit as a web page: the matrix of failures and moments, each cell with the link to its run's
// page, its words and a mark besides the colour; then what to change.
#pragma once

#include <iosfwd>

#include "audit/audit.hh"

namespace tcplab::reports {

/// Writes the page. It needs no script and loads nothing. Links are relative to its folder.
void write_html(std::ostream& out, const audit::Audit& audit);

}  // namespace tcplab::reports
