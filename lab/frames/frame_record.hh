// Puts frames on the timeline as packet events, and keeps the bytes of recent ones.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "capture/follow/connection_numbers.hh"
#include "capture/follow/initial_sequences.hh"
#include "lab/frames/observed_frame.hh"
#include "lab/record/timeline.hh"
#include "lab/wire/pending_frames.hh"
#include "netns/wire.hh"

namespace tcplab::lab {

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

  /// Finds what packet words ask about a frame that a host is about to send; `sender` follows that
  /// host's connections. Takes its SYN for the relative numbers.
  void find_facts(ObservedFrame& frame, const capture::ConnectionNumbers& sender);
  /// The same for a frame that the lab made.
  void find_facts_of_forged(ObservedFrame& frame);

  /// Describes a frame as it was sent.
  static capture::Packet describe(const ObservedFrame& observed, const netns::Frame& frame);

  /// Keeps its bytes for a while.
  void keep(const ObservedFrame& observed) {
    memory_.keep(observed.number, observed.decoded.bytes, observed.facts);
  }

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

}  // namespace tcplab::lab
