#include <CLI/CLI.hpp>
#include <cstdio>
#include <fmt/format.h>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "app/cli/commands.hh"
#include "app/cli/option_checks.hh"
#include "app/verbs/script_interface.hh"
#include "capture/event/event_schema.hh"
#include "look/failure_schema.hh"

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

/// For tools/schemas. --help does not list it.
void add_schema_command(CLI::App& app, Command& chosen) {
  auto name = std::make_shared<std::string>();
  CLI::App& command = *app.add_subcommand("schema", "Print the JSON Schema of a format");
  command.group("");
  command.add_option("FORMAT", *name)->required()->check(one_of({"events", "failure"}));
  command.callback([name, &chosen] {
    chosen = [name] {
      fmt::print("{}", *name == "events" ? capture::event_schema() : look::failure_schema());
      return 0;
    };
  });
}

}  // namespace tcplab::app
