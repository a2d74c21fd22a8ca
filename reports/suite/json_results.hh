// Reads what json_summary() has written, for who joins the results of several machines.
#pragma once

#include <string>

#include "reports/suite/suite_record.hh"

namespace tcplab::reports {

/// `file` is what complaints call it. Throws base::UsageError, in one line, for what is not a
/// whole document of ours.
SuiteRecord parse_results(const std::string& text, const std::string& file);

}  // namespace tcplab::reports
