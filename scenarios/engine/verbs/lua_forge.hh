// What the verbs that forge frames share: options of a segment, numbers of a connection, link
// addresses.
#pragma once

#include <optional>
#include <string>

#include "scenarios/engine/script/lua_binding.hh"
#include "scenarios/engine/verbs/lua_objects.hh"
#include "scenarios/engine/wire/forge.hh"

namespace tcplab::engine {

/// A whole number of the header, modulo 2^32: `conn.rcv_nxt - 1` may be negative.
std::optional<std::uint32_t> sequence_option(const LuaCall& call, int options, const char* field);
/// The value in the header, not scaled; 65535 if the option is missing.
std::uint16_t window_option(const LuaCall& call, int options);

/// The connection's sequence numbers. Throws base::LabError if they are forgotten.
const capture::EndNumbers& numbers_of(const LuaConnection& connection);
std::string title(const LuaConnection& connection);
/// The link addresses of frames from its peer.
ForgedLink link_from_peer(const LuaConnection& connection);

/// Puts a forged frame on the wire to that host, as if from that address, and an action on the
/// timeline. Packet expectations then consider only later packets: earlier ones cannot be its
/// answer.
void deliver(const LuaCall& call, LabHost& to, const base::IpAddress& from,
             const std::vector<std::uint8_t>& frame, const std::string& detail);

}  // namespace tcplab::engine
