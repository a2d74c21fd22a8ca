// tcplab: builds hosts on this machine, runs programs on them, breaks things, watches everything,
// and judges what it saw against what a scenario expects.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <iostream>
#include <string>

#include "base/error.hh"
#include "scenarios/engine/cli/command_line.hh"
#include "scenarios/engine/cli/commands.hh"

namespace {

constexpr int kUsage = 2;
constexpr int kBroken = 3;

using tcplab::base::UsageError;

/// One line, where CLI11 has two, of which the second is the same for all.
std::string what_is_wrong(const CLI::App& app, const CLI::ParseError& error,
                          const std::string& first) {
  if (!app.get_subcommands().empty()) {
    const std::string command = app.get_subcommands().front()->get_name();
    return command + ": " + error.what() + "; tcplab " + command + " --help tells more";
  }
  const std::string missing = first.empty()     ? "there is no command to carry out"
                              : first[0] == '-' ? "there is no option " + first
                                                : "there is no command \"" + first + "\"";
  return missing + "; tcplab --help lists those that there are";
}

int run(int argc, char** argv) {
  using namespace tcplab::engine;
  CLI::App app("tcplab: what does TCP do when that breaks?", "tcplab");
  app.set_version_flag("--version", "tcplab " TCPLAB_VERSION);
  app.require_subcommand(1);
  Command chosen;
  CommandLine commands(&app);
  add_list_command(commands, chosen);
  add_explain_command(commands, chosen);
  add_run_command(commands, chosen);
  add_merge_command(commands, chosen);
  add_check_command(commands, chosen);
  add_show_command(commands, chosen);
  add_diff_command(commands, chosen);
  add_coverage_command(commands, chosen);
  add_doctor_command(commands, chosen);
  add_report_command(commands, chosen);
  add_quiz_command(commands, chosen);
  add_shell_command(commands, chosen);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& help_or_version) {
    return app.exit(help_or_version);
  } catch (const CLI::ParseError& error) {
    throw UsageError(what_is_wrong(app, error, argc > 1 ? argv[1] : ""));
  }
  return chosen();
}

/// A full disk behind standard output is found out when what was kept back is written.
void finish_output() {
  std::cout.flush();
  if (!std::cout || std::fflush(stdout) != 0)
    throw tcplab::base::LabError("standard output could not be written: is its disk full?");
}

int complain(const std::exception& error, int status) {
  std::fprintf(stderr, "tcplab: %s\n", error.what());
  return status;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const int status = run(argc, argv);
    finish_output();
    return status;
  } catch (const tcplab::base::UsageError& error) {
    return complain(error, kUsage);
  } catch (const std::exception& error) {
    return complain(error, kBroken);
  }
}
