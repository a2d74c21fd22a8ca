// Decodes an Ethernet frame, layer by layer, without a capture library and without allocating.
// A truncated or inconsistent frame is decoded as far as possible; `malformed` says what is wrong.
#pragma once

#include <cstdint>

#include "base/bytes.hh"
#include "capture/decode/decoded_frame.hh"

namespace tcplab::capture {

/// `frame`: Ethernet II, without FCS.
DecodedFrame decode(Bytes frame);

/// What a capture's frames begin with. The numbers are libpcap's DLT_ and LINKTYPE_ values
/// (https://www.tcpdump.org/linktypes.html).
enum class LinkType : std::uint16_t {
  null = 0,         // BSD loopback: an address family in the byte order of the capturing machine
  ethernet = 1,     // EN10MB
  raw = 101,        // an IP packet, and nothing before it
  loop = 108,       // OpenBSD loopback: an address family in network byte order
  linux_sll = 113,  // Linux "cooked": tcpdump -i any
  linux_sll2 = 276,
};

DecodedFrame decode(Bytes frame, LinkType link);

}  // namespace tcplab::capture
