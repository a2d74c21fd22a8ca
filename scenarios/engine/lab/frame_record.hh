// Puts frames on the timeline as packet events, and keeps the bytes of recent ones.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "capture/event/describe.hh"
#include "capture/follow/connection_numbers.hh"
#include "netns/wire.hh"
#include "scenarios/engine/lab/timeline.hh"
#include "scenarios/engine/wire/packet_facts.hh"
#include "scenarios/engine/wire/pending_frames.hh"

namespace tcplab::engine {

/// A frame, and what packet words ask about it.
struct KeptFrame {
  std::uint64_t number;
  std::vector<std::uint8_t> bytes;
  PacketFacts facts;
};

/// The newest frames, at most 16 MiB, for expectations that select packets later.
class FrameMemory {
public:
  void keep(std::uint64_t number, netns::Bytes bytes, const PacketFacts& facts);
  /// Returns null if the frame is too old, or was never kept.
  const KeptFrame* find(std::uint64_t number) const;

private:
  std::deque<KeptFrame> frames_;  // numbers ascend
  std::size_t size_ = 0;
};

class FrameRecord {
public:
  explicit FrameRecord(Timeline& timeline) : timeline_(timeline) {}

  /// Returns what packet words ask about a frame that a host is about to send; `sender` follows
  /// that host's connections. Takes its SYN for the relative numbers.
  PacketFacts facts(netns::Bytes frame, const capture::ConnectionNumbers& sender);
  /// The same for a frame that the lab made. It changes nothing.
  PacketFacts facts_of_forged(netns::Bytes frame) const;

  /// Describes a frame that a host sent. Sequence numbers are relative to the SYNs so far.
  capture::Packet sent(const netns::Frame& frame, const std::string& from, const std::string& to);
  /// Describes a frame that the lab made, as if `from` had sent it; it changes no base.
  capture::Packet forged(const netns::Frame& frame, const std::string& from,
                         const std::string& to) const;

  /// Puts a frame on the timeline that a fault delays or holds; nothing for another.
  void departed(const PendingFrame& pending);
  void delivered(capture::Packet packet, const std::string& to, base::Instant at);
  void lost(capture::Packet packet, base::Instant at, Effects effects);

  FrameMemory& memory() { return memory_; }
  const FrameMemory& memory() const { return memory_; }

private:
  Timeline& timeline_;
  capture::InitialSequences sequences_;
  FrameMemory memory_;
};

}  // namespace tcplab::engine
