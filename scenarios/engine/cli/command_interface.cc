#include <cstdio>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "scenarios/engine/cli/command_line.hh"
#include "scenarios/engine/cli/commands.hh"
#include "scenarios/engine/verbs/script_interface.hh"

namespace tcplab::engine {

/// Not in --help: it is for tools/editor-stubs and tests.
void add_interface_command(CommandLine& app, Command& chosen) {
  CommandLine command = app.add_subcommand("interface", "Print the scripting interface as JSON");
  command.group("");
  command.callback([&chosen] {
    chosen = [] {
      fmt::print("{}\n", interface_json().dump(2));
      return 0;
    };
  });
}

}  // namespace tcplab::engine
