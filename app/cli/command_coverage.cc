#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>

#include "app/cli/commands.hh"
#include "app/cli/option_checks.hh"
#include "app/suite/retell.hh"
#include "app/terminal/terminal.hh"
#include "base/error.hh"
#include "reports/coverage/coverage_text.hh"
#include "reports/text/text.hh"

namespace tcplab::app {

namespace {

struct CoverageOptions {
  std::vector<std::string> folders = {"runs"};
  bool json = false;
  bool markdown = false;
  bool strict = false;
};

/// Returns every events.jsonl in the folder and its subfolders, sorted.
std::vector<std::filesystem::path> runs_in(const std::filesystem::path& folder) {
  std::error_code error;
  if (std::filesystem::is_regular_file(folder, error)) return {folder};
  std::vector<std::filesystem::path> files;
  std::filesystem::recursive_directory_iterator entry(folder, error);
  if (error)
    throw base::UsageError("cannot read " + folder.string() + ": " + error.message() +
                           "; name a folder that tcplab run wrote");
  for (const auto& found : entry)
    if (found.path().filename() == "events.jsonl") files.push_back(found.path());
  std::ranges::sort(files);
  return files;
}

/// Returns false, and prints why, if the file is not a run. The other runs still count.
bool add_run(reports::Coverage& coverage, const std::filesystem::path& file) {
  try {
    reports::RunCoverage run;
    retell(file, run);
    coverage.add(run);
    return true;
  } catch (const base::UsageError& error) {
    std::cerr << reports::message(std::string(error.what()) + "; skipped");
    return false;
  }
}

int show_coverage(const CoverageOptions& options) {
  reports::Coverage coverage;
  bool are_all_runs = true;
  for (const std::string& folder : options.folders)
    for (const auto& file : runs_in(folder)) are_all_runs &= add_run(coverage, file);
  if (coverage.runs() == 0)
    throw base::UsageError("no run in " + options.folders.front() +
                           ": it has no events.jsonl; name a folder that tcplab run wrote");
  if (options.json)
    std::cout << reports::coverage_json(coverage);
  else if (options.markdown)
    std::cout << reports::coverage_markdown(coverage);
  else
    reports::write_coverage(std::cout, coverage, style_of(STDOUT_FILENO));
  if (!are_all_runs) return 2;
  return options.strict && !coverage.findings().empty() ? 1 : 0;
}

}  // namespace

void add_coverage_command(CLI::App& app, Command& chosen) {
  auto options = std::make_shared<CoverageOptions>();
  CLI::App& command =
      *app.add_subcommand("coverage", "List the TCP transitions and errors that runs have shown")
           ->group(kResultCommands);
  command.add_option("RUNS", options->folders, "Folders that contain runs (default runs)");
  CLI::Option* const json = command.add_flag("--json", options->json, kJsonHelp);
  command.add_flag("--markdown", options->markdown, "Print Markdown, for a page")->excludes(json);
  command.add_flag("--strict", options->strict,
                   "Exit with 1 if a run has a transition that RFC 9293 does not have");
  command.callback([options, &chosen] { chosen = [options] { return show_coverage(*options); }; });
}

}  // namespace tcplab::app
