// What the verbs that forge frames share: options of a segment, numbers of a connection, link
// addresses.
#pragma once

#include <optional>
#include <string>

#include "app/script/lua_binding.hh"
#include "app/script/lua_objects.hh"
#include "lab/wire/forge.hh"

namespace tcplab::app {

/// The connection's sequence numbers. Throws base::LabError if they are forgotten.
const capture::EndNumbers& numbers_of(const LuaConnection& connection);
std::string title(const LuaConnection& connection);
/// The link addresses of frames from its peer.
lab::ForgedLink link_from_peer(const LuaConnection& connection);

/// The link addresses of frames that `from` sends towards that address: to a neighbour, or to the
/// router on the way.
lab::ForgedLink link_towards(const LuaCall& call, const lab::LabHost& from,
                             const base::IpAddress& to);

/// A forged frame: to which host, as if from which address, and what its action says of it.
struct ForgedFrame {
  lab::LabHost& to;
  base::IpAddress from;
  std::string detail;
  std::vector<std::vector<std::uint8_t>> frames;  // one, or its IP fragments
};

/// Puts a forged frame on the wire, and an action on the timeline. Packet expectations then
/// consider only later packets: earlier ones cannot be its answer. The option `faults` at `options`
/// says whether faults act on it.
void send(const LuaCall& call, int options, const ForgedFrame& frame);

/// The same for a segment. Throws base::UsageError if it does not fit into the MTU of the NIC that
/// is to receive it.
void send(const LuaCall& call, int options, lab::LabHost& to, const lab::ForgedSegment& segment,
          const std::string& detail);

}  // namespace tcplab::app
