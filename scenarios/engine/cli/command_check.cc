#include <cstdio>
#include <fmt/format.h>
#include <memory>

#include "base/error.hh"
#include "scenarios/engine/check/dry_run.hh"
#include "scenarios/engine/cli/command_line.hh"
#include "scenarios/engine/cli/commands.hh"
#include "scenarios/engine/lab/needs.hh"
#include "scenarios/engine/script/catalogue.hh"
#include "scenarios/engine/verbs/script_interface.hh"

namespace tcplab::engine {

namespace {

/// Loads the script, reads its needs, and runs it without hosts, which needs no privilege.
bool check_script(const std::filesystem::path& file) {
  try {
    const Script script(file.string());
    for (const std::string& need : script.info().needs) missing_need(need);
    const DryRunResult found = check_uses(file.string(), script_interface());
    for (const std::string& notice : found.notices) fmt::print(stderr, "tcplab: {}\n", notice);
    for (const std::string& error : found.errors) fmt::print(stderr, "tcplab: {}\n", error);
    if (!found.errors.empty()) return false;
    if (found.stopped_at == 0)
      fmt::print("{}: ok\n", file.string());
    else
      fmt::print("{}: ok up to line {}; what follows depends on values that only a run has\n",
                 file.string(), found.stopped_at);
    return true;
  } catch (const base::UsageError& error) {
    fmt::print(stderr, "tcplab: {}\n", error.what());
    return false;
  }
}

int check(const std::vector<std::string>& selectors) {
  bool all = true;
  for (const auto& file : Catalogue(Catalogue::default_folder()).select(selectors))
    all = check_script(file) && all;
  return all ? 0 : 2;
}

}  // namespace

void add_check_command(CommandLine& app, Command& chosen) {
  auto selectors = std::make_shared<std::vector<std::string>>();
  CommandLine command =
      app.add_subcommand("check", "Check scripts, without making hosts").group(kScenarioCommands);
  command.add_option("WHICH", *selectors, kWhichScenarios);
  command.footer("Exit status: 0 all are valid, 2 one is not.");
  command.callback([selectors, &chosen] { chosen = [selectors] { return check(*selectors); }; });
}

}  // namespace tcplab::engine
