#include <CLI/CLI.hpp>
#include <filesystem>
#include <fmt/format.h>
#include <memory>
#include <string>

#include "app/cli/commands.hh"
#include "base/error.hh"
#include "lab/hosts/stack_build.hh"
#include "lab/hosts/stack_choice.hh"
#include "reports/text/text.hh"

namespace tcplab::app {

namespace {

int list_stacks() {
  fmt::print("{:<8}  {:<44}  {}\n", "--stack", "TCP STACK", "PROGRAM");
  for (const lab::KnownStack& stack : lab::known_stacks()) {
    const std::filesystem::path program = lab::built_stack(stack.name);
    const bool is_built = !program.empty() && std::filesystem::exists(program);
    fmt::print("{:<8}  {:<44}  {}\n", stack.name, stack.title,
               is_built ? reports::printable(program.string())
                        : "not built; run tcplab stacks build " + stack.name);
  }
  fmt::print("\nAny other: --stack HOST='COMMAND' (docs/stacks.md)\n");
  return 0;
}

struct StacksWords {
  std::string action;
  std::string stack;
};

Command stacks_command(const StacksWords& words) {
  if (words.action.empty()) return list_stacks;
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
  command.callback([&chosen, words] { chosen = stacks_command(*words); });
}

}  // namespace tcplab::app
