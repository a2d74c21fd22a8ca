// Writes a suite's results as JUnit XML, for Jenkins, GitLab and GitHub's viewers:
// https://github.com/windyroad/JUnit-Schema. A failed expectation is a <failure>. A broken lab or a
// bad script is an <error>. A run that did not start is <skipped>, with the reason.
#pragma once

#include <string>

#include "reports/suite/suite_record.hh"

namespace tcplab::reports {

/// Returns valid UTF-8 and XML for any bytes in the results.
std::string junit_xml(const SuiteRecord& suite);

}  // namespace tcplab::reports
