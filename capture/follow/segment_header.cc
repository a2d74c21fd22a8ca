#include "capture/follow/segment_header.hh"

namespace tcplab::capture {

SegmentHeader header_of(const TcpSegment& segment) {
  return {.sequence = segment.sequence,
          .acknowledgment = segment.acknowledgment,
          .length = static_cast<std::uint32_t>(segment.length),
          .window = segment.window,
          .syn = segment.has(TcpFlags::kSyn),
          .fin = segment.has(TcpFlags::kFin),
          .rst = segment.has(TcpFlags::kRst),
          .ack = segment.has(TcpFlags::kAck),
          .window_scale = segment.options.window_scale,
          .timestamps = segment.options.timestamps};
}

SegmentHeader header_of(const Packet& packet) {
  const auto has = [&](char flag) { return packet.flags.find(flag) != std::string::npos; };
  return {.sequence = packet.sequence,
          .acknowledgment = packet.acknowledgment,
          .length = packet.length,
          .window = packet.window,
          .syn = has('S'),
          .fin = has('F'),
          .rst = has('R'),
          .ack = has('.')};
}

}  // namespace tcplab::capture
