// The TCP options of a forged segment in scripts: `options = { mss = 1460, sack = { { 1, 101 } }
// }`.
#pragma once

#include <cstdint>

#include "scenarios/engine/script/lua_binding.hh"
#include "scenarios/engine/wire/forged_options.hh"

namespace tcplab::engine {

/// The table that the field `options` of a forged segment may have.
extern const LuaTable kTcpOptions;

/// Changes `forged` by the field `options` of the table at `index`, if there is one. SACK blocks
/// are relative to `sack_base`. Throws base::UsageError that names the wrong option.
void read_tcp_options(const LuaCall& call, int index, std::uint32_t sack_base,
                      ForgedOptions& forged);

}  // namespace tcplab::engine
