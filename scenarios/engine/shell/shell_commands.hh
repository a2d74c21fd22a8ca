// The words that the shell knows beside Lua, and what it says of itself.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace tcplab::engine {

struct ShellCommand {
  std::string word;
  std::string argument;
};

/// The command that a line is; nothing for one of Lua: `save = 1` is Lua, `save x.lua` is not.
std::optional<ShellCommand> shell_command(const std::string& line);

const std::vector<std::string>& shell_words();
std::string shell_help(int width);

/// Text as Lua has it in quotes.
std::string lua_quoted(const std::string& text);

}  // namespace tcplab::engine
