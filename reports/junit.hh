// A suite's results as JUnit XML, in the form that Jenkins, GitLab and GitHub's viewers read:
// https://github.com/windyroad/JUnit-Schema. An expectation that failed is a <failure>, a lab that
// broke an <error>.
#pragma once

#include <span>
#include <string>

#include "reports/run_result.hh"

namespace tcplab::reports {

/// `wall` is how long the whole suite took. Plain UTF-8, whatever is in the results.
std::string junit_xml(std::span<const RunResult> results, capture::nanoseconds wall);

}  // namespace tcplab::reports
