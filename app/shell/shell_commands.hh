// The commands of the shell that are not Lua, and the text of its help.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace tcplab::app {

struct ShellCommand {
  std::string word;
  std::string argument;
};

/// Parses a command. Returns nothing for a line of Lua: `save = 1` is Lua, `save x.lua` is not.
std::optional<ShellCommand> shell_command(const std::string& line);

const std::vector<std::string>& shell_words();
std::string shell_help(int width);

/// Returns the text as a Lua string literal.
std::string lua_quoted(const std::string& text);

}  // namespace tcplab::app
