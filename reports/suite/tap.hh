// Writes a suite's results in the Test Anything Protocol, version 13, which prove(1) and most
// plug-ins read. https://testanything.org/tap-version-13-specification.html
#pragma once

#include <string>

#include "reports/suite/suite_record.hh"

namespace tcplab::reports {

/// Returns a line for each run. Below a run are its duration and the text of its failure, as a YAML
/// block. A run that was skipped or not started is "ok" with the directive SKIP, as TAP requires.
std::string tap(const SuiteRecord& suite);

}  // namespace tcplab::reports
