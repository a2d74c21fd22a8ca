// What failed, at the line of the script where it did, in the form that GitHub's runner shows
// beside the source: workflow commands,
// https://docs.github.com/actions/reference/workflow-commands-for-github-actions
#pragma once

#include <string>

#include "reports/suite/suite_record.hh"

namespace tcplab::reports {

/// A line for each run that failed or broke. `root` is the folder that the files' names are told
/// from, as GitHub knows them; files elsewhere keep their names.
std::string github_annotations(const SuiteRecord& suite, const std::string& root);

}  // namespace tcplab::reports
