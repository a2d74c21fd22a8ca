// What `tcplab audit` prints and writes when its runs are done.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "app/audit/audit_files.hh"
#include "app/audit/audit_run.hh"
#include "audit/option_plan.hh"
#include "audit/requirements.hh"
#include "reports/text/style.hh"

namespace tcplab::app {

struct AuditResultOptions {
  AuditFiles files{};
  std::string html{};  // the folder of the pages; empty for none
  std::string out{};   // the folder of the runs
  audit::Requirements requirements{};
  reports::Style
      style{};  // of standard output; of standard error if a document is on standard output
  /// Writes the pages of runs, of these events.jsonl, into a folder.
  std::function<void(const std::vector<std::filesystem::path>&, const std::string&)> write_runs{};
};

/// Reads the runs, and writes their pages.
audit::Audit results_of(const AuditResultOptions& options, const AuditedRuns& audited);

/// Prints the table and writes the files. Returns the exit status.
int tell(const AuditResultOptions& options, const AuditedRuns& audited, const audit::Audit& audit);

/// Prints which socket options the next runs have.
void tell_plan(const AuditResultOptions& options, const audit::OptionPlan& plan);

/// Prints the earlier audit and the one with the options side by side, and what still needs a
/// change of the program.
void tell_comparison(const AuditResultOptions& options, const audit::Audit& before,
                     const AuditedRuns& applied);

/// Prints two earlier audits side by side. Returns the exit status. Throws base::UsageError unless
/// the words are their folders.
int compare_audits(const std::vector<std::string>& folders, const reports::Style& style);

}  // namespace tcplab::app
