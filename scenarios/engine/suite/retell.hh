// A run that has been, told again to a report.
#pragma once

#include <filesystem>
#include <string>

#include "reports/story/report.hh"

namespace tcplab::engine {

struct Retold {
  bool is_cut_off = false;  // in its last line
  bool has_end = false;
};

/// `run` is a run's folder, or its events.jsonl. Says on standard error when its last line is cut
/// off. Throws base::UsageError: no such file, or not one of events.
Retold retell(const std::filesystem::path& run, reports::Report& report);

}  // namespace tcplab::engine
