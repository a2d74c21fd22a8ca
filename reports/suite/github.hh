// Writes failures as GitHub annotations, which GitHub shows at the line of the script:
// https://docs.github.com/actions/reference/workflow-commands-for-github-actions
#pragma once

#include <string>

#include "reports/suite/suite_record.hh"

namespace tcplab::reports {

/// Returns a line for each run that failed or broke. Paths are relative to `root`, the folder of
/// the repository; files outside it keep their paths.
std::string github_annotations(const SuiteRecord& suite, const std::string& root);

}  // namespace tcplab::reports
