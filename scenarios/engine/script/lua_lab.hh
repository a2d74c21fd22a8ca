// The scripting interface, `lab` and all that comes from it. docs/scenarios.md is its reference.
#pragma once

#include <lua.hpp>
#include <memory>
#include <string>

#include "scenarios/engine/lab/laboratory.hh"
#include "scenarios/engine/script/lua_binding.hh"

namespace tcplab::engine {

// What Lua holds. The objects that they point to live as long as the run.
struct LuaLab {
  static constexpr const char* kLuaName = "lab";
};
struct LuaHost {
  static constexpr const char* kLuaName = "host";
  LabHost* host;
};
struct LuaProgram {
  static constexpr const char* kLuaName = "program";
  LabProgram* program;
};
struct LuaFault {
  static constexpr const char* kLuaName = "fault";
  std::weak_ptr<Fault> fault;  // empty once it is lifted
};

struct LuaConnection {
  static constexpr const char* kLuaName = "connection";
  LabHost* host;
  ConnectionKey key;
};

/// Registers every class. Each lua_*.cc registers its own.
void install_lab(lua_State* lua, Experiment& experiment);
void install_hosts(lua_State* lua);
void install_programs(lua_State* lua);
void install_faults(lua_State* lua);
void install_connections(lua_State* lua);
void install_expectations(lua_State* lua);

/// `neighbours` and `sysctls` of the options at that argument.
HostOptions host_options(const LuaCall& call, int index);

/// lab:network(...), and the verbs of a host's network, in lua_network.cc.
int lab_network(LuaCall& call);
int host_nft(LuaCall& call);
int host_route(LuaCall& call);
int host_mtu(LuaCall& call);
int host_link(LuaCall& call);
int host_add_address(LuaCall& call);
int host_remove_address(LuaCall& call);

/// Pushes the `lab` that a scenario's run function gets.
void push_lab(lua_State* lua);

/// lab:expect(subject), lab:never(subject, span), lab:expect_packet(...), lab:never_packet(...),
/// lab:expect_time(...), lab:expect_between(...).
int lab_expect(LuaCall& call);
int lab_never(LuaCall& call);
int lab_expect_packet(LuaCall& call);
int lab_never_packet(LuaCall& call);
int lab_expect_time(LuaCall& call);
int lab_expect_between(LuaCall& call);

/// The direction at that argument, and the pcap filter after it, if there is one. Throws
/// base::UsageError for a host that the run does not have.
FrameFilter frame_filter(LuaCall& call, int first);

int lab_timer(LuaCall& call);

/// The same, of texts.
FrameFilter known_filter(const LuaCall& call, const std::string& direction,
                         const std::string& expression);

/// lab:lose(...) and so on, lab:lift(name).
int lab_lose(LuaCall& call);
int lab_cut(LuaCall& call);
int lab_hold(LuaCall& call);
int lab_delay(LuaCall& call);
int lab_limit(LuaCall& call);
int lab_duplicate(LuaCall& call);
int lab_reorder(LuaCall& call);
int lab_mtu(LuaCall& call);
int lab_corrupt(LuaCall& call);
int lab_truncate(LuaCall& call);
int lab_lift(LuaCall& call);

/// lab:connection(...), lab:forge(...), lab:icmp(...).
int lab_connection(LuaCall& call);
int lab_forge(LuaCall& call);
int lab_icmp(LuaCall& call);

}  // namespace tcplab::engine
