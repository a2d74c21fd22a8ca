// The options that all verbs share which make hosts.
#pragma once

#include "scenarios/engine/lab/laboratory.hh"
#include "scenarios/engine/script/lua_binding.hh"

namespace tcplab::engine {

/// `neighbours`, `sysctls`.
extern const LuaTable kHostOptions;

/// Reads them from the table at `index`, if there is one.
HostOptions host_options(const LuaCall& call, int index);

/// Starts hosts on one wire.
std::vector<LabHost*> make_hosts(const LuaCall& call, const std::vector<std::string>& names,
                                 const HostOptions& options);

}  // namespace tcplab::engine
