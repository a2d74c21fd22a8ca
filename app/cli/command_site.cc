#include <unistd.h>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <iostream>
#include <memory>

#include "app/catalogue/catalogue.hh"
#include "app/cli/commands.hh"
#include "app/cli/html_pages.hh"
#include "app/cli/option_checks.hh"
#include "app/cli/run_options.hh"
#include "app/cli/slide_pages.hh"
#include "app/cli/suite_views.hh"
#include "app/script/own_scenarios.hh"
#include "app/site/site_folder.hh"
#include "app/site/source_tree.hh"
#include "app/suite/retell.hh"
#include "app/suite/run_plan.hh"
#include "app/suite/worker.hh"
#include "base/error.hh"
#include "reports/coverage/coverage_text.hh"
#include "reports/site/site.hh"
#include "reports/text/text.hh"

namespace tcplab::app {

namespace {

namespace fs = std::filesystem;

constexpr const char* kRuns = "runs";  // below the new site, until the pages are made
// Exit statuses (tcplab(1)).
constexpr int kFailed = 1;
constexpr int kSkipped = 4;
constexpr int kSignal = 128;

struct SiteOptions {
  std::string folder{};
  std::vector<std::string> selectors{};
  std::string from{};
  std::string url{};
  std::vector<std::string> slides{};  // topics
};

/// The runs that the site shows, and the exit status of running them.
struct SiteRuns {
  std::vector<fs::path> events{};
  int status = 0;
};

/// Plans the runs. Without selectors, slides need only those of their topics.
std::vector<RunPlan> plan(const SiteOptions& options, const fs::path& out) {
  std::vector<ScriptInfo> scripts;
  for (const auto& choice : Catalogue(Catalogue::default_folder()).choose(options.selectors))
    for (ScriptInfo& scenario : scenarios_of(choice)) scripts.push_back(std::move(scenario));
  if (std::vector<ScriptInfo> shown = narrow(scripts, options.slides, {});
      options.selectors.empty() && !options.slides.empty())
    scripts = std::move(shown);
  return plan_runs(scripts, {.families = {base::Family::ipv4, base::Family::ipv6},
                             .limits = RunOptions{}.run_limits(),
                             .out = out});
}

/// Runs the scenarios, and shows their progress.
SiteRuns run(const SiteOptions& options, const fs::path& out) {
  check_environment();
  const std::vector<RunPlan> plans = plan(options, out);
  ProgressView view(plans, std::cout, STDOUT_FILENO);
  const SuiteResult suite = run_suite(plans, {}, view);
  view.summary(suite.record);
  SiteRuns runs{.events = {}, .status = suite.exit_status};
  for (const reports::RunResult& result : suite.record.results)
    if (const fs::path events = fs::path(result.directory) / "events.jsonl"; fs::exists(events))
      runs.events.push_back(events);
  return runs;
}

/// Returns the coverage of the runs, as the page shows it.
std::string coverage_of(const std::vector<fs::path>& events) {
  reports::Coverage coverage;
  for (const fs::path& file : events) {
    reports::RunCoverage run;
    retell(file, run);
    coverage.add(run);
  }
  return reports::coverage_markdown(coverage);
}

void write_site(const SiteFolder& folder, site::Site& site, const std::vector<fs::path>& events,
                const std::vector<std::string>& topics) {
  const fs::path pages = folder.path() / site::kRunPages;
  fs::create_directory(pages);
  const auto entries =
      write_suite_pages(events, pages, site.place_of_runs(), slide_addresses(topics));
  if (entries.size() < events.size())
    throw base::UsageError(fmt::format("{} of {} runs cannot be read; the site is not written",
                                       events.size() - entries.size(), events.size()));
  site.add_runs(entries, coverage_of(events));
  for (const site::SiteFile& file : site.files()) folder.write(file.path, file.content);
  for (const std::string& topic : topics)
    folder.write(slides_page(topic), slides(topic, events, entries));
}

std::string why_not(int status) {
  if (status == kSkipped) return "every scenario was skipped";
  if (status > kSignal) return "the runs were interrupted";
  return "a scenario could not be run";
}

int make_site(const SiteOptions& options) {
  const SourceTree tree(own_scenarios());
  site::Site site(
      tree.documents(), [&tree](const std::string& path) { return tree.read(path); }, options.url);
  SiteFolder folder(options.folder);
  const SiteRuns runs = options.from.empty()
                            ? run(options, folder.path() / kRuns)
                            : SiteRuns{.events = runs_with_topics(options.from, options.slides)};
  if (runs.status > kFailed || runs.events.empty()) {
    std::cerr << reports::message(options.folder + " is not written: " + why_not(runs.status));
    return runs.status;
  }
  write_site(folder, site, runs.events, options.slides);
  fs::remove_all(folder.path() / kRuns);
  folder.publish();
  fmt::print("{}\n", reports::printable((fs::path(options.folder) / "index.html").string()));
  return runs.status;
}

}  // namespace

void add_site_command(CLI::App& app, Command& chosen) {
  auto options = std::make_shared<SiteOptions>();
  CLI::App& command =
      *app.add_subcommand("site", "Write a web site: documents, pages of runs, coverage")
           ->group(kResultCommands);
  command.add_option("DIR", options->folder, "The folder to write; replaced if it is such a site")
      ->required()
      ->check(not_empty());
  CLI::Option* const which = command.add_option("WHICH", options->selectors, kWhichScenarios);
  command.add_option("--from", options->from, "Show the runs in this folder, and run nothing")
      ->option_text("RUNS")
      ->check(not_empty())
      ->excludes(which);
  command
      .add_option("--url", options->url,
                  "The address at which the site will be published; chats then show a picture "
                  "with links to it")
      ->check(a_web_folder());
  command
      .add_option("--slides", options->slides,
                  "Also write slides of this topic, for a room; without WHICH, run only this topic")
      ->option_text("TOPIC ...")
      ->allow_extra_args(false)
      ->check(not_empty());
  command.footer(
      "It runs the scenarios on IPv4 and IPv6, and then writes the site. The pages need no server\n"
      "and no JavaScript. The exit status is that of tcplab run; with a status above 1, an older\n"
      "site stays as it is.");
  command.callback([options, &chosen] { chosen = [options] { return make_site(*options); }; });
}

}  // namespace tcplab::app
