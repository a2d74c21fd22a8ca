#include <unistd.h>

#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>

#include "app/cli/commands.hh"
#include "app/cli/option_checks.hh"
#include "app/suite/retell.hh"
#include "app/terminal/terminal.hh"
#include "reports/diff/difference.hh"

namespace tcplab::app {

namespace {

reports::Behaviour read_run(const std::string& run) {
  reports::Behaviour behaviour;
  retell(run, behaviour);
  return behaviour;
}

int diff(const std::string& one, const std::string& other) {
  const reports::Behaviour before = read_run(one);
  const reports::Behaviour after = read_run(other);
  return reports::tell_difference(std::cout, style_of(STDOUT_FILENO), before, after) ? 0 : 1;
}

}  // namespace

void add_diff_command(CLI::App& app, Command& chosen) {
  auto one = std::make_shared<std::string>();
  auto other = std::make_shared<std::string>();
  CLI::App& command =
      *app.add_subcommand("diff", "Compare two runs: calls, states, frames and verdicts, not times")
           ->group(kResultCommands);
  command.add_option("RUN", *one, kOneRun)->required();
  command.add_option("OTHER", *other, "The run to compare it with")->required();
  command.footer(std::string(kAfterLastVerdict) +
                 "Exit status: 0 same behaviour, 1 different behaviour, 2 not a run.");
  command.callback([one, other, &chosen] { chosen = [one, other] { return diff(*one, *other); }; });
}

}  // namespace tcplab::app
