#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <fmt/format.h>
#include <iterator>
#include <limits>
#include <memory>
#include <set>

#include "app/catalogue/catalogue.hh"
#include "app/catalogue/script_info_json.hh"
#include "app/cli/commands.hh"
#include "app/cli/option_checks.hh"
#include "app/terminal/terminal.hh"
#include "reports/text/json_document.hh"
#include "reports/text/text.hh"

namespace tcplab::app {

namespace {

constexpr int kNarrowest = 30;

struct ListOptions {
  std::vector<std::string> selectors;
  bool names = false;
  bool json = false;
};

/// Prints every word that selects a scenario, for shell completion.
void print_names(const std::vector<ScriptInfo>& scripts) {
  std::set<std::string> names;
  for (const ScriptInfo& script : scripts) {
    names.insert(script.name);
    names.insert(script.topic);
    names.insert(script.tags.begin(), script.tags.end());
  }
  for (const std::string& name : names) fmt::print("{}\n", reports::printable(name));
}

/// Prints the questions below the names, for a narrow window.
void print_narrow(const std::vector<ScriptInfo>& scripts, const reports::Style& style) {
  std::string topic;
  for (const ScriptInfo& script : scripts) {
    if (script.topic != topic)
      fmt::print("{}{}\n", topic.empty() ? "" : "\n", reports::printable(script.topic));
    topic = script.topic;
    fmt::print("  {}\n", script.name);
    for (const std::string& line : reports::wrap(script.asks, style.width - 4))
      fmt::print("    {}\n", line);
  }
}

/// Prints one line for each scenario. Cuts a line only if it is wider than the terminal.
void print_table(const std::vector<ScriptInfo>& scripts) {
  const reports::Style style = style_of(STDOUT_FILENO);
  std::size_t width = 0;
  for (const ScriptInfo& script : scripts) width = std::max(width, script.name.size());
  const int room = ::isatty(STDOUT_FILENO) == 1 ? style.width - static_cast<int>(width) - 5
                                                : std::numeric_limits<int>::max();
  if (room < kNarrowest) return print_narrow(scripts, style);
  std::string topic;
  for (const ScriptInfo& script : scripts) {
    if (script.topic != topic)
      fmt::print("{}{}\n", topic.empty() ? "" : "\n", reports::printable(script.topic));
    topic = script.topic;
    fmt::print("  {:<{}}  {}\n", script.name, width,
               reports::fit(reports::printable(script.asks), room, style));
  }
}

void print_json(const std::vector<ScriptInfo>& scripts) {
  nlohmann::ordered_json document = reports::json_document("tcplab-scenarios");
  auto& all = document["scenarios"] = nlohmann::ordered_json::array();
  for (const ScriptInfo& script : scripts) all.push_back(json_of(script));
  fmt::print("{}", reports::json_text(document));
}

int list(const ListOptions& options) {
  std::vector<ScriptInfo> scripts;
  bool broken = false;
  const auto choices = Catalogue(Catalogue::default_folder()).choose(options.selectors);
  for (LoadedScenarios& one : load_in_children(choices)) {
    if (!one.wrong.empty()) fmt::print(stderr, "{}", reports::message(one.wrong));
    broken = broken || !one.wrong.empty();
    std::ranges::move(one.scenarios, std::back_inserter(scripts));
  }
  if (options.names) {
    print_names(scripts);
  } else if (options.json) {
    print_json(scripts);
  } else {
    print_table(scripts);
  }
  return broken ? 2 : 0;
}

}  // namespace

void add_list_command(CLI::App& app, Command& chosen) {
  auto options = std::make_shared<ListOptions>();
  CLI::App& command =
      *app.add_subcommand("list", "List scenarios and their questions")->group(kScenarioCommands);
  command.add_option("WHICH", options->selectors, kWhichScenarios);
  CLI::Option* const names = command.add_flag(
      "--names", options->names, "Print only the words that select scenarios, one per line");
  command.add_flag("--json", options->json, "Print all fields of the scenarios as JSON")
      ->excludes(names);
  command.callback([options, &chosen] { chosen = [options] { return list(*options); }; });
}

}  // namespace tcplab::app
