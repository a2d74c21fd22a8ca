// A suite's results for what reads the Test Anything Protocol: version 13, which prove(1) and
// everybody's plug-ins know. https://testanything.org/tap-version-13-specification.html
#pragma once

#include <string>

#include "reports/suite/suite_record.hh"

namespace tcplab::reports {

/// A run is a line; what failed has its account below it, as the YAML that TAP allows. A run that
/// was skipped, and one that was not run, are "ok" with the directive SKIP, as TAP has it.
std::string tap(const SuiteRecord& suite);

}  // namespace tcplab::reports
