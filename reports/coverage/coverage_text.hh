// A Coverage for people at a terminal, for a page of documentation, and for programs.
#pragma once

#include <iosfwd>
#include <string>

#include "reports/coverage/coverage.hh"
#include "reports/text/style.hh"

namespace tcplab::reports {

/// A table a section, what is missing in it marked; then the findings and one line of sums.
void write_coverage(std::ostream& out, const Coverage& coverage, const Style& style);

/// The same as Markdown, for docs/coverage.md.
std::string coverage_markdown(const Coverage& coverage);

/// {"format":"tcplab-coverage","version":1,"runs":16,"sections":[...],"findings":[...]}
std::string coverage_json(const Coverage& coverage);

}  // namespace tcplab::reports
