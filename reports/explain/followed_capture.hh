// Follows the TCP connections of a capture: reads it frame by frame, and ties ICMP errors, ARP and
// neighbour discovery to the connections. Memory is bounded whatever the capture's size.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "capture/event/describe.hh"
#include "capture/follow/duplicate_detector.hh"
#include "capture/follow/fragment_assembler.hh"
#include "reports/explain/capture_clock.hh"
#include "reports/explain/event_keeper.hh"
#include "reports/explain/followed.hh"
#include "reports/explain/followed_connections.hh"
#include "reports/explain/undecoded_frames.hh"

namespace tcplab::reports {

struct CaptureTotals {
  std::uint64_t frames = 0;
  std::uint64_t segments = 0;
  std::uint64_t forgotten = 0;   // connections that closed without trouble, to make room
  std::uint64_t untold = 0;      // segments of connections that are not followed
  std::uint64_t unfollowed = 0;  // these connections; at most FollowedConnections::kMostUnfollowed
  std::uint64_t plain = 0;       // segments without SYN, FIN and RST
  bool lacks_plain = false;      // a capture filter left them out
  std::uint64_t cut = 0;         // frames that end before their TCP header
  std::uint64_t twice = 0;       // frames that the capture has twice
  std::uint64_t fragments = 0;   // of IP packets that are not whole in the capture
  std::uint64_t returns = 0;     // timestamps before the previous frame's
  std::int64_t farthest_return = 0;  // nanoseconds
  std::uint64_t jumps = 0;           // of the time, by a day or more
  std::int64_t farthest_jump = 0;    // nanoseconds
  std::int64_t first_at = 0;         // the earliest; nanoseconds since 1970
  std::int64_t last_at = 0;          // the latest
};

/// Some connections of the capture, which was read before.
struct ChosenConnections {
  std::set<EndpointPair> pairs;
  std::set<std::uint64_t> first_frames;  // their numbers; see Followed
};

/// The most connections that keep their frames: a ladder takes up to 60 kB.
inline constexpr std::size_t kMostKept = 2000;

struct FollowOptions {
  capture::Interfaces interfaces = capture::Interfaces::one;  // of the capture
  KeepLimits keep{};
  std::size_t most = FollowedConnections::kMost;  // connections followed at once
  std::size_t most_kept = kMostKept;        // connections whose frames are kept, the first ones
  std::optional<ChosenConnections> only{};  // else all are followed
};

class FollowedCapture {
public:
  explicit FollowedCapture(FollowOptions options);

  /// Takes the next frame of the capture; `at` is in nanoseconds since 1970.
  void frame(const capture::DecodedFrame& frame, std::int64_t at);
  /// Ends the capture. Throws base::UsageError if it has no TCP.
  void finish();

  /// Returns the connections, in the order of their numbers.
  const std::vector<std::unique_ptr<Followed>>& connections() const { return table_.all(); }
  const CaptureTotals& totals() const { return totals_; }
  const UndecodedFrames& undecoded() const { return undecoded_; }
  /// Takes the frames of the connections that `other` has kept. It has read the same capture, and
  /// followed only some connections.
  void take_frames(FollowedCapture& other);

private:
  Followed* find(const capture::FlowKey& key, const capture::DecodedFrame& frame, std::int64_t at);
  bool begins(const Followed* latest, const capture::DecodedFrame& frame) const;
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
  void keep(Followed& followed, const capture::DecodedFrame& frame, std::int64_t at,
            const capture::SegmentReading& reading);
  void note_neighbour(const capture::DecodedFrame& frame);
  void note_request(const base::IpAddress& asker, const base::IpAddress& target);
  /// Returns true if the frame is no new packet. The conversation does not note it then.
  bool note_duplicate(Followed& followed, const capture::DecodedFrame& frame, std::int64_t at,
                      capture::Duplicate duplicate);
  void note_surroundings();
  std::string without_tcp() const;

  FollowOptions options_;
  CaptureTotals totals_;
  FollowedConnections table_;
  capture::DuplicateDetector duplicates_;
  capture::FragmentAssembler fragments_;
  /// ARP and ND requests since the last frame of the address that they ask for, by who asks.
  std::map<base::IpAddress, std::map<base::IpAddress, std::uint32_t>> sought_;
  UndecodedFrames undecoded_;
  std::uint64_t events_ = 0;
  CaptureClock clock_;
};

}  // namespace tcplab::reports
