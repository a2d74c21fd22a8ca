#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <iostream>
#include <memory>
#include <sstream>

#include "app/cli/commands.hh"
#include "app/cli/conform_options.hh"
#include "app/cli/html_pages.hh"
#include "app/suite/retell.hh"
#include "app/suite/worker.hh"
#include "app/terminal/terminal.hh"
#include "base/output_file.hh"
#include "reports/html/markup.hh"
#include "reports/suite/github.hh"
#include "reports/suite/junit.hh"
#include "reports/text/hanging.hh"
#include "reports/text/text.hh"

namespace tcplab::app {

namespace {

namespace fs = std::filesystem;

/// Counts the runs that have ended, on a terminal only.
class ConformProgress : public SuiteObserver {
public:
  explicit ConformProgress(std::size_t runs) : runs_(runs) {}
  ~ConformProgress() override { clear(); }
  ConformProgress(const ConformProgress&) = delete;
  ConformProgress& operator=(const ConformProgress&) = delete;

  void started(std::size_t, base::Instant) override {}
  void waits(std::size_t, const std::string&) override {}
  void event(std::size_t, const capture::Event&) override {}
  void finished(std::size_t, const reports::RunResult&) override { ++ended_; }
  void state(const std::string& text) override {
    clear();
    std::cerr << text << std::flush;
  }
  void tick(base::Instant) override {
    if (!is_terminal_) return;
    std::cerr << fmt::format("\r{} of {} runs", ended_, runs_) << std::flush;
    is_drawn_ = true;
  }

private:
  void clear() {
    if (is_drawn_) std::cerr << "\r\x1b[K" << std::flush;
    is_drawn_ = false;
  }

  std::size_t runs_;
  std::size_t ended_ = 0;
  bool is_terminal_ = ::isatty(STDERR_FILENO) == 1;
  bool is_drawn_ = false;
};

/// Writes the pages of the first columns' runs, and gives each run the address of its page.
void write_run_pages(reports::Conformance& table, const std::vector<TestedStack>& stacks,
                     const fs::path& folder) {
  for (std::size_t column = 0; column < stacks.size(); ++column) {
    const std::string name = stacks[column].name;
    const fs::path pages = base::make_output_folder((folder / name).string());
    std::vector<fs::path> events;
    for (reports::ConformRow& row : table.rows) {
      for (reports::ConformRun& run : row.cells[column].runs) {
        if (run.directory.empty() || !has_events(run.directory)) continue;
        events.push_back(fs::path(run.directory) / "events.jsonl");
        const std::string page = fs::path(run.directory).filename().string() + ".html";
        run.page = html::link_to(name) + html::link_to(page).substr(1);
      }
    }
    write_suite_pages(events, pages, {});
  }
}

void write_pages(const ConformTask& task, reports::Conformance table, const std::string& folder) {
  if (folder.empty()) return;
  const fs::path made = base::make_output_folder(folder);
  write_run_pages(table, task.order.stacks, made);
  std::ostringstream page;
  reports::write_html(page, table);
  base::write_output_file((made / "index.html").string(), page.str());
}

void write_documents(const ConformOptions& options, const ConformResult& result) {
  const reports::Conformance& table = result.table;
  base::write_document(options.json, reports::conform_json(table));
  base::write_document(options.junit,
                       reports::junit_xml(reports::conform_suite(table, result.first)));
  std::ostringstream markdown;
  reports::write_markdown(markdown, table);
  base::write_document(options.markdown, markdown.str());
}

/// Prints what failed where GitHub shows it, beside the lines of its script.
void annotate(const ConformResult& result, std::ostream& out) {
  const char* is_github = std::getenv("GITHUB_ACTIONS");
  if (is_github == nullptr || std::string_view(is_github) != "true") return;
  const char* workspace = std::getenv("GITHUB_WORKSPACE");
  out << reports::github_annotations(reports::conform_suite(result.table, result.first),
                                     workspace == nullptr ? "" : workspace);
}

void tell(const ConformOptions& options, const ConformTask& task, const ConformResult& result) {
  write_documents(options, result);
  write_pages(task, result.table, options.html);
  std::ostream& out = options.own_stdout() ? std::cerr : std::cout;
  reports::write_text(out, result.table,
                      style_of(options.own_stdout() ? STDERR_FILENO : STDOUT_FILENO));
  annotate(result, out);
  if (result.first.results.empty()) return;
  const auto point = [&out](const std::string& at, const std::string& what) {
    out << fmt::format("{:<40}", at) << reports::printable(what) << "\n";
  };
  out << "\n";
  point("Every call, state and packet of a run:",
        "tcplab show " + result.first.results.front().directory);
  if (!options.html.empty())
    point("The table, with a page for each run:", (fs::path(options.html) / "index.html").string());
}

std::string status_of(const ListedRequirement& listed, const RequirementCatalogue& requirements) {
  std::string names;
  for (const ScriptInfo* one : requirements.scenarios_of(listed.id))
    names += (names.empty() ? "tested by " : ", ") + one->name;
  if (!names.empty()) return names;
  return (listed.is_seen ? "not tested yet: " : "no wire can show it: ") + listed.untested;
}

int list(const ConformOptions& options) {
  const RequirementCatalogue requirements(
      options.folder.empty() ? RequirementCatalogue::default_folder() : fs::path(options.folder));
  const reports::Style style = style_of(STDOUT_FILENO);
  std::size_t width = 0;
  for (const ListedRequirement& listed : requirements.listed())
    width = std::max(width, listed.id.size());
  for (const ScriptInfo& one : requirements.scenarios())
    width = std::max(width, one.requirement->id.size());
  const auto row = [&](const std::string& id, const std::string& says, const std::string& status) {
    reports::write_hanging(std::cout, fmt::format("{:<{}}  ", id, width), says,
                           reports::Paint::plain, style);
    reports::write_hanging(std::cout, std::string(width + 2, ' '), status, reports::Paint::dim,
                           style);
  };
  for (const ListedRequirement& listed : requirements.listed())
    row(listed.id, fmt::format("{} (RFC 9293 section {})", listed.says, listed.section),
        status_of(listed, requirements));
  for (const ScriptInfo& one : requirements.scenarios()) {
    const auto is_same = [&](const ListedRequirement& listed) {
      return listed.id == one.requirement->id;
    };
    if (std::ranges::any_of(requirements.listed(), is_same)) continue;
    row(one.requirement->id, fmt::format("{} ({})", one.requirement->says, one.requirement->rfc),
        "tested by " + one.name);
  }
  return 0;
}

int conform(const ConformOptions& options) {
  if (options.list) return list(options);
  const ConformTask task = task_of(options);
  check_environment();
  options.check_documents();
  const std::vector<RunPlan> plans = plan_conformance(task.order);
  ConformResult result;
  {
    ConformProgress progress(plans.size());
    result = run_conformance(task.order, plans, progress);
  }
  if (result.exit_status > 128) return result.exit_status;
  if (task.saved) add_saved(result.table, *task.saved);
  tell(options, task, result);
  return conform_status(result, task.saved.has_value());
}

}  // namespace

void add_conform_command(CLI::App& app, Command& chosen) {
  auto options = std::make_shared<ConformOptions>();
  CLI::App& command =
      *app.add_subcommand("conform", "Test a TCP stack against the requirements of the RFCs")
           ->group(kRunCommands);
  add_conform_options(command, *options);
  command.footer(
      "If FILE is -, it means standard output.\n"
      "The verdicts are: met; not met; does not arise: the stack never does what the requirement\n"
      "is about; not seen: the run could not show it, with the reason.\n"
      "After --, every word belongs to the command of your stack, options too.\n"
      "Exit status: 0 each MUST that was seen is met; 1 a MUST is not met, or something that is\n"
      "met in the file of --against is not met or does not arise; 2 usage or a bad script; 3 a "
      "run\n"
      "broke, or failed before its verdict; 4 nothing was judged.");
  command.callback([options, &chosen] { chosen = [options] { return conform(*options); }; });
}

}  // namespace tcplab::app
