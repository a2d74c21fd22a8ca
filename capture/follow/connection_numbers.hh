// The variables of RFC 9293 section 3.3.1 for each end of a host's TCP connections, from the
// segments that it was seen to send and to receive: nobody asks a kernel, which keeps them to
// itself. What the host has done with a segment follows the rules of section 3.10.7.4; where they
// leave a doubt, its next acknowledgment says it. Frames that were only counted are not in it.
#pragma once

#include <optional>
#include <unordered_map>

#include "capture/decode/decode.hh"
#include "capture/decode/flow_key.hh"

namespace tcplab::capture {

/// One end, in the header's own numbers; subtract the initial ones to show them to a person.
struct EndNumbers {
  std::uint32_t iss = 0;                // its initial sequence number
  std::optional<std::uint32_t> irs;     // the other end's; nothing before a SYN of it came
  std::uint32_t snd_una = 0;            // the oldest that is not acknowledged
  std::uint32_t snd_nxt = 0;            // the next that it will send
  std::uint32_t rcv_nxt = 0;            // the next that it expects; as long as irs is known
  std::uint32_t rcv_end = 0;            // the end of its window: rcv_nxt + RCV.WND
  std::uint8_t window_scale = 0;        // of the windows that it advertises (RFC 7323)
  std::optional<std::uint32_t> ts_own;  // the last timestamp that it sent (RFC 7323)
  std::uint32_t ts_recent = 0;          // and the latest that it has from the other end
  MacBytes mac{};                       // its NIC, and
  MacBytes next_hop{};                  // whom it sends to on its link
  std::uint64_t begun = 0;              // counts the connections of a host, in order

  std::uint32_t rcv_wnd() const { return rcv_end - rcv_nxt; }
};

class ConnectionNumbers {
public:
  /// The host has sent it, whatever became of it on the wire.
  void sent(const DecodedFrame& frame);
  /// The host's stack has run on it.
  void delivered(const DecodedFrame& frame);

  /// What is last known of the connection from `key.source`, the host's own end; null: nothing.
  const EndNumbers* find(const FlowKey& key) const;
  /// The connection that began last; nothing before there was one.
  std::optional<FlowKey> newest() const;

private:
  std::unordered_map<FlowKey, EndNumbers, FlowKeyHash> ends_;
  std::uint64_t count_ = 0;
};

/// RFC 9293 section 3.4: sequence numbers are compared modulo 2^32.
bool is_before(std::uint32_t one, std::uint32_t other);
/// SEG.LEN: the octets of its data, SYN and FIN counted.
std::uint32_t segment_length(const TcpSegment& tcp);

}  // namespace tcplab::capture
