#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fmt/format.h>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/catalogue/catalogue.hh"
#include "app/catalogue/child_work.hh"
#include "app/check/dry_run.hh"
#include "app/cli/commands.hh"
#include "app/cli/option_checks.hh"
#include "app/verbs/script_interface.hh"
#include "base/error.hh"
#include "lab/programs/needs.hh"
#include "reports/text/text.hh"

namespace tcplab::app {

namespace {

// Of one case. An audit has more than a hundred. Less than the limit of a Sandbox, which ends the
// process.
constexpr std::chrono::seconds kLimit{4};
constexpr std::size_t kMostMessages = 100;  // of a script

/// Loads the script, reads its needs, and runs it without hosts, which needs no privilege.
DryRunResult check_script(const std::filesystem::path& file) {
  try {
    const Script script(file.string());
    for (const std::string& need : script.info().needs) lab::missing_need(need);
    return check_uses(file.string(), script_interface(), [] { allow_processor_time(kLimit); });
  } catch (const base::UsageError& error) {
    return {.errors = {error.what()}};
  }
}

// CBOR, because JSON takes only UTF-8, and messages may quote other bytes of a script.

std::string packed(const DryRunResult& found) {
  std::string bytes;
  nlohmann::json::to_cbor({found.errors, found.stopped_at}, bytes);
  return bytes;
}

DryRunResult unpacked(const std::string& bytes) {
  const auto found = nlohmann::json::from_cbor(bytes);
  return {.errors = found.at(0), .stopped_at = found.at(1)};
}

void print(const std::vector<std::string>& messages) {
  for (std::size_t i = 0; i < std::min(messages.size(), kMostMessages); ++i)
    fmt::print(stderr, "{}", reports::message(messages[i]));
  if (messages.size() > kMostMessages)
    fmt::print(stderr, "tcplab: and {} more\n", messages.size() - kMostMessages);
}

/// Prints what was found. Returns whether the script is valid.
bool tell(const std::filesystem::path& file, const DryRunResult& found) {
  print(found.errors);
  if (!found.errors.empty()) return false;
  const std::string name = reports::printable(file.string());
  if (found.stopped_at == 0)
    fmt::print("{}: ok\n", name);
  else
    fmt::print("{}: ok up to line {}; what follows depends on values that only a run has\n", name,
               found.stopped_at);
  return true;
}

int check(const std::vector<std::string>& selectors) {
  const auto files = Catalogue(Catalogue::default_folder()).select(selectors);
  bool all = true;
  const auto work = [&](std::size_t i) { return packed(check_script(files[i])); };
  work_in_children({.items = files.size(), .limit = kLimit, .work = work},
                   [&](std::size_t i, const ChildAnswer& answer) {
                     const DryRunResult found =
                         answer.wrong.empty()
                             ? unpacked(answer.text)
                             : DryRunResult{{files[i].string() + ": " + answer.wrong}, {}};
                     all = tell(files[i], found) && all;
                   });
  return all ? 0 : 2;
}

}  // namespace

void add_check_command(CLI::App& app, Command& chosen) {
  auto selectors = std::make_shared<std::vector<std::string>>();
  CLI::App& command =
      *app.add_subcommand("check", "Check scripts, without making hosts")->group(kScenarioCommands);
  command.add_option("WHICH", *selectors, kWhichScenarios);
  command.footer("Exit status: 0 all are valid, 2 one is not.");
  command.callback([selectors, &chosen] { chosen = [selectors] { return check(*selectors); }; });
}

}  // namespace tcplab::app
