// Decodes a frame, layer by layer, without a capture library and without allocating memory.
// A truncated or inconsistent frame is decoded as far as possible; `malformed` says what is wrong.
#pragma once

#include <cstdint>

#include "base/bytes.hh"
#include "capture/decode/decoded_frame.hh"

namespace tcplab::capture {

/// Decodes an Ethernet II frame without FCS.
DecodedFrame decode(Bytes frame);

/// The link-layer header of a capture's frames. The numbers are libpcap's LINKTYPE_ values
/// (https://www.tcpdump.org/linktypes.html).
enum class LinkType : std::uint16_t {
  null = 0,         // BSD loopback: an address family in the byte order of the capturing machine
  ethernet = 1,     // EN10MB
  raw = 101,        // an IP packet without a link-layer header
  loop = 108,       // OpenBSD loopback: an address family in network byte order
  linux_sll = 113,  // Linux "cooked": tcpdump -i any
  linux_sll2 = 276,
};

/// Decodes a frame with this link-layer header.
DecodedFrame decode(Bytes frame, LinkType link);

}  // namespace tcplab::capture
