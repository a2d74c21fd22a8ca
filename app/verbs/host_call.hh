// What the verbs of hosts share (lua_hosts, lua_network, lua_power).
#pragma once

#include "app/script/lua_binding.hh"
#include "capture/event/event.hh"
#include "lab/laboratory.hh"

namespace tcplab::app {

/// Returns the host that the verb was called on.
lab::LabHost& host_of(LuaCall& call);

/// Records what the script does to that host, at the script's line.
void act_on_host(LuaCall& call, capture::Action action);

}  // namespace tcplab::app
