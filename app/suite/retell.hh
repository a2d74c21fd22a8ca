// Feeds the events of an earlier run to a report.
#pragma once

#include <filesystem>
#include <string>

#include "reports/story/report.hh"

namespace tcplab::app {

struct Retold {
  bool is_cut_off = false;  // the last line is incomplete
  bool has_end = false;     // the last event is a RunEnd
};

/// Reads `run`, the folder of a run or its events.jsonl. Warns on standard error if the last line
/// is incomplete. Throws base::UsageError if the file does not exist or is not an events file.
Retold retell(const std::filesystem::path& run, reports::Report& report);

/// Returns whether the run's events.jsonl begins as it should. If the disk was full, it may be
/// empty, or have only later events.
bool has_events(const std::filesystem::path& run);

}  // namespace tcplab::app
