#include <unistd.h>

#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>

#include "app/cli/commands.hh"
#include "app/cli/option_checks.hh"
#include "app/suite/retell.hh"
#include "app/terminal/terminal.hh"
#include "reports/diff/difference.hh"
#include "reports/diff/difference_json.hh"

namespace tcplab::app {

namespace {

reports::Behaviour read_run(const std::string& run) {
  reports::Behaviour behaviour;
  retell(run, behaviour);
  return behaviour;
}

struct DiffOptions {
  std::string one;
  std::string other;
  bool is_json = false;
};

int diff(const DiffOptions& options) {
  const reports::Behaviour before = read_run(options.one);
  const reports::Behaviour after = read_run(options.other);
  const reports::Difference difference = reports::find_difference(before, after);
  if (options.is_json)
    std::cout << reports::difference_json({options.one, before}, {options.other, after},
                                          difference);
  else
    reports::write_difference(std::cout, style_of(STDOUT_FILENO), before, after, difference);
  return difference.is_none() ? 0 : 1;
}

}  // namespace

void add_diff_command(CLI::App& app, Command& chosen) {
  auto options = std::make_shared<DiffOptions>();
  CLI::App& command =
      *app.add_subcommand("diff", "Compare two runs: calls, states, frames and verdicts, not times")
           ->group(kResultCommands);
  command.add_option("RUN", options->one, kOneRun)->required();
  command.add_option("OTHER", options->other, "The run to compare it with")->required();
  command.add_flag("--json", options->is_json, kJsonHelp);
  command.footer(std::string(kAfterLastVerdict) +
                 "Exit status: 0 same behaviour, 1 different behaviour, 2 not a run.");
  command.callback([options, &chosen] { chosen = [options] { return diff(*options); }; });
}

}  // namespace tcplab::app
