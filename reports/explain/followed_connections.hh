// The connections of a capture that are followed, found by their endpoints. Bounds how many they
// are: forgets those that closed without trouble, and then follows no more.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_set>
#include <vector>

#include "reports/explain/followed.hh"

namespace tcplab::reports {

/// The two endpoints of a connection, the smaller one first.
using EndpointPair = capture::FlowKey;
EndpointPair pair_of(const capture::FlowKey& key);
EndpointPair pair_of(const Followed& followed);

class FollowedConnections {
public:
  /// Connections followed at once. Each takes about 2 kB.
  static constexpr std::size_t kMost = 200'000;
  /// Other connections that are told from each other; more are not counted.
  static constexpr std::size_t kMostUnfollowed = 1'000'000;

  /// `most` connections are followed at once.
  explicit FollowedConnections(std::size_t most = kMost) : most_(most) {}

  /// Returns the latest connection of the endpoints; null if none is followed.
  Followed* find(const EndpointPair& pair) const;
  /// Returns false if too many connections have trouble or are open. May forget good ones first;
  /// `now` is in nanoseconds since 1970, `segments` is how many the capture had so far.
  bool has_room(std::int64_t now, std::uint64_t segments);
  /// Adds the next connection of the endpoints. There must be room.
  Followed& add(const capture::FlowKey& first, std::int64_t at, std::uint64_t frame);

  /// Notes a segment of a connection that is not followed.
  void note_unfollowed(const EndpointPair& pair);
  /// Returns true if the endpoints have a connection that is not followed.
  bool is_unfollowed(const EndpointPair& pair) const;

  /// In the order of the file, until they are sorted.
  std::vector<std::unique_ptr<Followed>>& all() { return all_; }
  const std::vector<std::unique_ptr<Followed>>& all() const { return all_; }
  /// Returns how many connections closed without trouble, and were forgotten to make room.
  std::uint64_t forgotten() const { return forgotten_; }
  /// Returns how many connections are not followed; kMostUnfollowed if there are more.
  std::uint64_t unfollowed() const { return unfollowed_count_; }
  /// Returns the segments of those.
  std::uint64_t untold() const { return untold_; }

private:
  /// A place in an open-addressing hash table: one look at it mostly finds the connection.
  struct Slot {
    std::size_t hash = 0;
    Followed* followed = nullptr;
  };

  void forget_good_ones(std::int64_t now);
  /// Returns the place of the endpoints, or the free place where they would be.
  std::size_t place_of(const EndpointPair& pair, std::size_t hash) const;
  void put(Followed& followed);
  void rebuild_slots();

  static constexpr std::size_t kFirstSearch = 2000;

  std::size_t most_;
  std::vector<std::unique_ptr<Followed>> all_;
  std::vector<Slot> slots_ = std::vector<Slot>(4096);  // a power of two, at most half full
  std::unordered_set<std::size_t> unfollowed_;         // hashes of pairs
  std::size_t begun_ = 0;  // connections, with those that were forgotten
  /// Looks for good ones when it follows this number of connections.
  std::size_t next_search_ = std::min(kFirstSearch, most_);
  std::uint64_t segments_at_search_ = 0;  // of the capture, when it last looked
  std::uint64_t forgotten_ = 0;
  std::uint64_t unfollowed_count_ = 0;
  std::uint64_t untold_ = 0;
};

}  // namespace tcplab::reports
