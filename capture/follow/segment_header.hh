// The fields of a TCP header that decide what a segment does to a connection's sequence space.
#pragma once

#include <cstdint>
#include <optional>

#include "capture/decode/decode.hh"
#include "capture/event/event.hh"

namespace tcplab::capture {

struct SegmentHeader {
  std::uint32_t sequence = 0;
  std::uint32_t acknowledgment = 0;
  std::uint32_t length = 0;  // octets of data, by the IP header
  std::uint32_t window = 0;  // as in the header, not scaled
  bool syn = false;
  bool fin = false;
  bool rst = false;
  bool ack = false;
  std::optional<std::uint8_t> window_scale;
  std::optional<TcpTimestamps> timestamps;

  /// SEG.LEN of RFC 9293: the octets of data, SYN and FIN counted.
  std::uint32_t occupied() const { return length + (syn ? 1U : 0U) + (fin ? 1U : 0U); }
  /// The sequence number after the last that the segment occupies.
  std::uint32_t end() const { return sequence + occupied(); }
  /// Without SYN, FIN and RST.
  bool is_plain() const { return !syn && !fin && !rst; }
};

SegmentHeader header_of(const TcpSegment& segment);
/// `packet` is of TCP. A Packet event has no TCP options.
SegmentHeader header_of(const Packet& packet);

}  // namespace tcplab::capture
