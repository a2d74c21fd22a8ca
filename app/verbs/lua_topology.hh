// The options that are common to all verbs that make hosts.
#pragma once

#include "app/script/lua_binding.hh"
#include "lab/laboratory.hh"

namespace tcplab::app {

/// `neighbours`, `sysctls`.
extern const LuaTable kHostOptions;

/// The names in the option `peer` of the table at `index`; none without it.
std::vector<std::string> peers_option(const LuaCall& call, int index);

/// Reads them from the table at `index`, if there is one.
lab::HostOptions host_options(const LuaCall& call, int index);

/// Starts hosts on one wire.
std::vector<lab::LabHost*> make_hosts(const LuaCall& call, const std::vector<std::string>& names,
                                      const lab::HostOptions& options);

}  // namespace tcplab::app
