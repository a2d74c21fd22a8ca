// Prints a Coverage for a terminal, as Markdown, and as JSON.
#pragma once

#include <iosfwd>
#include <string>

#include "reports/coverage/coverage.hh"
#include "reports/text/style.hh"

namespace tcplab::reports {

/// Writes a table for each section, with missing rows marked; then the sums and the findings.
void write_coverage(std::ostream& out, const Coverage& coverage, const Style& style);

/// Returns the same as Markdown, for docs/coverage.md.
std::string coverage_markdown(const Coverage& coverage);

/// Returns {"format":"tcplab-coverage","version":1,"runs":16,"sections":[...],"findings":[...]}
std::string coverage_json(const Coverage& coverage);

}  // namespace tcplab::reports
