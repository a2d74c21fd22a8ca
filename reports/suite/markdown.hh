// A suite's results as a page of Markdown (GitHub's, with tables and <details>), for a CI job: what
// came of it, each failure with what was expected and seen, and how to see it again at home.
#pragma once

#include <string>

#include "reports/suite/suite_record.hh"

namespace tcplab::reports {

/// Whatever scripts and programs have put into the results, it is shown and does nothing.
std::string markdown_summary(const SuiteRecord& suite);

}  // namespace tcplab::reports
