// Verifies the checksum of a TCP segment (RFC 9293 section 3.1).
#pragma once

#include <optional>

#include "capture/decode/decoded_frame.hh"

namespace tcplab::capture {

/// Returns whether the checksum of a TCP frame is right; nullopt if the capture does not have the
/// whole segment, or if a NIC was to complete the checksum: Linux then leaves the sum of the pseudo
/// header there (CHECKSUM_PARTIAL), at a sender, and after it has merged received segments.
std::optional<bool> has_right_checksum(const DecodedFrame& frame);

}  // namespace tcplab::capture
