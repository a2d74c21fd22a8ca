#include <CLI/CLI.hpp>
#include <filesystem>
#include <fmt/format.h>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "app/cli/commands.hh"
#include "base/error.hh"
#include "lab/hosts/stack_build.hh"
#include "lab/hosts/stack_choice.hh"
#include "reports/text/json_document.hh"
#include "reports/text/text.hh"

namespace tcplab::app {

namespace {

/// Returns the program of a stack; empty if it is not built.
std::string built_program(const lab::KnownStack& stack) {
  const std::filesystem::path program = lab::built_stack(stack.name);
  return std::filesystem::exists(program) ? program.string() : "";
}

int print_stacks_json() {
  nlohmann::ordered_json document = reports::json_document("tcplab-stacks");
  auto& stacks = document["stacks"] = nlohmann::ordered_json::array();
  for (const lab::KnownStack& stack : lab::known_stacks()) {
    nlohmann::ordered_json object = {{"name", stack.name}, {"title", stack.title}};
    reports::add_text(object, "program", built_program(stack));
    stacks.push_back(std::move(object));
  }
  fmt::print("{}", reports::json_text(document));
  return 0;
}

int list_stacks() {
  fmt::print("{:<8}  {:<44}  {}\n", "--stack", "TCP STACK", "PROGRAM");
  for (const lab::KnownStack& stack : lab::known_stacks()) {
    const std::string program = built_program(stack);
    fmt::print("{:<8}  {:<44}  {}\n", stack.name, stack.title,
               program.empty() ? "not built; run tcplab stacks build " + stack.name
                               : reports::printable(program));
  }
  fmt::print("\nAny other: --stack HOST='COMMAND' (docs/stacks.md)\n");
  return 0;
}

struct StacksWords {
  std::string action;
  std::string stack;
  bool is_json = false;
};

Command stacks_command(const StacksWords& words) {
  if (words.action.empty()) return words.is_json ? print_stacks_json : list_stacks;
  if (words.is_json) throw base::UsageError("--json is for the list: tcplab stacks --json");
  if (words.action != "build" || words.stack.empty())
    throw base::UsageError("say tcplab stacks, or tcplab stacks build lwip");
  return [stack = words.stack]() { return lab::build_stack(stack); };
}

}  // namespace

void add_stacks_command(CLI::App& app, Command& chosen) {
  auto words = std::make_shared<StacksWords>();
  CLI::App& command =
      *app.add_subcommand("stacks", "List the TCP stacks that hosts can have, or build one")
           ->group(kMachineCommands);
  command.add_option("build", words->action, "Build a stack, in ~/.cache/tcplab/stacks");
  command.add_option("STACK", words->stack, "Its name: " + lab::known_stack_names());
  command.add_flag("--json", words->is_json, kJsonHelp);
  command.callback([&chosen, words] { chosen = stacks_command(*words); });
}

}  // namespace tcplab::app
