#include <unistd.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <iostream>
#include <memory>

#include "app/cli/commands.hh"
#include "app/cli/html_pages.hh"
#include "app/cli/option_checks.hh"
#include "app/suite/retell.hh"
#include "app/terminal/terminal.hh"
#include "reports/ladder/ladder.hh"
#include "reports/latency/run_latency.hh"
#include "reports/text/text.hh"

namespace tcplab::app {

namespace {

void retell_whole(const std::string& run, reports::Report& report) {
  const Retold record = retell(run, report);
  if (!record.has_end && !record.is_cut_off)
    std::cerr << reports::message(run + ": the run did not finish: its end is missing");
}

/// Prints the command for each run in a folder of runs.
int list_runs(const std::string& folder) {
  for (const std::filesystem::path& run : run_folders({folder}))
    std::cout << "tcplab show " << reports::printable(run.parent_path().string()) << "\n";
  return 0;
}

bool is_folder_of_runs(const std::string& run) {
  const std::filesystem::path folder = run;
  return std::filesystem::is_directory(folder) && !std::filesystem::exists(folder / "events.jsonl");
}

int show_ladder(const std::string& run, bool verbose) {
  reports::Style style = style_of(STDOUT_FILENO);
  style.verbose = verbose;
  reports::Ladder ladder(std::cout, style);
  retell_whole(run, ladder);
  return 0;
}

int show_latency(const std::string& run) {
  reports::RunLatency latency;
  retell_whole(run, latency);
  const std::string text = reports::run_latency_text(latency);
  std::cout << (text.empty() ? "no calls were recorded\n" : text);
  return 0;
}

}  // namespace

void add_show_command(CLI::App& app, Command& chosen) {
  auto run = std::make_shared<std::string>();
  auto verbose = std::make_shared<bool>(false);
  auto latency = std::make_shared<bool>(false);
  CLI::App& command =
      *app.add_subcommand("show", "Draw the ladder of an earlier run")->group(kResultCommands);
  command.add_option("RUN", *run, kOneRun)->required();
  command.add_flag("-v,--verbose", *verbose, "Show every call and every frame");
  command.add_flag("--latency", *latency,
                   "Show how long calls took instead, as distributions by call and result");
  command.callback([run, verbose, latency, &chosen] {
    chosen = [run, verbose, latency] {
      if (is_folder_of_runs(*run)) return list_runs(*run);
      return *latency ? show_latency(*run) : show_ladder(*run, *verbose);
    };
  });
}

}  // namespace tcplab::app
