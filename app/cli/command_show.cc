#include <unistd.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "app/cli/commands.hh"
#include "app/cli/html_pages.hh"
#include "app/cli/option_checks.hh"
#include "app/suite/retell.hh"
#include "app/terminal/terminal.hh"
#include "base/error.hh"
#include "base/output_file.hh"
#include "reports/brief/brief_svg.hh"
#include "reports/brief/mermaid.hh"
#include "reports/html/page_run.hh"
#include "reports/ladder/ladder.hh"
#include "reports/ladder/ladder_json.hh"
#include "reports/latency/latency_json.hh"
#include "reports/latency/run_latency.hh"
#include "reports/perfetto/run_trace.hh"
#include "reports/text/json_document.hh"
#include "reports/text/text.hh"

namespace tcplab::app {

namespace {

struct ShowOptions {
  std::string run;
  bool verbose = false;
  bool latency = false;
  bool is_json = false;
  std::string svg;
  std::string mermaid;
  std::string perfetto;

  bool wants_picture() const { return !svg.empty() || !mermaid.empty(); }
  bool wants_documents() const { return wants_picture() || !perfetto.empty(); }
};

void retell_whole(const std::string& run, reports::Report& report) {
  const Retold record = retell(run, report);
  if (!record.has_end && !record.is_cut_off)
    std::cerr << reports::message(run + ": the run did not finish: its end is missing");
}

/// Prints the command for each run in a folder of runs.
int list_runs(const std::string& folder, bool is_json) {
  nlohmann::ordered_json document = reports::json_document("tcplab-runs");
  document["runs"] = nlohmann::ordered_json::array();
  for (const std::filesystem::path& file : run_folders({folder})) {
    const std::string run = file.parent_path().string();
    document["runs"].push_back(run);
    if (!is_json) std::cout << "tcplab show " << reports::printable(run) << "\n";
  }
  if (is_json) std::cout << reports::json_text(document);
  return 0;
}

bool is_folder_of_runs(const std::string& run) {
  const std::filesystem::path folder = run;
  return std::filesystem::is_directory(folder) && !std::filesystem::exists(folder / "events.jsonl");
}

int show_ladder(const ShowOptions& options) {
  if (options.is_json) {
    std::ostringstream text;  // nothing is printed of a file that has a wrong line
    reports::LadderJson ladder(text, options.verbose);
    retell_whole(options.run, ladder);
    std::cout << text.view();
    return 0;
  }
  reports::Style style = style_of(STDOUT_FILENO);
  style.verbose = options.verbose;
  reports::Ladder ladder(std::cout, style);
  retell_whole(options.run, ladder);
  return 0;
}

/// The documents of a run, which is read once.
class Documents : public reports::Report {
public:
  explicit Documents(const ShowOptions& options) : options_(options) {}

  void event(const capture::Event& event) override {
    if (options_.wants_picture()) gatherer_.event(event);
    if (!options_.perfetto.empty()) trace_.event(event);
  }

  void finish() override {
    gatherer_.finish();
    trace_.finish();
  }

  void write() {
    if (options_.wants_picture()) write_pictures(reports::brief_of(gatherer_.take()));
    if (!options_.perfetto.empty()) base::write_document(options_.perfetto, trace_.text());
  }

private:
  void write_pictures(const reports::Brief& brief) const {
    if (!options_.svg.empty()) base::write_document(options_.svg, reports::brief_svg(brief));
    if (!options_.mermaid.empty())
      base::write_document(options_.mermaid, reports::brief_mermaid(brief));
  }

  const ShowOptions& options_;
  html::RunGatherer gatherer_;
  reports::RunTrace trace_;
};

void require_run(const ShowOptions& options) {
  if (is_folder_of_runs(options.run))
    throw base::UsageError(options.run + ": not a run; name a folder with an events.jsonl");
}

int write_documents(const ShowOptions& options) {
  require_run(options);
  base::require_documents({options.svg, options.mermaid, options.perfetto});
  Documents documents(options);
  retell_whole(options.run, documents);
  documents.write();
  return 0;
}

int show_latency(const ShowOptions& options) {
  require_run(options);
  reports::RunLatency latency;
  retell_whole(options.run, latency);
  if (options.is_json) {
    std::cout << reports::latency_json(latency);
    return 0;
  }
  const std::string text = reports::run_latency_text(latency);
  std::cout << (text.empty() ? "no calls were recorded\n" : text);
  return 0;
}

}  // namespace

void add_show_command(CLI::App& app, Command& chosen) {
  auto options = std::make_shared<ShowOptions>();
  CLI::App& command =
      *app.add_subcommand("show", "Draw the ladder of an earlier run")->group(kResultCommands);
  command.add_option("RUN", options->run, kOneRun)->required();
  CLI::Option* const verbose =
      command.add_flag("-v,--verbose", options->verbose, "Show every call and every frame");
  CLI::Option* const latency =
      command.add_flag("--latency", options->latency,
                       "Show how long calls took instead, as distributions by call and result");
  CLI::Option* const json = command.add_flag("--json", options->is_json, kJsonHelp);
  const auto add_document = [&](const std::string& name, std::string& file, const char* what) {
    command.add_option(name, file, what)
        ->option_text("FILE")
        ->check(not_empty())
        ->excludes(verbose)
        ->excludes(latency)
        ->excludes(json);
  };
  add_document("--svg", options->svg,
               "Write a picture of its most important steps instead; - is standard output");
  add_document("--mermaid", options->mermaid,
               "Write these steps as a sequence diagram of Mermaid, for Markdown");
  add_document("--perfetto", options->perfetto,
               "Write calls, states and frames as a trace for ui.perfetto.dev");
  command.callback([options, &chosen] {
    chosen = [options] {
      if (options->wants_documents()) return write_documents(*options);
      if (options->latency) return show_latency(*options);
      if (is_folder_of_runs(options->run)) return list_runs(options->run, options->is_json);
      return show_ladder(*options);
    };
  });
}

}  // namespace tcplab::app
