// tcplab: builds hosts on this machine, runs programs on them, breaks things, watches everything,
// and judges what it saw against what a scenario expects.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <string>

#include "base/error.hh"
#include "scenarios/engine/commands.hh"

namespace {

constexpr int kUsage = 2;
constexpr int kBroken = 3;

int run(int argc, char** argv) {
  using namespace tcplab::engine;
  CLI::App app("tcplab: what does TCP do when that breaks?", "tcplab");
  app.set_version_flag("--version", "tcplab " TCPLAB_VERSION);
  app.require_subcommand(1);
  Command chosen;
  add_list_command(app, chosen);
  add_explain_command(app, chosen);
  add_run_command(app, chosen);
  add_merge_command(app, chosen);
  add_check_command(app, chosen);
  add_show_command(app, chosen);
  add_diff_command(app, chosen);
  add_coverage_command(app, chosen);
  add_doctor_command(app, chosen);
  add_report_command(app, chosen);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (argc > 1 && argv[1][0] != '-' && app.get_subcommands().empty()) {
      throw tcplab::base::UsageError("there is no command \"" + std::string(argv[1]) +
                                     "\"; tcplab --help lists those that there are");
    }
    return app.exit(error) == 0 ? 0 : kUsage;
  }
  return chosen();
}

int complain(const std::exception& error, int status) {
  std::fprintf(stderr, "tcplab: %s\n", error.what());
  return status;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const tcplab::base::UsageError& error) {
    return complain(error, kUsage);
  } catch (const std::exception& error) {
    return complain(error, kBroken);
  }
}
