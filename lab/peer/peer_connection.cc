#include "lab/peer/peer_connection.hh"

#include <chrono>
#include <utility>

namespace tcplab::lab {

namespace {

using capture::TcpFlags;

constexpr std::size_t kMostWaiting = 10'000;           // segments that the script has not expected
constexpr std::uint32_t kFirstTimestamp = 10'000'000;  // older ones do not wrap around

/// Timestamps count milliseconds, as Linux's do (TCP_TS_HZ).
std::uint32_t ticks(base::nanoseconds span) {
  return static_cast<std::uint32_t>(
      std::chrono::duration_cast<std::chrono::milliseconds>(span).count());
}

}  // namespace

ForgedSegment PeerConnection::next(std::uint16_t flags, base::Instant now,
                                   std::optional<base::nanoseconds> age) const {
  ForgedSegment segment{.link = link_,
                        .from = flow_.source,
                        .to = flow_.destination,
                        .sequence = numbers_.snd_nxt(),
                        .acknowledgment = (flags & TcpFlags::kAck) != 0 ? rcv_nxt() : 0,
                        .flags = flags,
                        .window = window_,
                        .options = {},
                        .data = {}};
  const bool is_plain = (flags & (TcpFlags::kSyn | TcpFlags::kRst)) == 0;
  if (has_timestamps() && (is_plain || age))
    segment.options.timestamps = timestamps(now - age.value_or(base::nanoseconds{}));
  return segment;
}

capture::TcpTimestamps PeerConnection::timestamps(base::Instant now) const {
  const std::uint32_t value =
      syn_timestamp_ ? *syn_timestamp_ + ticks(now - syn_sent_) : kFirstTimestamp;
  return {.value = value, .echo_reply = ts_recent_};
}

void PeerConnection::sent(const ForgedSegment& segment, base::Instant now, bool is_next) {
  window_ = segment.window;
  if (is_next) numbers_.sent(segment.data.size(), segment.flags);
  if ((segment.flags & TcpFlags::kSyn) == 0 || !segment.options.timestamps) return;
  syn_timestamp_ = segment.options.timestamps->value;
  syn_sent_ = now;
}

std::optional<ForgedSegment> PeerConnection::arrived(ArrivedSegment segment) {
  const base::Instant at = segment.at;
  const capture::DecodedFrame frame = segment.decoded();
  const capture::TcpSegment& tcp = *frame.tcp;
  const bool has_octets = numbers_.arrived(tcp);
  if (tcp.options.timestamps) {
    ts_recent_ = tcp.options.timestamps->value;
    if (tcp.has(TcpFlags::kSyn)) host_has_timestamps_ = true;
  }
  if (waiting_.size() == kMostWaiting) waiting_.pop_front();
  waiting_.push_back(std::move(segment));
  if (!acknowledges_ || !has_octets) return std::nullopt;
  return next(TcpFlags::kAck, at);
}

void PeerConnection::expect_next() {
  numbers_.expected(*waiting_.front().decoded().tcp);
  waiting_.pop_front();
}

}  // namespace tcplab::lab
