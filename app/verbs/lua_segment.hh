// The fields of a segment that a script makes: its numbers, window, checksum, options. Forged
// segments and those of a peer have them.
#pragma once

#include <optional>
#include <string>

#include "app/script/lua_binding.hh"
#include "capture/decode/decode.hh"
#include "lab/wire/forge.hh"
#include "netns/host_config.hh"

namespace tcplab::app {

/// A whole number of the header, modulo 2^32: `conn.rcv_nxt - 1` may be negative.
std::optional<std::uint32_t> sequence_option(const LuaCall& call, int options, const char* field);
/// The value in the header, not scaled; `usual` if the option is missing.
std::uint16_t window_option(const LuaCall& call, int options, std::uint16_t usual);

extern const LuaTable kSegmentFields;

/// What a segment's fields are relative to.
struct SegmentUsual {
  std::uint32_t sender_first = 0;       // the initial number of its sender
  std::uint32_t receiver_first = 0;     // and of its receiver
  capture::TcpTimestamps timestamps{};  // of `timestamps = true`
};

/// Changes `segment` by the fields of the table at `options`, if there is one; `age` is not read.
/// Throws base::UsageError.
void read_segment_fields(const LuaCall& call, int options, const SegmentUsual& usual,
                         lab::ForgedSegment& segment);

/// Throws base::UsageError if the segment does not fit into one packet of that NIC; `owner` is its
/// host.
void refuse_too_long(const std::string& owner, const netns::NicConfig& nic,
                     const lab::ForgedSegment& segment);

}  // namespace tcplab::app
