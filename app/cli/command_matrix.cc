#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fstream>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "app/catalogue/catalogue.hh"
#include "app/cli/commands.hh"
#include "app/cli/option_checks.hh"
#include "app/cli/run_options.hh"
#include "app/cli/suite_views.hh"
#include "app/suite/retell.hh"
#include "app/suite/worker.hh"
#include "app/terminal/terminal.hh"
#include "base/error.hh"
#include "base/output_file.hh"
#include "base/split.hh"
#include "reports/matrix/matrix_views.hh"

namespace tcplab::app {

namespace {

namespace fs = std::filesystem;
using reports::MatrixRun;

struct MatrixOptions {
  RunOptions run{};
  std::string kernels = "this,6.1";
  std::string html{};
  std::string markdown{};
  std::string json{};
  bool is_all = false;
};

/// A column: a kernel, and the results of its runs, in the order of the plans.
struct Column {
  std::string title{};  // "6.1.176"
  std::vector<RunPlan> plans{};
  SuiteResult suite{};
};

/// The documents that the user wants.
std::vector<std::string> files_of(const MatrixOptions& options) {
  return {options.markdown, options.html, options.json};
}

/// The options of a column's runs, as `tcplab run --kernel` has them.
RunOptions options_of(const MatrixOptions& options, const std::string& kernel) {
  RunOptions run = options.run;
  run.hosts.kernel = kernel;
  return run;
}

/// "6.1.176", and the folder "6.1.176" in the folder of the matrix. The running kernel is "this".
std::string title_of(const lab::KernelChoice& on) {
  return on.is_own() ? on.release : std::string(lab::kThisKernel);
}

Column plan_column(const MatrixOptions& options, const std::string& kernel,
                   const std::vector<ScriptInfo>& scripts) {
  const RunOptions run = options_of(options, kernel);
  const lab::KernelChoice choice = run.kernel_choice();
  Column column{.title = title_of(choice)};
  column.plans = plan_runs(scripts, {.families = run.selection.families(),
                                     .timers = run.timers == "stock" ? lab::TimerProfile::stock
                                                                     : lab::TimerProfile::fast,
                                     .repeat = run.repeat,
                                     .limits = run.run_limits(),
                                     .on = choice,
                                     .out = fs::path(run.out) / column.title});
  return column;
}

std::vector<Column> plan(const MatrixOptions& options) {
  std::vector<Column> columns;
  std::set<std::string> titles;
  const std::vector<ScriptInfo> scripts = options.run.selection.scenarios();
  for (const std::string& kernel : base::split(options.kernels, ',')) {
    if (kernel.empty()) continue;
    columns.push_back(plan_column(options, kernel, scripts));
    if (!titles.insert(columns.back().title).second)
      throw base::UsageError("--kernel " + options.kernels + ": names " + kernel + " twice");
  }
  if (columns.size() < 2)
    throw base::UsageError("--kernel " + options.kernels +
                           ": name two kernels or more, for example this,6.1 (see tcplab kernels)");
  return columns;
}

void carry_out(Column& column, const MatrixOptions& options) {
  if (column.plans.empty()) return;
  std::cerr << "On " << column.title << ":\n";
  ProgressView view(column.plans, std::cerr, STDERR_FILENO);
  const lab::KernelChoice& on = column.plans.front().on;
  column.suite = run_suite(column.plans, {.jobs = options.run.jobs_at_once(on)}, view);
  view.summary(column.suite.record);
  std::cerr << "\n";
}

std::optional<reports::Behaviour> behaviour_of(const reports::RunResult& result) {
  if (result.outcome != capture::Outcome::passed) return std::nullopt;
  reports::Behaviour behaviour;
  retell(result.directory, behaviour);
  return behaviour;
}

/// The result of a run; null if the suite was stopped before it.
const reports::RunResult* find(const Column& column, const std::string& id) {
  const auto& results = column.suite.record.results;
  const auto found = std::ranges::find(results, id, &reports::RunResult::id);
  return found == results.end() ? nullptr : &*found;
}

MatrixRun run_of(const reports::RunResult* result) {
  if (result == nullptr) return {.outcome = capture::Outcome::skipped, .reason = "it has not run"};
  return {.outcome = result->outcome,
          .reason = result->reason,
          .directory = result->directory,
          .behaviour = behaviour_of(*result)};
}

/// All runs of the scenario that is number `row` of the plans.
std::vector<MatrixRun> runs_of(const Column& column, std::size_t row, std::size_t rows) {
  std::vector<MatrixRun> runs;
  for (std::size_t i = row; i < column.plans.size(); i += rows)
    runs.push_back(run_of(find(column, column.plans[i].id)));
  return runs;
}

reports::MatrixRow row_of(const std::vector<Column>& columns, std::size_t row, std::size_t rows) {
  const RunPlan& plan = columns.front().plans[row];
  reports::MatrixRow shown{.name = plan.script.name,
                           .variant = plan.family == base::Family::ipv4 ? "IPv4" : "IPv6",
                           .cells = {}};
  shown.cells.reserve(columns.size());
  std::vector<MatrixRun> first;
  for (const Column& column : columns) {
    std::vector<MatrixRun> runs = runs_of(column, row, rows);
    shown.cells.push_back(reports::matrix_cell(runs, first));
    // A later column is the one to compare with if the scenario has not passed before it.
    const bool has_passed =
        std::ranges::any_of(runs, [](const MatrixRun& run) { return run.behaviour.has_value(); });
    if (first.empty() && has_passed) first = std::move(runs);
  }
  return shown;
}

/// The plans begin with each scenario once, and repeat them in the same order (plan_runs()).
reports::Matrix matrix_of(const std::vector<Column>& columns, int repeat) {
  reports::Matrix matrix{.kernels = {}, .rows = {}, .repeat = repeat};
  for (const Column& column : columns) matrix.kernels.push_back(column.title);
  const std::size_t rows = columns.front().plans.size() / static_cast<std::size_t>(repeat);
  for (std::size_t row = 0; row < rows; ++row) matrix.rows.push_back(row_of(columns, row, rows));
  return matrix;
}

void tell(const reports::Matrix& matrix, const MatrixOptions& options) {
  std::ostringstream markdown;
  reports::write_markdown(markdown, matrix, options.is_all);
  if (!options.markdown.empty()) base::write_document(options.markdown, markdown.str());
  std::ostringstream page;
  reports::write_html(page, matrix);
  if (!options.html.empty()) base::write_document(options.html, page.str());
  if (!options.json.empty()) base::write_document(options.json, reports::matrix_json(matrix));
  if (std::ranges::count(files_of(options), "-") > 0) return;
  reports::write_text(std::cout, matrix, style_of(STDOUT_FILENO), options.is_all);
}

int matrix(const MatrixOptions& options) {
  check_environment();
  base::require_documents(files_of(options));
  std::vector<Column> columns = plan(options);
  base::require_output_folder(options.run.out);
  int status = 0;
  for (Column& column : columns) {
    carry_out(column, options);
    if (column.suite.exit_status > 128) return column.suite.exit_status;  // interrupted
    if (column.suite.exit_status != 4) status = std::max(status, column.suite.exit_status);
  }
  tell(matrix_of(columns, options.run.repeat), options);
  return status;
}

void add_matrix_options(CLI::App& command, MatrixOptions& options) {
  command.add_option("WHICH", options.run.selection.selectors, kWhichScenarios);
  command
      .add_option("--kernel", options.kernels,
                  "The kernels, as for tcplab run --kernel, with commas between")
      ->option_text("KERNEL,KERNEL,...")
      ->check(not_empty())
      ->capture_default_str();
  command.add_option("--family", options.run.selection.family, "Choose the Internet Protocol")
      ->option_text("4|6|both")
      ->check(one_of({"4", "6", "both"}))
      ->capture_default_str();
  command.add_option("--timers", options.run.timers, kTimersHelp)
      ->option_text("fast|stock")
      ->check(one_of({"fast", "stock"}))
      ->capture_default_str();
  command.add_option("-j,--jobs", options.run.jobs, "Run at most N scenarios at once")
      ->option_text("N")
      ->check(in_range(1, 1024))
      ->each([&options](const std::string&) { options.run.jobs_chosen = true; })
      ->capture_default_str();
  command
      .add_option("--repeat", options.run.repeat,
                  "Run everything N times. A kernel differs only if none of its runs behaves like "
                  "one on the first kernel")
      ->option_text("N")
      ->check(in_range(1, 1000))
      ->capture_default_str();
  command.add_flag("--all", options.is_all,
                   "Show the scenarios that behave alike on all kernels, too");
  const auto add = [&](const std::string& name, std::string& file, const std::string& what) {
    command.add_option(name, file, what)->option_text("FILE")->group("Results")->check(not_empty());
  };
  add("--markdown", options.markdown, "Write the table as Markdown");
  add("--html", options.html, "Write the table as a web page, with every difference in full");
  add("--json", options.json, "Write the table as JSON, with every difference");
  command.add_option("--out", options.run.out, "Write the folder of each run into DIR/KERNEL")
      ->option_text("DIR")
      ->group("Results")
      ->check(not_empty())
      ->capture_default_str();
}

}  // namespace

void add_matrix_command(CLI::App& app, Command& chosen) {
  auto options = std::make_shared<MatrixOptions>();
  options->run.out = "matrix";
  CLI::App& command = *app.add_subcommand("matrix", "Compare what scenarios do on several kernels")
                           ->group(kRunCommands);
  add_matrix_options(command, *options);
  command.footer(
      std::string(kAfterLastVerdict) +
      "If FILE is -, it means standard output.\n"
      "Exit status: 0 the table is done, 1 an expectation failed on a kernel, 2 usage or a bad "
      "script,\n3 the lab broke.");
  command.callback([options, &chosen] { chosen = [options] { return matrix(*options); }; });
}

}  // namespace tcplab::app
