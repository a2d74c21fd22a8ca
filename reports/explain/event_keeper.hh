// Keeps the events of one connection for its ladder: the first, the last, and the notable ones
// between them. Counts the frames that it leaves out. Bounded memory.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "capture/event/event.hh"
#include "capture/follow/initial_sequences.hh"
#include "capture/follow/sequence_tracker.hh"

namespace tcplab::reports {

struct KeepLimits {
  std::size_t first = 24;
  std::size_t notable = 24;  // half of them from the beginning
  std::size_t last = 16;
};

/// A frame, and the states that it caused.
struct LadderFrame {
  capture::Event packet;
  std::vector<capture::Event> states{};
  capture::SegmentTraits traits{};
  std::size_t sender = 0;                        // which end
  bool is_notable = false;                       // it is kept even in the middle
  std::uint64_t ordinal = 0;                     // of the frame in its connection
  std::array<std::uint64_t, 2> frames_before{};  // of the connection, by each end
  std::array<std::uint64_t, 2> octets_before{};  // of data
  capture::Instant previous_at{};                // the frame before it
};

class EventKeeper {
public:
  explicit EventKeeper(const KeepLimits& limits) : limits_(limits) {}

  /// Adds the next frame of the connection. `ordinal` and the later members need not be set.
  void add(LadderFrame frame);
  /// Gives all frames so far of that end this trait, which a later frame has shown.
  void add_trait(std::size_t sender, capture::SegmentTrait trait);
  /// Forgets that `host` entered `state`: a later frame has shown that it did not.
  void withdraw(const std::string& host, capture::TcpState state);
  /// What the sequence numbers of its next frame are relative to.
  capture::ConnectionBases& bases() { return bases_; }
  /// Returns the frames that were kept, in order.
  std::vector<LadderFrame> frames() const;

private:
  void leave_out(LadderFrame frame);
  /// Calls `change` for each frame that was kept.
  template <typename Change>
  void change_all(const Change& change);

  KeepLimits limits_;
  capture::ConnectionBases bases_;
  std::vector<LadderFrame> first_;
  std::vector<LadderFrame> notable_;
  std::deque<LadderFrame> late_notable_;
  std::deque<LadderFrame> last_;
  std::uint64_t count_ = 0;
  std::array<std::uint64_t, 2> frames_{};
  std::array<std::uint64_t, 2> octets_{};
  capture::Instant previous_at_{};
};

}  // namespace tcplab::reports
