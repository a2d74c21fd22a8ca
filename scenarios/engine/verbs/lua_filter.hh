// What scripts pick frames with: a direction, a packet word or a pcap filter, and fields.
#pragma once

#include <string>

#include "scenarios/engine/script/lua_binding.hh"
#include "scenarios/engine/wire/frame_filter.hh"

namespace tcplab::engine {

/// The fields of a segment that a table of options may have.
extern const LuaTable kPacketFields;

/// `options` is the index of the table with the fields. Throws base::UsageError for a host that the
/// run does not have, for a bad filter (it suggests the nearest packet words) and for a bad field.
FrameFilter script_filter(const LuaCall& call, const std::string& direction,
                          const std::string& expression, int options);

}  // namespace tcplab::engine
