// A decoded frame: the headers of its layers as values. The payloads point into the frame's bytes,
// and are valid as long as those are.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "base/bytes.hh"
#include "base/endpoint.hh"

namespace tcplab::capture {

using MacBytes = std::array<std::uint8_t, 6>;

struct EthernetHeader {
  MacBytes destination{};
  MacBytes source{};
  std::optional<std::uint16_t> vlan;  // IEEE 802.1Q: the VLAN identifier of one tag
  std::uint16_t type = 0;             // the payload's EtherType, after the tag
};

/// RFC 826, for IPv4 over Ethernet.
struct ArpPacket {
  std::uint16_t operation = 0;  // 1 request, 2 reply
  MacBytes sender_mac{};
  MacBytes target_mac{};
  base::IpAddress sender;
  base::IpAddress target;
};

/// IPv4 (RFC 791), or IPv6 (RFC 8200) with its extension headers.
struct IpHeader {
  base::IpAddress source;
  base::IpAddress destination;
  std::uint8_t protocol = 0;  // of the payload: IPPROTO_TCP ...
  std::uint8_t hop_limit = 0;
  std::uint8_t traffic_class = 0;
  bool more_fragments = false;
  std::uint16_t fragment_offset = 0;  // bytes
  std::uint32_t identification = 0;
  Bytes packet;            // header and payload, without the frame's padding
  Bytes payload;           // without the frame's padding
  std::size_t length = 0;  // of the payload, by the header; can exceed what was captured

  bool is_fragment() const { return more_fragments || fragment_offset != 0; }
};

struct TcpFlags {
  static constexpr std::uint16_t kFin = 0x001;
  static constexpr std::uint16_t kSyn = 0x002;
  static constexpr std::uint16_t kRst = 0x004;
  static constexpr std::uint16_t kPush = 0x008;
  static constexpr std::uint16_t kAck = 0x010;
  static constexpr std::uint16_t kUrgent = 0x020;
  static constexpr std::uint16_t kEcnEcho = 0x040;
  static constexpr std::uint16_t kWindowReduced = 0x080;
  static constexpr std::uint16_t kAccurateEcn = 0x100;
};

struct SackBlock {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;

  bool operator==(const SackBlock&) const = default;
};

struct TcpTimestamps {
  std::uint32_t value = 0;
  std::uint32_t echo_reply = 0;
};

/// RFC 9293 section 3.2, RFC 7323, RFC 2018.
struct TcpOptions {
  std::optional<std::uint16_t> maximum_segment_size;
  std::optional<std::uint8_t> window_scale;
  bool sack_permitted = false;
  std::array<SackBlock, 4> sack_blocks{};
  std::uint8_t sack_count = 0;
  std::optional<TcpTimestamps> timestamps;
  std::optional<Bytes> fast_open;  // the cookie (RFC 7413 section 4.1.1); empty asks for one
};

struct TcpSegment {
  std::uint16_t source_port = 0;
  std::uint16_t destination_port = 0;
  std::uint32_t sequence = 0;
  std::uint32_t acknowledgment = 0;
  std::uint16_t flags = 0;
  std::uint16_t window = 0;
  std::uint16_t urgent_pointer = 0;
  TcpOptions options;
  Bytes payload;
  std::size_t length = 0;  // of the payload, by the IP header; can exceed what was captured

  bool has(std::uint16_t flag) const { return (flags & flag) != 0; }
};

struct UdpDatagram {
  std::uint16_t source_port = 0;
  std::uint16_t destination_port = 0;
  Bytes payload;
  std::size_t length = 0;  // of the payload, by the UDP header; can exceed what was captured
};

/// The beginning of the packet that caused an ICMP error.
struct QuotedPacket {
  std::uint8_t protocol = 0;
  base::Endpoint source;  // ports only for TCP and UDP
  base::Endpoint destination;
  std::uint32_t sequence = 0;  // for TCP
};

/// RFC 792, RFC 4443, RFC 4861.
struct IcmpMessage {
  base::Family family = base::Family::ipv4;
  std::uint8_t type = 0;
  std::uint8_t code = 0;
  std::uint16_t identifier = 0;           // echo
  std::uint16_t sequence = 0;             // echo
  std::uint32_t mtu = 0;                  // fragmentation needed, packet too big
  std::optional<base::IpAddress> target;  // neighbour discovery
  std::optional<QuotedPacket> quoted;     // errors
};

/// What a frame carries that no decoder here takes.
struct Undecoded {
  enum class Kind : std::uint8_t {
    link_type,  // of the capture
    ether_type,
    ip_protocol,
    udp_port,      // of a tunnel
    ppp_protocol,  // RFC 1661 section 2
    nlpid,         // of Frame Relay, RFC 2427
    nested,        // more tunnels within each other than are followed
    wifi_control,  // a management or control frame of 802.11
    wifi_secret,   // encrypted
    wifi_amsdu,    // several packets in one frame
    pseudowire,    // MPLS that carries no IP and no Ethernet
  };
  Kind kind{};
  std::uint32_t number = 0;  // of the link type, EtherType, protocol or port

  auto operator<=>(const Undecoded&) const = default;
};

/// A decoded frame. Of packets in a tunnel, the headers are the innermost.
struct DecodedFrame {
  Bytes bytes;
  bool is_whole = false;     // all that was on the wire was captured
  std::uint8_t tunnels = 0;  // around the innermost packet
  std::optional<EthernetHeader> ethernet;
  std::optional<ArpPacket> arp;
  std::optional<IpHeader> ip;
  std::optional<TcpSegment> tcp;
  std::optional<UdpDatagram> udp;
  std::optional<IcmpMessage> icmp;
  std::optional<Undecoded> undecoded;
  std::string_view malformed;  // "truncated TCP header"; empty if the frame is well-formed
};

/// Returns true for a TCP segment with SYN, FIN or RST.
inline bool can_change_state(const DecodedFrame& frame) {
  return frame.tcp && frame.tcp->has(TcpFlags::kSyn | TcpFlags::kFin | TcpFlags::kRst);
}

}  // namespace tcplab::capture
