// Reads the rules by which scripts change system calls: the options of program:inject, and option
// `inject` of host:run.
#pragma once

#include <string>
#include <vector>

#include "app/script/lua_binding.hh"
#include "lab/home/program_options.hh"

namespace tcplab::app {

/// The options that both have, and the table of host:run.
const LuaTable& injection_rule_options();
const LuaTable& first_injection();

/// The names and families of calls that a rule can be for.
std::vector<std::string> injected_calls();

/// Reads everything but the connection from the options at `options`. Throws base::UsageError for
/// options that do not go together, or not with the call.
lab::GivenInjection injection_rule(const LuaCall& call, int options, const std::string& name);

/// Reads a rule with its call, or a list of them, from that place of the stack.
std::vector<lab::GivenInjection> listed_injections(lua_State* lua, int index);

}  // namespace tcplab::app
