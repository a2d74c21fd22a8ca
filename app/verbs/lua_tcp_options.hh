// The TCP options of a forged segment in scripts: `options = { mss = 1460, sack = { { 1, 101 } }
// }`.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "app/script/lua_binding.hh"
#include "lab/wire/forged_options.hh"

namespace tcplab::app {

/// The table that the field `options` of a forged segment may have.
extern const LuaTable kTcpOptions;

/// Returns the number modulo 2^32 (RFC 9293 section 3.4), so -1 is the highest. Returns nothing
/// unless it is whole and between -2^32 and 2^32.
std::optional<std::uint32_t> header_number(double number);

/// Changes `forged` by the field `options` of the table at `index`, if there is one. SACK blocks
/// are relative to `sack_base`; `timestamps = true` means `usual`. Throws base::UsageError that
/// names the wrong option.
void read_tcp_options(const LuaCall& call, int index, std::uint32_t sack_base,
                      lab::ForgedOptions& forged, const capture::TcpTimestamps& usual = {});

/// Reads a list of SACK blocks, the field `sack` of the table on top of the stack; empty if it has
/// none. Throws base::UsageError.
std::vector<capture::SackBlock> read_sack(lua_State* lua, std::uint32_t base);

}  // namespace tcplab::app
