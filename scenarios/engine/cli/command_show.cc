#include <unistd.h>

#include <iostream>
#include <memory>

#include "reports/ladder/ladder.hh"
#include "reports/text/text.hh"
#include "scenarios/engine/cli/command_line.hh"
#include "scenarios/engine/cli/commands.hh"
#include "scenarios/engine/suite/retell.hh"
#include "scenarios/engine/terminal/terminal.hh"

namespace tcplab::engine {

namespace {

int show(const std::string& run, bool verbose) {
  reports::Style style = style_of(STDOUT_FILENO);
  style.verbose = verbose;
  reports::Ladder ladder(std::cout, style);
  const Retold told = retell(run, ladder);
  if (!told.has_end && !told.is_cut_off)
    std::cerr << reports::message(run + ": the run did not finish: its end is missing");
  return 0;
}

}  // namespace

void add_show_command(CommandLine& app, Command& chosen) {
  auto run = std::make_shared<std::string>();
  auto verbose = std::make_shared<bool>(false);
  CommandLine command =
      app.add_subcommand("show", "Draw the ladder of an earlier run").group(kResultCommands);
  command.add_option("RUN", *run, kOneRun).required();
  command.add_flag("-v,--verbose", *verbose, "Show every call and every frame");
  command.callback(
      [run, verbose, &chosen] { chosen = [run, verbose] { return show(*run, *verbose); }; });
}

}  // namespace tcplab::engine
