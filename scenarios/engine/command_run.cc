#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <set>

#include "base/error.hh"
#include "capture/event_log.hh"
#include "reports/json_summary.hh"
#include "reports/junit.hh"
#include "reports/ladder.hh"
#include "reports/progress.hh"
#include "reports/story.hh"
#include "scenarios/engine/catalogue.hh"
#include "scenarios/engine/commands.hh"
#include "scenarios/engine/suite.hh"

namespace tcplab::engine {

namespace {

constexpr std::size_t kMostStories = 10;
// How late the pipe of a program may tell of a call: a live view waits so long before it draws.
constexpr base::nanoseconds kLateness = std::chrono::milliseconds(100);

struct Options {
  std::vector<std::string> selectors;
  std::size_t jobs = 16;
  std::string timers = "fast";
  std::string family = "both";
  bool family_chosen = false;
  int repeat = 1;
  std::string out = "runs";
  std::string junit;
  bool json = false;
  bool live = false;
  bool verbose = false;
};

/// How a suite shows itself to somebody at a terminal, or in a CI job's log.
class ProgressView : public SuiteObserver {
public:
  ProgressView(const std::vector<RunPlan>& plans, std::ostream& out, int descriptor)
      : plans_(plans),
        progress_(out, style_of(descriptor), ::isatty(descriptor) == 1,
                  static_cast<int>(plans.size())) {}

  void started(std::size_t run, base::Instant at) override {
    progress_.started(static_cast<int>(run), plans_[run].script.name, plans_[run].variant,
                      at - began_);
  }
  void waits(std::size_t run, const std::string& what) override {
    progress_.waits(static_cast<int>(run), what);
  }
  void event(std::size_t, const capture::Event&) override {}
  void finished(std::size_t run, const reports::RunResult& result) override {
    progress_.finished(static_cast<int>(run), result, base::now() - began_);
  }
  void tick(base::Instant now) override { progress_.tick(now - began_); }
  void summary(base::nanoseconds duration) { progress_.summary(duration); }

private:
  const std::vector<RunPlan>& plans_;
  base::Instant began_ = base::now();
  reports::Progress progress_;
};

/// One run after the other, each as a ladder that grows while it happens.
class LiveView : public SuiteObserver {
public:
  explicit LiveView(bool verbose) : style_(style_of(STDOUT_FILENO)) { style_.verbose = verbose; }

  void started(std::size_t, base::Instant) override {
    ladder_ = std::make_unique<reports::Ladder>(std::cout, style_);
  }
  void waits(std::size_t, const std::string&) override {}
  void event(std::size_t, const capture::Event& event) override { ladder_->event(event); }
  void finished(std::size_t, const reports::RunResult& result) override {
    ladder_->finish();
    if (!result.failure_text.empty()) std::cout << "\n" << result.failure_text;
    if (result.outcome == capture::Outcome::broken || result.outcome == capture::Outcome::skipped)
      std::cout << (result.outcome == capture::Outcome::broken ? "broken: " : "skipped: ")
                << result.reason << "\n";
    std::cout << std::endl;
    ladder_.reset();
  }
  void tick(base::Instant now) override {
    if (!ladder_) return;
    ladder_->flush(now - kLateness);
    std::cout.flush();
  }

private:
  reports::Style style_;
  std::unique_ptr<reports::Ladder> ladder_;
};

std::vector<base::Family> families(const Options& options) {
  if (options.family == "4" || (options.live && !options.family_chosen))
    return {base::Family::ipv4};
  if (options.family == "6") return {base::Family::ipv6};
  return {base::Family::ipv4, base::Family::ipv6};
}

std::vector<ScriptInfo> load(const std::vector<std::string>& selectors) {
  std::vector<ScriptInfo> scripts;
  for (const auto& file : Catalogue(Catalogue::default_folder()).select(selectors))
    scripts.push_back(Script(file.string()).info());
  return scripts;
}

/// For each scenario once, the account of its first run.
void tell_stories(const SuiteResult& suite) {
  std::set<std::string> told;
  for (const reports::RunResult& result : suite.results) {
    if (result.outcome != capture::Outcome::passed || !told.insert(result.name).second) continue;
    if (told.size() > kMostStories) return;
    std::cout << "\n";
    reports::Story story(std::cout, style_of(STDOUT_FILENO));
    capture::EventReader events(result.directory + "/events.jsonl");
    while (const auto event = events.next()) story.event(*event);
    story.finish();
  }
}

void write_junit(const std::string& file, const SuiteResult& suite) {
  std::ofstream out(file);
  out << reports::junit_xml(suite.results, suite.duration);
  out.close();
  if (!out) throw base::LabError("cannot write " + file);
}

void point_at_results(const SuiteResult& suite) {
  if (suite.results.empty()) return;
  std::cout << "\nEvery call, state and packet of a run:  tcplab show "
            << suite.results.front().directory << "\n"
            << "The packets in Wireshark or tshark:     " << suite.results.front().directory
            << "/capture.pcapng\n";
}

SuiteResult run_with_progress(const std::vector<RunPlan>& plans, const Options& options) {
  // With --json, standard output is the document's: progress goes to standard error.
  std::ostream& out = options.json ? std::cerr : std::cout;
  ProgressView view(plans, out, options.json ? STDERR_FILENO : STDOUT_FILENO);
  SuiteResult suite = run_suite(plans, {.jobs = options.jobs, .every_event = false}, view);
  if (!options.json && suite.exit_status == 0) tell_stories(suite);
  out << "\n";
  view.summary(suite.duration);
  if (!options.json) point_at_results(suite);
  return suite;
}

int run(const Options& options) {
  const std::vector<RunPlan> plans =
      plan_runs(load(options.selectors),
                {.families = families(options),
                 .timers = options.timers == "stock" ? TimerProfile::stock : TimerProfile::fast,
                 .repeat = options.repeat,
                 .out = options.out});
  if (plans.empty()) {
    std::cout << "Nothing to run: no chosen scenario is about IPv" << options.family << "\n";
    return 4;
  }
  SuiteResult suite;
  if (options.live) {
    LiveView view(options.verbose);
    suite = run_suite(plans, {.jobs = 1, .every_event = true}, view);
  } else {
    suite = run_with_progress(plans, options);
  }
  if (!options.junit.empty()) write_junit(options.junit, suite);
  if (options.json) std::cout << reports::json_summary(suite.results, suite.duration);
  return suite.exit_status;
}

}  // namespace

void add_run_command(CLI::App& app, Command& chosen) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("run", "Runs scenarios");
  command->add_option("WHICH", options->selectors,
                      "names, topics, tags, files or folders; all of them when none is given");
  command->add_option("-j,--jobs", options->jobs, "how many at once (they mostly wait)")
      ->check(CLI::Range(1, 256))
      ->capture_default_str();
  command
      ->add_option("--timers", options->timers,
                   "fast: seconds; stock: the kernel's defaults, minutes")
      ->check(CLI::IsMember({"fast", "stock"}))
      ->capture_default_str();
  CLI::Option* family = command->add_option("--family", options->family, "which Internet Protocol")
                            ->check(CLI::IsMember({"4", "6", "both"}))
                            ->capture_default_str();
  command->add_option("--repeat", options->repeat, "how often")
      ->check(CLI::Range(1, 100000))
      ->capture_default_str();
  command->add_option("--out", options->out, "where each run leaves its folder")
      ->capture_default_str();
  command->add_option("--junit", options->junit, "writes the results as JUnit XML");
  command->add_flag("--json", options->json, "prints the results as JSON");
  command->add_flag("--live", options->live, "shows each run as it happens, one after the other");
  command->add_flag("-v,--verbose", options->verbose, "with --live: every call and frame");
  command->callback([options, family, &chosen] {
    options->family_chosen = family->count() > 0;
    chosen = [options] { return run(*options); };
  });
}

}  // namespace tcplab::engine
