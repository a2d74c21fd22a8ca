// One connection of a peer: the numbers and options of the segments that its script sends, and the
// segments of the host that the script has not expected yet. Pure.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "base/clock.hh"
#include "capture/decode/flow_key.hh"
#include "lab/peer/peer_numbers.hh"
#include "lab/wire/forge.hh"

namespace tcplab::lab {

/// A segment that the wire has delivered to a peer.
struct ArrivedSegment {
  std::uint64_t frame = 0;  // its number on the wire
  base::Instant at{};
  std::vector<std::uint8_t> bytes;

  capture::DecodedFrame decoded() const { return capture::decode(bytes); }
};

class PeerConnection {
public:
  /// `flow`: the peer's own end is the source.
  PeerConnection(const capture::FlowKey& flow, const ForgedLink& link, std::uint32_t iss)
      : flow_(flow), link_(link), numbers_(iss) {}

  const capture::FlowKey& flow() const { return flow_; }
  const PeerNumbers& numbers() const { return numbers_; }
  /// What the next segment acknowledges: see PeerNumbers::rcv_nxt().
  std::uint32_t rcv_nxt() const { return numbers_.rcv_nxt(acknowledges_); }

  /// From here on, the peer acknowledges each segment with octets as soon as it arrives.
  void acknowledges(bool by_itself) { acknowledges_ = by_itself; }

  /// Returns a segment with these flags as it comes next: the window as before, and timestamps if
  /// both SYNs had them, older by `age`. A RST has no timestamps unless `age` is given.
  ForgedSegment next(std::uint16_t flags, base::Instant now,
                     std::optional<base::nanoseconds> age = std::nullopt) const;
  /// The timestamps of a segment that is sent now, whether or not the SYNs had any.
  capture::TcpTimestamps timestamps(base::Instant now) const;
  /// The segment has been sent. `is_next`: its number was that of next().
  void sent(const ForgedSegment& segment, base::Instant now, bool is_next);

  /// Takes a segment of the host. Returns the segment that acknowledges it, if the peer does so by
  /// itself.
  std::optional<ForgedSegment> arrived(ArrivedSegment segment);

  /// The segments that the script has not expected yet, the oldest first.
  const std::deque<ArrivedSegment>& waiting() const { return waiting_; }
  /// Takes the oldest of them.
  void expect_next();

private:
  bool has_timestamps() const { return syn_timestamp_ && host_has_timestamps_; }

  capture::FlowKey flow_;
  ForgedLink link_;
  PeerNumbers numbers_;
  std::deque<ArrivedSegment> waiting_;
  bool acknowledges_ = false;
  std::uint16_t window_ = 0xffff;
  std::optional<std::uint32_t> syn_timestamp_;  // of its own SYN
  base::Instant syn_sent_{};
  bool host_has_timestamps_ = false;  // the host's SYN had them
  std::uint32_t ts_recent_ = 0;       // the host's last
};

}  // namespace tcplab::lab
