#include "capture/follow/connection_numbers.hh"

#include <algorithm>

#include "capture/event/describe.hh"

namespace tcplab::capture {

namespace {

// Of which numbers are remembered, as in describe.cc: a flood of SYNs must not take all memory.
constexpr std::size_t kMostConnections = 100'000;

std::uint32_t later(std::uint32_t one, std::uint32_t other) {
  return is_before(one, other) ? other : one;
}

/// A connection whose first segment this is, or one that is first seen in its middle.
EndNumbers begin(const TcpSegment& tcp) {
  EndNumbers end;
  end.iss = tcp.has(TcpFlags::kSyn) ? tcp.sequence : tcp.sequence - 1;
  end.snd_una = tcp.sequence;
  end.snd_nxt = tcp.sequence;
  return end;
}

/// RFC 7323 section 2.3: both ends must have offered the option; a SYN-ACK has it only then.
void note_window_scale(EndNumbers& end, const TcpSegment& own_syn) {
  end.window_scale = own_syn.options.window_scale.value_or(0);
}

void note_acknowledgment(EndNumbers& end, const TcpSegment& tcp) {
  if (!end.irs) {
    end.irs = tcp.acknowledgment - 1;
    end.rcv_nxt = tcp.acknowledgment;
    end.rcv_end = tcp.acknowledgment;
  }
  // The window in a SYN is never scaled (RFC 7323 section 2.2).
  const unsigned scale = tcp.has(TcpFlags::kSyn) ? 0 : end.window_scale;
  end.rcv_nxt = later(end.rcv_nxt, tcp.acknowledgment);
  end.rcv_end = later(end.rcv_end, tcp.acknowledgment + (std::uint32_t{tcp.window} << scale));
}

/// In SYN_SENT: the other end's SYN, with an acknowledgment of ours or without.
void take_syn(EndNumbers& end, const TcpSegment& tcp) {
  if (end.irs || (tcp.has(TcpFlags::kAck) && tcp.acknowledgment != end.snd_nxt)) return;
  end.irs = tcp.sequence;
  end.rcv_nxt = tcp.sequence + 1;
  end.rcv_end = end.rcv_nxt;
  if (!tcp.options.window_scale) end.window_scale = 0;
  if (tcp.options.timestamps) end.ts_recent = tcp.options.timestamps->value;
  if (tcp.has(TcpFlags::kAck)) end.snd_una = tcp.acknowledgment;
}

/// RFC 9293 section 3.10.7.4, and RFC 7323 section 5 for what is older than what came before.
bool is_acceptable(const EndNumbers& end, const TcpSegment& tcp) {
  if (!end.irs || !tcp.has(TcpFlags::kAck) || tcp.has(TcpFlags::kRst)) return false;
  if (tcp.payload.size() < tcp.length) return false;  // cut off on its way: IP drops it
  // RFC 5961 section 5.2 also refuses what is older than the largest window; here, older than all.
  const bool is_of_this_life = !is_before(tcp.acknowledgment, end.iss);
  if (is_before(end.snd_nxt, tcp.acknowledgment) || !is_of_this_life) return false;
  return !tcp.options.timestamps || !is_before(tcp.options.timestamps->value, end.ts_recent);
}

}  // namespace

bool is_before(std::uint32_t one, std::uint32_t other) {
  return static_cast<std::int32_t>(one - other) < 0;
}

std::uint32_t segment_length(const TcpSegment& tcp) {
  return static_cast<std::uint32_t>(tcp.length) + (tcp.has(TcpFlags::kSyn) ? 1 : 0) +
         (tcp.has(TcpFlags::kFin) ? 1 : 0);
}

void ConnectionNumbers::sent(const DecodedFrame& frame) {
  const auto connection = flow_of(frame);
  if (!connection || !frame.ethernet) return;
  const TcpSegment& tcp = *frame.tcp;
  if (tcp.has(TcpFlags::kRst)) return;  // its numbers may be those that it refuses
  if (ends_.size() >= kMostConnections) ends_.clear();
  const auto [found, is_new] = ends_.try_emplace(*connection);
  EndNumbers& end = found->second;
  const bool is_syn = tcp.has(TcpFlags::kSyn);
  if (is_new || (is_syn && tcp.sequence != end.iss)) {
    end = begin(tcp);
    end.begun = ++count_;
  }
  end.mac = frame.ethernet->source;
  end.next_hop = frame.ethernet->destination;
  end.snd_nxt = later(end.snd_nxt, tcp.sequence + segment_length(tcp));
  if (is_syn) note_window_scale(end, tcp);
  if (tcp.has(TcpFlags::kAck)) note_acknowledgment(end, tcp);
  if (!tcp.options.timestamps) return;
  end.ts_own = tcp.options.timestamps->value;
  if (tcp.has(TcpFlags::kAck)) end.ts_recent = tcp.options.timestamps->echo_reply;
}

void ConnectionNumbers::delivered(const DecodedFrame& frame) {
  const auto connection = flow_of(frame);
  if (!connection) return;
  const auto found = ends_.find(connection->reversed());
  if (found == ends_.end()) return;
  EndNumbers& end = found->second;
  const TcpSegment& tcp = *frame.tcp;
  if (tcp.has(TcpFlags::kSyn)) return take_syn(end, tcp);
  if (!is_acceptable(end, tcp)) return;
  end.snd_una = later(end.snd_una, tcp.acknowledgment);
  const std::uint32_t next = tcp.sequence + segment_length(tcp);
  if (is_before(end.rcv_nxt, tcp.sequence)) return;  // a hole is before it
  end.rcv_nxt = later(end.rcv_nxt, next);
  if (tcp.options.timestamps) end.ts_recent = tcp.options.timestamps->value;
}

const EndNumbers* ConnectionNumbers::find(const FlowKey& key) const {
  const auto found = ends_.find(key);
  return found == ends_.end() ? nullptr : &found->second;
}

std::optional<FlowKey> ConnectionNumbers::newest() const {
  const auto found =
      std::ranges::max_element(ends_, {}, [](const auto& entry) { return entry.second.begun; });
  if (found == ends_.end()) return std::nullopt;
  return found->first;
}

}  // namespace tcplab::capture
