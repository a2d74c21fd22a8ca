#include "reports/explain/followed_connections.hh"

#include <algorithm>
#include <bit>

#include "reports/explain/diagnosis.hh"
#include "reports/explain/summary.hh"

namespace tcplab::reports {

namespace {

/// Returns true if both ends closed, and nothing was wrong.
bool is_good(const Followed& followed, std::int64_t now) {
  const auto& talk = followed.conversation;
  if (!talk.states().is_over() || !talk.states().have_both_sent_fin()) return false;
  const Summary summary = summary_of(talk, followed.facts, Roles(talk), now);
  return summary.trouble == Trouble::none && !summary.has_remark &&
         diagnoses(talk, followed.facts).empty();
}

}  // namespace

EndpointPair pair_of(const capture::FlowKey& key) { return std::min(key, key.reversed()); }

EndpointPair pair_of(const Followed& followed) {
  return pair_of({followed.conversation.end(0).address, followed.conversation.end(1).address});
}

Followed* FollowedConnections::find(const EndpointPair& pair) const {
  return slots_.at(place_of(pair, capture::FlowKeyHash{}(pair))).followed;
}

std::size_t FollowedConnections::place_of(const EndpointPair& pair, std::size_t hash) const {
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t place = hash & mask;; place = (place + 1) & mask) {
    const Slot& slot = slots_[place];
    if (slot.followed == nullptr || (slot.hash == hash && pair_of(*slot.followed) == pair))
      return place;
  }
}

/// A later connection of the same endpoints takes the place of an earlier one.
void FollowedConnections::put(Followed& followed) {
  const EndpointPair pair = pair_of(followed);
  const std::size_t hash = capture::FlowKeyHash{}(pair);
  slots_.at(place_of(pair, hash)) = {hash, &followed};
}

void FollowedConnections::rebuild_slots() {
  slots_.assign(std::bit_ceil(std::max<std::size_t>(4096, all_.size() * 2 + 2)), {});
  for (const auto& followed : all_) put(*followed);
}

/// A search takes time in proportion to the connections. So the next one comes after twice as many,
/// or, at the limit, after many segments, with which some may have closed.
bool FollowedConnections::has_room(std::int64_t now, std::uint64_t segments) {
  if (all_.size() < next_search_) return true;
  if (all_.size() >= most_ && segments < segments_at_search_ + most_ / 2) return false;
  forget_good_ones(now);
  next_search_ = std::min(std::max(2 * all_.size(), kFirstSearch), most_);
  segments_at_search_ = segments;
  return all_.size() < most_;
}

/// Forgets connections that closed without trouble, but for the newest: frames may come late, and
/// the next connection of the same endpoints may meet their TIME_WAIT.
void FollowedConnections::forget_good_ones(std::int64_t now) {
  constexpr std::size_t kNewest = 500;
  const std::size_t before = all_.size();
  const auto last = all_.end() - static_cast<std::ptrdiff_t>(std::min(kNewest, before));
  const auto kept =
      std::remove_if(all_.begin(), last, [now](const auto& each) { return is_good(*each, now); });
  all_.erase(kept, last);
  if (all_.size() < before) rebuild_slots();
  forgotten_ += before - all_.size();
}

Followed& FollowedConnections::add(const capture::FlowKey& first, std::int64_t at,
                                   std::uint64_t frame) {
  const EndpointPair pair = pair_of(first);
  all_.push_back(std::make_unique<Followed>(first, at, ++begun_, frame));
  if (all_.size() * 2 > slots_.size())
    rebuild_slots();
  else
    put(*all_.back());
  unfollowed_.erase(capture::FlowKeyHash{}(pair));
  return *all_.back();
}

void FollowedConnections::note_unfollowed(const EndpointPair& pair) {
  ++untold_;
  if (unfollowed_.size() >= kMostUnfollowed) return;
  if (unfollowed_.insert(capture::FlowKeyHash{}(pair)).second) ++unfollowed_count_;
}

bool FollowedConnections::is_unfollowed(const EndpointPair& pair) const {
  return !unfollowed_.empty() && unfollowed_.contains(capture::FlowKeyHash{}(pair));
}

}  // namespace tcplab::reports
