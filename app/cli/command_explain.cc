#include <unistd.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <fmt/format.h>
#include <iostream>
#include <memory>
#include <optional>

#include "app/catalogue/catalogue.hh"
#include "app/cli/commands.hh"
#include "app/cli/explain_capture.hh"
#include "app/cli/option_checks.hh"
#include "app/terminal/terminal.hh"
#include "base/error.hh"
#include "reports/text/prose.hh"
#include "reports/text/text.hh"

namespace tcplab::app {

namespace {

using reports::StyledText;

std::string families_of(const ScriptInfo& script) {
  std::string text;
  for (const base::Family family : script.families)
    text +=
        (text.empty() ? "IPv" : " and IPv") + std::string(family == base::Family::ipv4 ? "4" : "6");
  return text;
}

std::vector<StyledText> explanation(const ScriptInfo& script, const reports::Style& style) {
  std::vector<StyledText> lines{StyledText(script.title, reports::Paint::strong)};
  for (const std::string& line :
       reports::wrap(script.asks, std::min(style.width, reports::kWidestProse)))
    lines.emplace_back(line);
  lines.emplace_back();
  const auto add = [&](const std::string& heading, const std::string& text) {
    reports::add_paragraph(lines, heading, text, style);
  };
  add("What happens", script.here);
  add("The article saw", script.article);
  add("Why", script.why);
  add("Source", script.source);
  add("Topic", script.topic);
  add("Tags", fmt::format("{}", fmt::join(script.tags, ", ")));
  add("Runs on", families_of(script));
  add("Needs", fmt::format("{}", fmt::join(script.needs, ", ")));
  add("Holds since", script.since.empty() ? "" : "Linux " + script.since);
  add("Script", script.file);
  add("Watch it", "tcplab run --live " + script.name);
  return lines;
}

struct ExplainOptions {
  std::vector<std::string> which;
  std::size_t connection = 0;
  std::optional<std::size_t> most;
  bool is_json = false;
  std::string html;
};

/// Throws base::UsageError for an option that is for captures only.
void check_scenario_options(const ExplainOptions& options, const std::string& scenario) {
  if (options.is_json)
    throw base::UsageError("--json is for captures; use: tcplab list --json " + scenario);
  if (!options.html.empty())
    throw base::UsageError("--html is for captures; use: tcplab run " + scenario + " --html " +
                           options.html);
  if (options.connection > 0 || options.most)
    throw base::UsageError(std::string(options.most ? "--most" : "--connection") +
                           " is for captures; omit it for the scenario " + scenario);
}

int explain_scenarios(const std::vector<std::string>& selectors) {
  const reports::Style style = style_of(STDOUT_FILENO);
  bool is_first = true;
  for (const auto& file : Catalogue(Catalogue::default_folder()).select(selectors)) {
    const Script script(file.string());
    if (!is_first) std::cout << "\n";
    is_first = false;
    for (const StyledText& line : explanation(script.info(), style))
      std::cout << reports::render(line, style) << "\n";
  }
  return 0;
}

int explain(const ExplainOptions& options) {
  std::vector<std::string> scenarios;
  for (const std::string& which : options.which) {
    if (!is_capture(which)) {
      if (is_file_name(which) && !std::filesystem::exists(which))
        throw base::UsageError(which + ": no such file");
      check_scenario_options(options, which);
      scenarios.push_back(which);
      continue;
    }
    ExplainCaptureOptions capture{
        .most = options.most, .is_json = options.is_json, .html = options.html};
    if (options.connection > 0) capture.connection = options.connection;
    explain_capture(which, capture);
  }
  return scenarios.empty() ? 0 : explain_scenarios(scenarios);
}

}  // namespace

void add_explain_command(CLI::App& app, Command& chosen) {
  auto options = std::make_shared<ExplainOptions>();
  CLI::App& command =
      *app.add_subcommand("explain", "Explain a scenario, or the connections in a capture file")
           ->group(kScenarioCommands);
  command
      .add_option("WHICH", options->which,
                  "Scenario names, topics, tags, .lua files or folders; or capture files "
                  "(pcap, pcapng, gzip or not; - is standard input)")
      ->required();
  command
      .add_option("--connection", options->connection,
                  "Captures: describe only connection N, counted from 1")
      ->option_text("N")
      ->check(in_range(1, 1000000));
  command
      .add_option("--most", options->most,
                  "Captures: describe N connections in full, the worst first (default: the bad "
                  "ones, at most 10)")
      ->option_text("N")
      ->check(at_least(0));
  command.add_flag("--json", options->is_json, "Captures: print the connections as JSON");
  command
      .add_option("--html", options->html,
                  "Captures: write web pages of the connections to describe in full into DIR")
      ->option_text("DIR");
  command.callback([options, &chosen] { chosen = [options] { return explain(*options); }; });
}

}  // namespace tcplab::app
