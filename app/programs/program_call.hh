// Reads the arguments of host:run and host:at_boot: host:run("psql", "-l", { watch = false }) or
// host:run{ "psql", "-l", watch = false }.
#pragma once

#include <string>
#include <vector>

#include "app/script/lua_binding.hh"
#include "lab/home/program_options.hh"

namespace tcplab::app {

struct ProgramCall {
  std::vector<std::string> command;
  lab::ProgramOptions options;
};

/// Throws base::UsageError for a wrong word or option.
ProgramCall program_call(LuaCall& call);

/// The same for the table at that place of the stack. Does not look for unknown options.
ProgramCall listed_program(lua_State* lua, int index);

/// The options of a program, and the same with its command as a list.
const LuaTable& run_options();
const LuaTable& run_command();

}  // namespace tcplab::app
