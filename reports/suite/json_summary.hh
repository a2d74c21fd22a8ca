// Writes a suite's results as JSON: one document, or one line for each result.
//   {"format":"tcplab-results","version":1,"passed":2,...,"seconds":8.1,"results":[...]}
#pragma once

#include <string>

#include "reports/suite/suite_record.hh"

namespace tcplab::reports {

/// Returns one line without its line feed. Times are in seconds. Empty fields are omitted. Bytes
/// that are not UTF-8 become U+FFFD.
std::string json_result(const RunResult& result);

/// Returns the whole suite as one document, ending with a line feed.
std::string json_summary(const SuiteRecord& suite);

}  // namespace tcplab::reports
