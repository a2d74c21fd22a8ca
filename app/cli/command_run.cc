#include <unistd.h>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <iostream>
#include <random>
#include <set>

#include "app/catalogue/catalogue.hh"
#include "app/cli/commands.hh"
#include "app/cli/html_pages.hh"
#include "app/cli/option_checks.hh"
#include "app/cli/run_options.hh"
#include "app/cli/step_view.hh"
#include "app/cli/suite_views.hh"
#include "app/cli/workflow_commands.hh"
#include "app/suite/retell.hh"
#include "app/suite/shard.hh"
#include "app/suite/worker.hh"
#include "app/terminal/terminal.hh"
#include "base/error.hh"
#include "base/output_file.hh"
#include "lab/record/capture_stream.hh"
#include "lab/record/host_captures.hh"
#include "lab/tracepoints/kernel_watch.hh"
#include "reports/story/story.hh"
#include "reports/text/text.hh"

namespace tcplab::app {

namespace {

constexpr int kResultsWidth = 80;

/// Tells the story of the first run, if all runs are of one scenario and passed. Returns whether it
/// did. Of many scenarios, only the failures are described.
bool tell_story(const reports::SuiteRecord& suite) {
  std::set<std::string> names;
  for (const reports::RunResult& result : suite.results) names.insert(result.name);
  if (names.size() != 1 || suite.results.front().outcome != capture::Outcome::passed) return false;
  std::cout << "\n";
  reports::Story story(std::cout, style_of(STDOUT_FILENO));
  retell(suite.results.front().directory, story);
  return true;
}

void point_at_stories(const reports::SuiteRecord& suite) {
  if (reports::count_outcomes(suite.results).passed > 0)
    std::cout << "\nWhat happened in the runs that passed is left out; run one scenario alone to "
                 "read it.\n";
}

void write_pages(const reports::SuiteRecord& suite, const RunOptions& options) {
  std::vector<std::filesystem::path> runs;
  for (const reports::RunResult& result : suite.results)
    if (has_events(result.directory))
      runs.emplace_back(std::filesystem::path(result.directory) / "events.jsonl");
  if (options.html.empty() || runs.empty()) return;
  std::ostream& out = options.results.own_stdout() ? std::cerr : std::cout;
  out << "Web pages of the runs:                  "
      << reports::printable(write_html(runs, options.html)) << "\n";
}

void point_at_results(const reports::SuiteRecord& suite) {
  if (suite.results.empty()) return;
  const std::filesystem::path& run = suite.results.front().directory;
  const std::vector<std::filesystem::path> captures = lab::host_captures_in(run);
  const bool is_narrow = style_of(STDOUT_FILENO).width < kResultsWidth;
  const auto point = [is_narrow](const std::string& at, const std::string& what) {
    std::cout << (is_narrow ? at + "\n  " : fmt::format("{:<40}", at)) << reports::printable(what)
              << "\n";
  };
  std::cout << "\n";
  point("Every call, state and packet of a run:", "tcplab show " + run.string());
  if (!captures.empty()) point("Its packets, as one host saw them:", captures.front().string());
  point("Its packets, as all hosts saw them:", (run / "capture.pcapng").string());
}

/// The runs to do, and the facts about the whole suite that the results repeat.
struct Order {
  std::vector<RunPlan> plans;
  reports::SuiteRecord of;
  lab::KernelChoice on;
};

Order plan(const RunOptions& options) {
  Order order{.plans = {}, .of = {}, .on = options.kernel_choice()};
  order.of.perturbation = options.perturbation();
  const std::vector<RunPlan> all = plan_runs(
      options.selection.scenarios(),
      {.families = options.selection.families(),
       .is_one_family = options.is_one_family(),
       .timers = options.timers == "stock" ? lab::TimerProfile::stock : lab::TimerProfile::fast,
       .repeat = options.repeat,
       .is_stepped = options.watching.step,
       .has_kernel_events = options.tracepoints,
       .limits = options.run_limits(),
       .is_trusted = options.trust,
       .parameters = options.parameters(),
       .on = order.on,
       .perturbation = order.of.perturbation,
       .out = options.out});
  order.of.planned = all.size();
  order.of.plan = digest(all);
  order.plans = all;
  if (!options.selection.shard.empty()) {
    order.of.shard = parse_shard(options.selection.shard);
    order.plans = runs_of(*order.of.shard, all);
  }
  if (options.shuffle.is_on) {
    order.of.seed = options.shuffle.seed ? *options.shuffle.seed : std::random_device{}();
    shuffle(order.plans, *order.of.seed);
  }
  return order;
}

/// Opens the file of --pcapng, which holds one run because Wireshark shows one.
base::FileDescriptor open_stream(const Order& order, const RunOptions& options) {
  if (options.watching.pcapng.empty()) return {};
  if (order.plans.size() != 1)
    throw base::UsageError(fmt::format(
        "--pcapng is for one run, but you selected {}; name one scenario, and --family 4 or 6",
        order.plans.size()));
  return lab::open_capture_stream(options.watching.pcapng);
}

/// Prints how to repeat what was drawn at random.
void describe_chance(const reports::SuiteRecord& suite, std::ostream& out) {
  if (suite.seed) out << "Random order; to repeat it: --shuffle --seed " << *suite.seed << "\n";
  if (suite.perturbation)
    out << "Random delays; to repeat them: --perturb=" << *suite.perturbation << "\n";
}

SuiteResult run_with_progress(const Order& order, const RunOptions& options,
                              const lab::CaptureCopy& capture) {
  // If a document goes to standard output, progress goes to standard error.
  std::ostream& out = options.results.own_stdout() ? std::cerr : std::cout;
  describe_chance(order.of, out);
  ProgressView view(order.plans, out, options.results.own_stdout() ? STDERR_FILENO : STDOUT_FILENO);
  SuiteResult suite = run_suite(order.plans,
                                {.jobs = options.jobs_at_once(order.on),
                                 .capture = capture,
                                 .most_failures = options.most_failures()},
                                view);
  const bool has_story =
      !options.results.own_stdout() && suite.exit_status == 0 && tell_story(suite.record);
  out << "\n";
  view.summary(suite.record);
  describe_chance(order.of, out);
  if (!options.results.own_stdout()) {
    if (!has_story) point_at_stories(suite.record);
    point_at_results(suite.record);
  }
  return suite;
}

SuiteResult run_live(const Order& order, const RunOptions& options,
                     const lab::CaptureCopy& capture) {
  const bool to_stderr = options.results.own_stdout();
  std::ostream& out = to_stderr ? std::cerr : std::cout;
  describe_chance(order.of, out);
  LiveView view(options.watching.verbose, out, to_stderr ? STDERR_FILENO : STDOUT_FILENO);
  return run_suite(order.plans,
                   {.jobs = 1,
                    .every_event = true,
                    .capture = capture,
                    .most_failures = options.most_failures()},
                   view);
}

/// Throws base::UsageError unless --step has one run and a terminal.
void check_steps(const Order& order, const RunOptions& options) {
  if (!options.watching.step) return;
  if (options.results.own_stdout())
    throw base::UsageError(
        "--step draws on standard output; write the results to a file instead of -");
  if (order.plans.size() > 1)
    throw base::UsageError("--step is for one run, but you selected " +
                           std::to_string(order.plans.size()) +
                           "; name one scenario, and --family 4 or 6");
  if (!order.plans.empty()) need_terminal_for_steps();
}

SuiteResult run_stepped(const Order& order, const RunOptions& options,
                        const lab::CaptureCopy& capture) {
  StepView view(options.watching.verbose);
  return run_suite(order.plans,
                   {.jobs = 1, .every_event = true, .controlled = true, .capture = capture}, view);
}

/// Returns success for an empty shard, and exit status 4 for an empty suite.
SuiteResult nothing_to_run(const Order& order, const RunOptions& options) {
  std::ostream& out = options.results.own_stdout() ? std::cerr : std::cout;
  SuiteResult suite;
  if (order.of.planned > 0) {
    out << "Nothing to run: all " << order.of.planned << " runs are in the other shards\n";
  } else {
    out << "Nothing to run: no selected scenario runs on IPv" << options.selection.family << "\n";
    suite.exit_status = 4;
  }
  return suite;
}

/// Checks the output files now, because the runs may take minutes.
void check_places(const RunOptions& options) {
  check(options.results);
  const std::filesystem::path pages = options.html;
  if (!pages.empty() && std::filesystem::exists(pages) && !std::filesystem::is_directory(pages))
    throw base::UsageError("--html " + options.html + ": not a folder; name another place");
  base::require_output_folder(options.html);
}

/// Throws base::LabError if the running kernel's tracepoints cannot be read. Prints those that are
/// missing.
void check_this_kernel(const RunOptions& options) {
  if (!options.tracepoints) return;
  try {
    for (const std::string& tracepoint : lab::missing_tracepoints())
      std::cerr << "tcplab: --tracepoints: this kernel has no tracepoint " << tracepoint
                << "; its events will be missing\n";
  } catch (const capture::CannotTrace& error) {
    const std::string fix = error.fix().empty() ? "" : "; fix: " + error.fix();
    throw base::LabError(std::string("--tracepoints: ") + error.what() + fix);
  }
}

SuiteResult carry_out(const Order& order, const RunOptions& options,
                      const lab::CaptureCopy& capture) {
  const WorkflowCommandsOff off(options.results.github, output_for_people(options.results));
  if (order.plans.empty()) return nothing_to_run(order, options);
  if (options.watching.step) return run_stepped(order, options, capture);
  if (options.watching.live) return run_live(order, options, capture);
  return run_with_progress(order, options, capture);
}

int run(const RunOptions& options) {
  options.check();
  check_environment();
  const Order order = plan(options);
  check_places(options);
  check_steps(order, options);
  if (!order.on.is_own()) check_this_kernel(options);
  base::FileDescriptor stream;
  if (!order.plans.empty()) stream = open_stream(order, options);
  const lab::CaptureCopy capture{.descriptor = stream.get(), .nic = options.watching.nic};
  SuiteResult suite = carry_out(order, options, capture);
  suite.record.shard = order.of.shard;
  suite.record.seed = order.of.seed;
  suite.record.perturbation = order.of.perturbation;
  suite.record.planned = order.of.planned;
  suite.record.plan = order.of.plan;
  write(options.results, suite.record);
  write_pages(suite.record, options);
  return suite.exit_status;
}

}  // namespace

void add_run_command(CLI::App& app, Command& chosen) {
  CLI::App& command = *app.add_subcommand("run", "Run scenarios")->group(kRunCommands);
  auto options = add_run_options(command);
  command.footer(
      std::string(kFileHelp) +
      "\nPrograms on hosts cannot change the machine's files, and have a small environment and "
      "few\nprivileges. With --trust they can do all that you can; as root, that is "
      "everything.\n"
      "\nExit status: 0 all passed, 1 an expectation failed, 2 usage or a bad script, "
      "3 the lab broke, 4 all were skipped.");
  command.callback([options, &chosen] { chosen = [options] { return run(*options); }; });
}

}  // namespace tcplab::app
