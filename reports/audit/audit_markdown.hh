// An audit as Markdown, for a pull request or the summary of a CI job.
#pragma once

#include <iosfwd>

#include "audit/audit.hh"

namespace tcplab::reports {

/// Writes a matrix of failures and moments, each cell with the link to its page, then why, and what
/// to change.
void write_markdown(std::ostream& out, const audit::Audit& audit);

}  // namespace tcplab::reports
