#include "app/audit/audit_results.hh"

#include <algorithm>
#include <iostream>
#include <sstream>

#include "base/error.hh"
#include "base/output_file.hh"
#include "reports/audit/audit_page.hh"
#include "reports/audit/audit_terminal.hh"
#include "reports/audit/audit_words.hh"
#include "reports/audit/comparison.hh"
#include "reports/audit/requirement_words.hh"
#include "reports/text/text.hh"

namespace tcplab::app {

namespace fs = std::filesystem;

namespace {

constexpr const char* kMatrixPage = "audit.html";
constexpr const char* kComparisonPage = "comparison.html";
constexpr const char* kApplied = "applied";

/// A document on standard output leaves standard error for people.
std::ostream& output(const AuditResultOptions& options) {
  return options.files.own_stdout() ? std::cerr : std::cout;
}

/// Finds the cell of a run; null if the run broke before an event named its cell.
template <typename Cells>
auto* find_cell(Cells& cells, const reports::RunResult& result) {
  const auto found =
      std::ranges::find(cells, fs::path(result.directory).filename().string(), &audit::Cell::run);
  return found == cells.end() ? nullptr : &*found;
}

bool is_broken(const reports::RunResult& result) {
  return result.outcome == capture::Outcome::broken;
}

/// A run that breaks on a full disk cannot record why.
audit::Audit read(const AuditedRuns& audited) {
  std::vector<fs::path> runs = {audited.baseline};
  runs.insert(runs.end(), audited.cells.begin(), audited.cells.end());
  audit::Audit audit = read_audit(audited.title, runs);
  for (const reports::RunResult& result : audited.suite.record.results)
    if (audit::Cell* cell = find_cell(audit.cells, result);
        is_broken(result) && cell != nullptr && cell->trouble.empty())
      cell->trouble = result.reason;
  return audit;
}

/// Counts the runs that are in no cell of the table. Their reasons are shown when they end.
void tell_missing(const AuditedRuns& audited, const audit::Audit& audit) {
  const auto missing = std::ranges::count_if(
      audited.suite.record.results, [&audit](const reports::RunResult& result) {
        return is_broken(result) && find_cell(audit.cells, result) == nullptr;
      });
  if (missing > 0)
    std::cerr << reports::message(std::to_string(missing) +
                                  (missing == 1 ? " cell is" : " cells are") +
                                  " not in the table, because the run broke before it recorded "
                                  "anything; its error is above");
}

/// Writes the pages of the runs, and that of the matrix, which links to them.
void write_pages(const AuditResultOptions& options, const fs::path& folder,
                 const AuditedRuns& audited, audit::Audit& audit) {
  std::vector<fs::path> files = {audited.baseline / "events.jsonl"};
  for (const fs::path& run : audited.cells) files.push_back(run / "events.jsonl");
  options.write_runs(files, folder.string());
  for (audit::Cell& cell : audit.cells) cell.page = cell.run + ".html";
  std::ostringstream page;
  reports::write_html(page, audit);
  base::write_output_file((folder / kMatrixPage).string(), page.str());
}

/// Says which parts of the output are not compared.
void tell_masks(std::ostream& out, const std::vector<std::string>& masks) {
  constexpr std::size_t kMostShown = 4;
  constexpr std::size_t kLongest = 40;
  if (masks.empty()) return;
  std::string shown;
  for (std::size_t i = 0; i < std::min(masks.size(), kMostShown); ++i)
    shown += (i == 0 ? "" : ", ") + ("\"" + masks[i].substr(0, kLongest) + "\"");
  if (masks.size() > kMostShown)
    shown += " and " + std::to_string(masks.size() - kMostShown) + " more";
  out << "Not compared: " << shown << ", because the client's output differs there without a "
      << "failure, too. `judge` in the audit's file can say what is right\n";
}

void tell_misses(const std::vector<audit::Miss>& misses, const audit::Requirements& requirements,
                 std::ostream& out) {
  for (const audit::Miss& miss : misses)
    out << "Missed: " << reports::failure_label(*miss.cell) << ", " << miss.cell->moment_title
        << ": " << reports::miss_words(miss, requirements) << "\n";
}

void tell_options(std::ostream& out, const std::string& host,
                  const std::vector<audit::PlannedOption>& options) {
  if (!options.empty()) out << "  " << host << ": " << audit::option_words(options) << "\n";
}

/// Writes the page that shows both, beside the page of the first.
void write_comparison_page(const AuditResultOptions& options, audit::Audit before,
                           const AuditedRuns& applied, audit::Audit after) {
  write_pages(options, fs::path(options.html) / kApplied, applied, after);
  for (audit::Cell& cell : before.cells) cell.page = cell.run + ".html";
  for (audit::Cell& cell : after.cells) cell.page = std::string(kApplied) + "/" + cell.page;
  std::ostringstream page;
  reports::write_comparison_html(page, before, after);
  base::write_output_file((fs::path(options.html) / kComparisonPage).string(), page.str());
}

}  // namespace

audit::Audit results_of(const AuditResultOptions& options, const AuditedRuns& audited) {
  audit::Audit audit = read(audited);
  if (!options.html.empty()) write_pages(options, options.html, audited, audit);
  return audit;
}

int tell(const AuditResultOptions& options, const AuditedRuns& audited, const audit::Audit& audit) {
  tell_missing(audited, audit);
  write(options.files, audit, options.requirements);
  std::ostream& out = output(options);
  reports::write_text(out, audit, options.style);
  tell_masks(out, audited.masks);
  for (const LeftOut& one : audited.left_out)
    out << "Left out: " << one.moment << ", because " << one.why << "\n";
  const std::vector<audit::Miss> misses = audit::missed(audit, options.requirements);
  tell_misses(misses, options.requirements, out);
  if (!options.html.empty())
    out << "The table as a web page: " << options.html << "/" << kMatrixPage << "\n";
  out << "The ladder of a run: tcplab show " << options.out << "/runs/...\n";
  if (audited.suite.exit_status != 0) return audited.suite.exit_status;
  return misses.empty() ? 0 : 1;
}

void tell_plan(const AuditResultOptions& options, const audit::OptionPlan& plan) {
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

void tell_comparison(const AuditResultOptions& options, const audit::Audit& before,
                     const AuditedRuns& applied) {
  audit::Audit after = read(applied);
  after.title += ", with the options";
  std::ostream& out = output(options);
  reports::write_comparison(out, before, after, options.style);
  reports::write_remaining(out, after, options.style);
  if (!options.files.markdown.empty() && options.files.markdown != "-") {
    std::ostringstream text;
    text << "\n";
    reports::write_comparison_markdown(text, before, after);
    base::append_to_document(options.files.markdown, text.str());
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
  const audit::Audit before = read_audit(folders.front(), runs_of_audit(folders.front()));
  const audit::Audit after = read_audit(folders.back(), runs_of_audit(folders.back()));
  reports::write_comparison(std::cout, before, after, style);
  return 0;
}

}  // namespace tcplab::app
