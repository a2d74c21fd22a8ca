// The direction and the pcap filter that scripts pick frames with.
#pragma once

#include <string>

#include "scenarios/engine/script/lua_binding.hh"
#include "scenarios/engine/wire/frame_filter.hh"

namespace tcplab::engine {

/// Throws base::UsageError for a host that the run does not have, and for a bad filter.
FrameFilter script_filter(const LuaCall& call, const std::string& direction,
                          const std::string& expression);

}  // namespace tcplab::engine
