// Reads the JSON that json_summary() wrote, to join the results of several machines.
#pragma once

#include <string>

#include "reports/suite/suite_record.hh"

namespace tcplab::reports {

/// Parses a results file. `file` is its name for error messages. Throws base::UsageError, with a
/// message of one line, if the text is not a complete results file.
SuiteRecord parse_results(const std::string& text, const std::string& file);

}  // namespace tcplab::reports
