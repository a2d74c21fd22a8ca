// What the verbs that forge frames share: options of a segment, and who is on which link.
#pragma once

#include <optional>
#include <string>

#include "scenarios/engine/script/lua_lab.hh"
#include "scenarios/engine/wire/forge.hh"

namespace tcplab::engine {

/// A whole number of the header, modulo 2^32: `conn.rcv_nxt - 1` may be negative.
std::optional<std::uint32_t> sequence_option(const LuaCall& call, int options, const char* field);
/// As in the header, not scaled; the largest when left out.
std::uint16_t window_option(const LuaCall& call, int options);

/// The connection's numbers; throws base::LabError when they are forgotten.
const capture::EndNumbers& numbers_of(const LuaConnection& connection);
std::string title(const LuaConnection& connection);
/// The Ethernet addresses of what comes to it from its peer.
ForgedLink link_from_peer(const LuaConnection& connection);

/// Puts a frame on the wire to that host, as if from that address, and says so: "RST from kodos".
/// Packets are expected from there on: what came before is no answer to it.
void deliver(const LuaCall& call, LabHost& to, const base::IpAddress& from,
             const std::vector<std::uint8_t>& frame, const std::string& detail);

}  // namespace tcplab::engine
