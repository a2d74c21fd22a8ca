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
/// (https://www.tcpdump.org/linktypes.html). There are others; their frames are not decoded.
enum class LinkType : std::uint16_t {
  null = 0,      // BSD loopback: an address family in the byte order of the capturing machine
  ethernet = 1,  // EN10MB
  ppp = 9,       // RFC 1661, with or without RFC 1662's address and control field
  dlt_raw = 12,  // libpcap's number for `raw` on most systems; in PKTAP and PPI
  openbsd_raw = 14,
  ppp_serial = 50,  // PPP, or Cisco's HDLC
  ppp_ether = 51,   // PPPoE without Ethernet
  raw = 101,        // an IP packet without a link-layer header
  cisco_hdlc = 104,
  ieee802_11 = 105,
  frame_relay = 107,
  loop = 108,  // OpenBSD loopback: an address family in network byte order
  openbsd_ipsec = 109,
  linux_sll = 113,  // Linux "cooked": tcpdump -i any
  openbsd_pflog = 117,
  prism = 119,     // 802.11 after a header with signal levels
  radiotap = 127,  // the same, another header
  avs = 163,       // the same, another header
  pppd = 166,
  ppi = 192,  // per-packet information, then a frame of the link type that it names
  ppp_with_direction = 204,
  mpls = 219,
  ipv4 = 228,
  ipv6 = 229,
  nflog = 239,  // Linux netfilter: iptables -j NFLOG
  pktap = 258,  // macOS: tcpdump -i pktap
  linux_sll2 = 276,
};

/// Decodes a frame with this link-layer header. If `length`, its length on the wire, shows that it
/// was captured whole, no header is believed that claims more.
DecodedFrame decode(Bytes frame, LinkType link, std::size_t length = SIZE_MAX);

}  // namespace tcplab::capture
