// Writes a suite's results as Markdown (GitHub's, with tables and <details>), for the page of a CI
// job: the counts, each failure with what was expected and seen, and the command that repeats it.
#pragma once

#include <string>

#include "reports/suite/suite_record.hh"

namespace tcplab::reports {

/// Returns the page. Text from scripts and programs is escaped, so it has no effect.
std::string markdown_summary(const SuiteRecord& suite);

}  // namespace tcplab::reports
