// A run that has been, told again to a report.
#pragma once

#include <filesystem>
#include <string>

#include "reports/report.hh"

namespace tcplab::engine {

/// `run` is a run's folder, or its events.jsonl. Says on standard error when its last line is cut
/// off. Throws base::UsageError: no such file, or not one of events.
void retell(const std::filesystem::path& run, reports::Report& report);

}  // namespace tcplab::engine
