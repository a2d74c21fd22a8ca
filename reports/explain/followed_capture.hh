// Follows the TCP connections of a capture: reads it frame by frame, and ties ICMP errors, ARP and
// neighbour discovery to the connections. Memory is bounded whatever the capture's size.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "capture/event/describe.hh"
#include "capture/follow/conversation.hh"
#include "capture/follow/conversation_facts.hh"
#include "capture/follow/duplicate_detector.hh"
#include "capture/follow/fragment_assembler.hh"
#include "capture/follow/initial_sequences.hh"
#include "reports/explain/capture_clock.hh"
#include "reports/explain/event_keeper.hh"
#include "reports/explain/undecoded_frames.hh"

namespace tcplab::reports {

/// One connection of the capture.
struct Followed {
  Followed(const capture::FlowKey& key, std::int64_t at, std::size_t count,
           const KeepLimits& limits)
      : conversation(key, at), number(count), index(count), events(limits) {}

  capture::Conversation conversation;
  capture::ConversationFacts facts;
  std::size_t number;  // from 1, in the order of their beginnings
  std::size_t index;   // from 1, in the order of the file
  EventKeeper events;
  std::uint64_t icmp_errors = 0;
  std::size_t stretch = 0;  // of its last frame, by CaptureClock
};

inline constexpr std::size_t kMostUnfollowed = 1'000'000;

struct CaptureTotals {
  std::uint64_t frames = 0;
  std::uint64_t segments = 0;
  std::uint64_t forgotten = 0;       // connections that closed without trouble, to make room
  std::uint64_t untold = 0;          // segments of connections that are not followed
  std::uint64_t unfollowed = 0;      // these connections; at most kMostUnfollowed are counted
  std::uint64_t plain = 0;           // segments without SYN, FIN and RST
  bool lacks_plain = false;          // a capture filter left them out
  std::uint64_t cut = 0;             // frames that end before their TCP header
  std::uint64_t twice = 0;           // frames that the capture has twice
  std::uint64_t fragments = 0;       // of IP packets that are not whole in the capture
  std::uint64_t returns = 0;         // timestamps before the previous frame's
  std::int64_t farthest_return = 0;  // nanoseconds
  std::uint64_t jumps = 0;           // of the time, by a day or more
  std::int64_t farthest_jump = 0;    // nanoseconds
  std::int64_t first_at = 0;         // the earliest; nanoseconds since 1970
  std::int64_t last_at = 0;          // the latest
};

struct FollowOptions {
  capture::Interfaces interfaces = capture::Interfaces::one;  // of the capture
  KeepLimits keep{};
  std::optional<std::set<std::size_t>> only{};  // the indices whose events are kept; else all
};

class FollowedCapture {
public:
  explicit FollowedCapture(FollowOptions options);

  /// Takes the next frame of the capture; `at` is in nanoseconds since 1970.
  void frame(const capture::DecodedFrame& frame, std::int64_t at);
  /// Ends the capture. Throws base::UsageError if it has no TCP.
  void finish();

  /// Returns the connections, in the order of their numbers.
  const std::vector<std::unique_ptr<Followed>>& connections() const { return followed_; }
  const CaptureTotals& totals() const { return totals_; }
  const UndecodedFrames& undecoded() const { return undecoded_; }
  /// Returns the facts of a connection, with what the rest of the capture shows about it.
  capture::ConversationFacts facts_of(const Followed& followed) const;

private:
  using Pair = std::pair<capture::Endpoint, capture::Endpoint>;  // the smaller one first

  Followed* find(const capture::FlowKey& key, const capture::DecodedFrame& frame, std::int64_t at);
  void note_segment(const capture::DecodedFrame& frame, std::int64_t at,
                    capture::Duplicate duplicate);
  void note_frame(std::int64_t at);
  void note_packet(const capture::DecodedFrame& frame, std::int64_t at,
                   capture::Duplicate duplicate);
  void note_icmp(const capture::DecodedFrame& frame, std::int64_t at);
  capture::Event packet_event(const capture::DecodedFrame& frame, std::int64_t at,
                              const Followed& followed, std::size_t sender);
  std::vector<capture::Event> state_events(const capture::SegmentReading& reading, std::int64_t at,
                                           const Followed& followed);
  void keep(Followed& followed, LadderFrame frame) const;
  void note_neighbour(const capture::DecodedFrame& frame);
  bool is_unfollowed(const Pair& pair, bool begins_with_syn);
  void note_unfollowed(const Pair& pair);
  /// Returns true if the frame is no new packet. The conversation does not note it then.
  bool note_duplicate(Followed& followed, const capture::DecodedFrame& frame, std::int64_t at,
                      capture::Duplicate duplicate);
  void forget_good_ones();
  std::string without_tcp() const;

  FollowOptions options_;
  CaptureTotals totals_;
  std::vector<std::unique_ptr<Followed>> followed_;
  std::size_t begun_ = 0;               // connections, with those that were forgotten
  std::uint64_t untold_at_search_ = 0;  // when forget_good_ones() last found none
  std::map<Pair, Followed*> current_;
  capture::InitialSequences sequences_;
  capture::DuplicateDetector duplicates_;
  capture::FragmentAssembler fragments_;
  std::map<base::IpAddress, std::uint64_t> sought_;  // ARP and ND requests without an answer
  UndecodedFrames undecoded_;
  std::uint64_t events_ = 0;
  CaptureClock clock_;
  std::unordered_set<std::size_t> unfollowed_;  // hashes of pairs
};

}  // namespace tcplab::reports
