// A suite's results as JUnit XML, in the form that Jenkins, GitLab and GitHub's viewers read:
// https://github.com/windyroad/JUnit-Schema. An expectation that failed is a <failure>, a lab that
// broke, and a script
// that is wrong, an <error>; a run that was not run is <skipped>, and says so.
#pragma once

#include <string>

#include "reports/suite/suite_record.hh"

namespace tcplab::reports {

/// Plain UTF-8, whatever is in the results.
std::string junit_xml(const SuiteRecord& suite);

}  // namespace tcplab::reports
