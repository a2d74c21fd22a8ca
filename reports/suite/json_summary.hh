// A suite's results as JSON, for programs: one document, or one line a result as they come.
//   {"format":"tcplab-results","version":1,"passed":2,...,"seconds":8.1,"results":[...]}
#pragma once

#include <string>

#include "reports/suite/suite_record.hh"

namespace tcplab::reports {

/// One line without its line feed. Times are in seconds; empty fields are left out; bytes that
/// are not UTF-8 become U+FFFD.
std::string json_result(const RunResult& result);

/// The whole suite as one document, ending with a line feed.
std::string json_summary(const SuiteRecord& suite);

}  // namespace tcplab::reports
