#include "scenarios/engine/audit/audit_results.hh"

#include <fstream>
#include <iostream>
#include <sstream>

#include "base/error.hh"
#include "base/output_file.hh"
#include "reports/audit/audit_page.hh"
#include "reports/audit/audit_terminal.hh"
#include "reports/audit/audit_words.hh"
#include "reports/audit/comparison.hh"

namespace tcplab::engine {

namespace fs = std::filesystem;

namespace {

constexpr const char* kMatrixPage = "audit.html";
constexpr const char* kComparisonPage = "comparison.html";
constexpr const char* kApplied = "applied";

/// A document on standard output leaves standard error for people.
std::ostream& output(const AuditResultOptions& options) {
  return options.files.own_stdout() ? std::cerr : std::cout;
}

reports::Audit read(const AuditedRuns& audited) {
  std::vector<fs::path> runs = {audited.baseline};
  runs.insert(runs.end(), audited.cells.begin(), audited.cells.end());
  return read_audit(audited.title, runs);
}

/// Writes the pages of the runs, and that of the matrix, which links to them.
void write_pages(const AuditResultOptions& options, const fs::path& folder,
                 const AuditedRuns& audited, reports::Audit& audit) {
  std::vector<fs::path> files = {audited.baseline / "events.jsonl"};
  for (const fs::path& run : audited.cells) files.push_back(run / "events.jsonl");
  options.write_runs(files, folder.string());
  for (reports::Cell& cell : audit.cells) cell.page = cell.run + ".html";
  std::ostringstream page;
  reports::write_html(page, audit);
  base::write_output_file((folder / kMatrixPage).string(), page.str());
}

void tell_misses(const std::vector<reports::Miss>& misses,
                 const reports::Requirements& requirements, std::ostream& out) {
  for (const reports::Miss& miss : misses)
    out << "Missed: " << reports::failure_label(*miss.cell) << ", " << miss.cell->moment_title
        << ": " << reports::miss_words(miss, requirements) << "\n";
}

void tell_options(std::ostream& out, const std::string& host,
                  const std::vector<reports::PlannedOption>& options) {
  if (!options.empty()) out << "  " << host << ": " << reports::option_words(options) << "\n";
}

/// Writes the page that shows both, beside the page of the first.
void write_comparison_page(const AuditResultOptions& options, reports::Audit before,
                           const AuditedRuns& applied, reports::Audit after) {
  write_pages(options, fs::path(options.html) / kApplied, applied, after);
  for (reports::Cell& cell : before.cells) cell.page = cell.run + ".html";
  for (reports::Cell& cell : after.cells) cell.page = std::string(kApplied) + "/" + cell.page;
  std::ostringstream page;
  reports::write_comparison_html(page, before, after);
  base::write_output_file((fs::path(options.html) / kComparisonPage).string(), page.str());
}

}  // namespace

reports::Audit results_of(const AuditResultOptions& options, const AuditedRuns& audited) {
  reports::Audit audit = read(audited);
  if (!options.html.empty()) write_pages(options, options.html, audited, audit);
  return audit;
}

int tell(const AuditResultOptions& options, const AuditedRuns& audited,
         const reports::Audit& audit) {
  write(options.files, audit, options.requirements);
  std::ostream& out = output(options);
  reports::write_text(out, audit, options.style);
  for (const LeftOut& one : audited.left_out)
    out << "Left out: " << one.moment << ", because " << one.why << "\n";
  const std::vector<reports::Miss> misses = reports::missed(audit, options.requirements);
  tell_misses(misses, options.requirements, out);
  if (!options.html.empty())
    out << "The table as a web page: " << options.html << "/" << kMatrixPage << "\n";
  out << "The ladder of a run: tcplab show " << options.out << "/runs/...\n";
  if (audited.suite.exit_status != 0) return audited.suite.exit_status;
  return misses.empty() ? 0 : 1;
}

void tell_plan(const AuditResultOptions& options, const reports::OptionPlan& plan) {
  std::ostream& out = output(options);
  if (plan.client.empty() && plan.server.empty()) {
    out << "Nothing to apply: no advice is about a socket option.\n";
    return;
  }
  out << "\nThe same again, with these options on each TCP socket, set by tcplab:\n";
  tell_options(out, "client", plan.client);
  tell_options(out, "server", plan.server);
  out << std::flush;
}

void tell_comparison(const AuditResultOptions& options, const reports::Audit& before,
                     const AuditedRuns& applied) {
  reports::Audit after = read(applied);
  after.title += ", with the options";
  std::ostream& out = output(options);
  reports::write_comparison(out, before, after, options.style);
  reports::write_remaining(out, after, options.style);
  if (!options.files.markdown.empty() && options.files.markdown != "-") {
    std::ofstream file(options.files.markdown, std::ios::app);
    file << "\n";
    reports::write_comparison_markdown(file, before, after);
  }
  if (options.html.empty()) return;
  write_comparison_page(options, before, applied, after);
  out << "Both as a web page: " << options.html << "/" << kComparisonPage << "\n";
}

int compare_audits(const std::vector<std::string>& folders, const reports::Style& style) {
  if (folders.size() != 2)
    throw base::UsageError(
        "--compare takes the folders of two audits: tcplab audit --compare "
        "before after");
  const reports::Audit before = read_audit(folders.front(), runs_of_audit(folders.front()));
  const reports::Audit after = read_audit(folders.back(), runs_of_audit(folders.back()));
  reports::write_comparison(std::cout, before, after, style);
  return 0;
}

}  // namespace tcplab::engine
