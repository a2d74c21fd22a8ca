#include <netinet/in.h>

#include "capture/decode/decode_layers.hh"

namespace tcplab::capture {

namespace {

constexpr std::size_t kTcpHeaderSize = 20;
constexpr std::size_t kUdpHeaderSize = 8;

//  0                   1                   2                   3
//  0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1      RFC 9293 figure 1
// +-------------------------------+-------------------------------+
// |          source port          |       destination port        |
// |                        sequence number                        |
// |                    acknowledgment number                      |
// | offset |  reserved and flags  |            window             |
// |           checksum            |        urgent pointer         |
// |                     [options], data                           |
void decode_tcp(DecodedFrame& frame, Bytes bytes) {
  if (bytes.size() < kTcpHeaderSize) return note_malformed(frame, "truncated TCP header");
  TcpSegment& tcp = frame.tcp.emplace();
  tcp.source_port = read_u16(bytes, 0);
  tcp.destination_port = read_u16(bytes, 2);
  tcp.sequence = read_u32(bytes, 4);
  tcp.acknowledgment = read_u32(bytes, 8);
  tcp.flags = read_u16(bytes, 12) & 0x1ff;
  tcp.window = read_u16(bytes, 14);
  tcp.urgent_pointer = read_u16(bytes, 18);
  const std::size_t header_size = (bytes[12] >> 4) * 4U;
  if (header_size < kTcpHeaderSize) return note_malformed(frame, "TCP data offset is too small");
  if (header_size > bytes.size()) note_malformed(frame, "truncated TCP options");
  bool is_well_formed = true;
  tcp.options = decode_tcp_options(slice(bytes, kTcpHeaderSize, header_size - kTcpHeaderSize),
                                   is_well_formed);
  if (!is_well_formed) note_malformed(frame, "malformed TCP options");
  tcp.payload = slice(bytes, header_size);
  tcp.length = frame.ip->length - std::min(frame.ip->length, header_size);
}

void decode_udp(DecodedFrame& frame, Bytes bytes) {
  if (bytes.size() < kUdpHeaderSize) return note_malformed(frame, "truncated UDP header");
  UdpDatagram& udp = frame.udp.emplace();
  udp.source_port = read_u16(bytes, 0);
  udp.destination_port = read_u16(bytes, 2);
  const std::size_t length = read_u16(bytes, 4);
  if (length < kUdpHeaderSize || length > frame.ip->length)
    return note_malformed(frame, "UDP length does not fit its packet");
  udp.length = length - kUdpHeaderSize;
  udp.payload = slice(bytes, kUdpHeaderSize, udp.length);
}

void take_sack_blocks(TcpOptions& options, Bytes value) {
  for (; value.size() >= 8 && options.sack_count < options.sack_blocks.size();
       value = slice(value, 8))
    options.sack_blocks[options.sack_count++] = {read_u32(value, 0), read_u32(value, 4)};
}

/// RFC 4302: next header, length in 4-byte units after 8 bytes (1 byte each), reserved (2),
/// parameters index, sequence number (4 each), check value. It changes nothing in what it carries.
void skip_authentication(IpHeader& ip) {
  if (ip.payload.size() < 2) return;
  const std::size_t size = (ip.payload[1] + 2U) * 4;
  ip.protocol = ip.payload[0];
  ip.payload = slice(ip.payload, size);
  ip.length -= std::min(ip.length, size);
}

/// Returns false if the value does not have the size that its kind requires.
bool take_option(TcpOptions& options, std::uint8_t kind, Bytes value) {
  switch (kind) {
    case 2:  // RFC 9293 section 3.7.1
      if (value.size() != 2) return false;
      options.maximum_segment_size = read_u16(value, 0);
      return true;
    case 3:  // RFC 7323 section 2.2
      if (value.size() != 1) return false;
      options.window_scale = value[0];
      return true;
    case 4:  // RFC 2018 section 2
      options.sack_permitted = true;
      return value.empty();
    case 5:  // RFC 2018 section 3
      take_sack_blocks(options, value);
      return !value.empty() && value.size() % 8 == 0;
    case 8:  // RFC 7323 section 3.2
      if (value.size() != 8) return false;
      options.timestamps = TcpTimestamps{read_u32(value, 0), read_u32(value, 4)};
      return true;
    case 34:  // RFC 7413 section 4.1.1
      options.fast_open = value;
      return true;
    default:
      return true;
  }
}

}  // namespace

TcpOptions decode_tcp_options(Bytes bytes, bool& is_well_formed) {
  constexpr std::uint8_t kEnd = 0;
  constexpr std::uint8_t kNoOperation = 1;
  TcpOptions options;
  while (!bytes.empty() && bytes[0] != kEnd) {
    if (bytes[0] == kNoOperation) {
      bytes = slice(bytes, 1);
      continue;
    }
    const std::size_t length = bytes.size() < 2 ? 0 : bytes[1];
    if (length < 2 || length > bytes.size()) {
      is_well_formed = false;
      break;
    }
    if (!take_option(options, bytes[0], slice(bytes, 2, length - 2))) is_well_formed = false;
    bytes = slice(bytes, length);
  }
  return options;
}

void decode_transport(DecodedFrame& frame) {
  constexpr std::uint8_t kMplsInIp = 137;  // RFC 4023
  // A packet inside a fragment is not whole: the reassembled one has it (fragment_assembler.hh).
  const bool is_whole = !frame.ip->more_fragments;
  if (frame.ip->fragment_offset != 0) return;  // the transport header is in the first fragment
  if (frame.ip->protocol == IPPROTO_AH) skip_authentication(*frame.ip);
  const IpHeader& ip = *frame.ip;
  switch (ip.protocol) {
    case IPPROTO_TCP:
      return decode_tcp(frame, ip.payload);
    case IPPROTO_UDP:
      decode_udp(frame, ip.payload);
      if (frame.udp && is_whole) decode_udp_tunnel(frame);
      return;
    case IPPROTO_ICMP:
    case IPPROTO_ICMPV6:
      return decode_icmp(frame, ip.payload);
    case IPPROTO_IPIP:
    case IPPROTO_IPV6:
      if (is_whole && enter_tunnel(frame)) decode_ip(frame, ip.payload);
      return;
    case IPPROTO_GRE:
      if (is_whole) decode_gre(frame, ip.payload);
      return;
    case kMplsInIp:
      if (is_whole) decode_mpls(frame, ip.payload);
      return;
    default:
      frame.undecoded = {Undecoded::Kind::ip_protocol, ip.protocol};
  }
}

}  // namespace tcplab::capture
