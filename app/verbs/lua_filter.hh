// Reads how a script selects frames: by direction, by packet word or pcap filter, and by fields.
#pragma once

#include <string>

#include "app/script/lua_binding.hh"
#include "lab/wire/frame_filter.hh"

namespace tcplab::app {

/// The fields of a segment that a table of options may have.
extern const LuaTable kPacketFields;

/// `options` is the index of the table with the fields. Throws base::UsageError for a host that the
/// run does not have, for a bad filter (it suggests the nearest packet words) and for a bad field.
lab::FrameFilter script_filter(const LuaCall& call, const std::string& direction,
                               const std::string& expression, int options);

}  // namespace tcplab::app
