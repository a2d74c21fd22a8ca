// Writes an audit's results: a table on the terminal, and files for people and programs.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "audit/audit.hh"
#include "audit/requirements.hh"
#include "reports/text/style.hh"

namespace tcplab::app {

/// Names of files; "-" is standard output, and an empty name is no file.
struct AuditFiles {
  std::string junit{};
  std::string markdown{};
  std::string json{};

  bool own_stdout() const { return junit == "-" || markdown == "-" || json == "-"; }
};

/// Reads all events of a run, by its folder.
std::vector<capture::Event> read_events(const std::filesystem::path& run);

/// Reads the runs of an audit. `runs` are folders, the baseline's first.
audit::Audit read_audit(const std::string& title, const std::vector<std::filesystem::path>& runs);

/// Returns the folders of the runs of an earlier audit, in the order in which they began. Those
/// that are older than the newest baseline are of an audit before it. `folder` is that of --out.
/// Throws base::UsageError if it has none.
std::vector<std::filesystem::path> runs_of_audit(const std::filesystem::path& folder);

/// Throws base::UsageError if two documents want standard output, if one of the files cannot be
/// written, or if no file can be made in the folder `html`.
void check(const AuditFiles& files, const std::string& html);

/// Writes the files. Throws base::SystemError for one that cannot be written.
void write(const AuditFiles& files, const audit::Audit& audit,
           const audit::Requirements& requirements);

}  // namespace tcplab::app
