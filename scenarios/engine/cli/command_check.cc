#include <cstdio>
#include <fmt/format.h>
#include <memory>

#include "base/error.hh"
#include "scenarios/engine/cli/command_line.hh"
#include "scenarios/engine/cli/commands.hh"
#include "scenarios/engine/lab/needs.hh"
#include "scenarios/engine/script/catalogue.hh"

namespace tcplab::engine {

namespace {

/// Loads the script and reads its needs. It does not run the script, so it needs no privilege.
bool check_script(const std::filesystem::path& file) {
  try {
    const Script script(file.string());
    for (const std::string& need : script.info().needs) missing_need(need);
    fmt::print("{}: ok\n", file.string());
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
      app.add_subcommand("check", "Check scripts, without running them").group(kScenarioCommands);
  command.add_option("WHICH", *selectors, kWhichScenarios);
  command.footer("Exit status: 0 all are valid, 2 one is not.");
  command.callback([selectors, &chosen] { chosen = [selectors] { return check(*selectors); }; });
}

}  // namespace tcplab::engine
