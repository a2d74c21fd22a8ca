#include <CLI/CLI.hpp>
#include <filesystem>
#include <fmt/format.h>
#include <memory>

#include "app/cli/commands.hh"
#include "app/cli/explain_capture.hh"
#include "app/cli/html_pages.hh"
#include "app/cli/option_checks.hh"
#include "base/error.hh"
#include "reports/text/text.hh"

namespace tcplab::app {

namespace {

struct ReportOptions {
  std::vector<std::string> runs;
  std::string html = "report";
};

/// Throws base::UsageError for a capture file.
void check_runs(const ReportOptions& options) {
  for (const std::string& run : options.runs)
    if (has_capture_name(run))
      throw base::UsageError(run + ": a capture, not a run; use: tcplab explain " + run +
                             " --html " + options.html);
}

int report(const ReportOptions& options) {
  check_runs(options);
  const std::string page = write_html(run_folders(options.runs), options.html);
  fmt::print("{}\n", reports::printable(page));
  return 0;
}

}  // namespace

void add_report_command(CLI::App& app, Command& chosen) {
  auto options = std::make_shared<ReportOptions>();
  CLI::App& command =
      *app.add_subcommand("report", "Write web pages of earlier runs")->group(kResultCommands);
  command
      .add_option("RUN", options->runs,
                  "Folders of runs, folders that contain them, or events.jsonl files")
      ->required();
  command.add_option("--html", options->html, "Write the pages into DIR")
      ->option_text("DIR")
      ->capture_default_str();
  command.callback([options, &chosen] { chosen = [options] { return report(*options); }; });
}

}  // namespace tcplab::app
