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
#include "reports/text/json_document.hh"
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

void tell(const std::filesystem::path& file, const DryRunResult& found) {
  print(found.errors);
  if (!found.errors.empty()) return;
  const std::string name = reports::printable(file.string());
  if (found.stopped_at == 0)
    fmt::print("{}: ok\n", name);
  else
    fmt::print("{}: ok up to line {}; what follows depends on values that only a run has\n", name,
               found.stopped_at);
}

nlohmann::ordered_json json_of(const std::filesystem::path& file, const DryRunResult& found) {
  nlohmann::ordered_json object = {
      {"file", file.string()}, {"is_valid", found.errors.empty()}, {"errors", found.errors}};
  if (found.errors.empty() && found.stopped_at != 0) object["stopped_at"] = found.stopped_at;
  return object;
}

struct CheckOptions {
  std::vector<std::string> selectors;
  bool is_json = false;
};

int check(const CheckOptions& options) {
  const auto files = Catalogue(Catalogue::default_folder()).select(options.selectors);
  bool all = true;
  auto scripts = nlohmann::ordered_json::array();
  const auto work = [&](std::size_t i) { return packed(check_script(files[i])); };
  work_in_children({.items = files.size(), .limit = kLimit, .work = work},
                   [&](std::size_t i, const ChildAnswer& answer) {
                     const DryRunResult found =
                         answer.wrong.empty()
                             ? unpacked(answer.text)
                             : DryRunResult{{files[i].string() + ": " + answer.wrong}, {}};
                     all = found.errors.empty() && all;
                     if (options.is_json)
                       scripts.push_back(json_of(files[i], found));
                     else
                       tell(files[i], found);
                   });
  if (options.is_json) {
    nlohmann::ordered_json document = reports::json_document("tcplab-check");
    document["is_valid"] = all;
    document["scripts"] = std::move(scripts);
    fmt::print("{}", reports::json_text(document));
  }
  return all ? 0 : 2;
}

}  // namespace

void add_check_command(CLI::App& app, Command& chosen) {
  auto options = std::make_shared<CheckOptions>();
  CLI::App& command =
      *app.add_subcommand("check", "Check scripts, without making hosts")->group(kScenarioCommands);
  command.add_option("WHICH", options->selectors, kWhichScenarios);
  command.add_flag("--json", options->is_json, kJsonHelp);
  command.footer("Exit status: 0 all are valid, 2 one is not.");
  command.callback([options, &chosen] { chosen = [options] { return check(*options); }; });
}

}  // namespace tcplab::app
