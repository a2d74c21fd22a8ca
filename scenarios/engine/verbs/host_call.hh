// What the verbs of hosts share (lua_hosts, lua_network, lua_power).
#pragma once

#include "capture/event/event.hh"
#include "scenarios/engine/lab/laboratory.hh"
#include "scenarios/engine/script/lua_binding.hh"

namespace tcplab::engine {

/// Returns the host that the verb was called on.
LabHost& host_of(LuaCall& call);

/// Records what the script does to that host, at the script's line.
void act_on_host(LuaCall& call, capture::Action action);

}  // namespace tcplab::engine
