#include <CLI/CLI.hpp>
#include <cstdio>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/cli/commands.hh"
#include "app/cli/option_checks.hh"
#include "app/verbs/script_interface.hh"

namespace tcplab::app {

/// For tools/editor-stubs and for tests. --help does not list it.
void add_interface_command(CLI::App& app, Command& chosen) {
  CLI::App& command = *app.add_subcommand("interface", "Print the scripting interface as JSON");
  command.group("");
  command.callback([&chosen] {
    chosen = [] {
      fmt::print("{}\n", interface_json().dump(2));
      return 0;
    };
  });
}

}  // namespace tcplab::app
