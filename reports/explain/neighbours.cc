#include "reports/explain/neighbours.hh"

#include <algorithm>
#include <optional>
#include <span>
#include <tuple>

#include "capture/follow/sequence_number.hh"

namespace tcplab::reports {

using capture::Conversation;
using capture::ResetKind;
using capture::TcpState;

namespace {

using Neighbours = std::span<Followed* const>;

bool is_answered(const Followed& followed) { return followed.facts.end(1).syn_acks > 0; }

bool answers_others(const Followed& followed) {
  return is_answered(followed) && followed.conversation.states().was_established();
}

bool is_silent(const Followed& followed) {
  const Conversation& talk = followed.conversation;
  const bool gave_up = talk.reset().kind == ResetKind::gave_up && talk.reset().by == 0;
  return is_answered(followed) && (talk.end(0).unanswered > 1 || gave_up);
}

bool is_never_completed(const Followed& followed) {
  const Conversation& talk = followed.conversation;
  return is_answered(followed) && !talk.states().was_established() &&
         talk.reset().kind == ResetKind::none && !followed.facts.around.lacks_plain_segments;
}

/// The client reset the SYN,ACK: it had asked for no more.
bool was_only_checked(const Followed& followed) {
  const Conversation& talk = followed.conversation;
  return is_answered(followed) && !talk.states().was_established() && talk.reset().by == 0 &&
         talk.reset().kind == ResetKind::no_connection;
}

std::uint32_t count_if(Neighbours group, bool (*holds)(const Followed&)) {
  return static_cast<std::uint32_t>(
      std::ranges::count_if(group, [holds](const Followed* each) { return holds(*each); }));
}

/// For the connections of one listener.
void note_listener(Neighbours group) {
  const std::uint32_t answers = count_if(group, answers_others);
  const std::uint32_t silent = count_if(group, is_silent);
  const std::uint32_t never_completed = count_if(group, is_never_completed);
  const std::uint32_t checked = count_if(group, was_only_checked);
  for (Followed* const each : group) {
    capture::Surroundings& around = each->facts.around;
    around.listener_answers_others = answers > (answers_others(*each) ? 1U : 0U);
    around.listener_is_silent = silent > (is_silent(*each) ? 1U : 0U);
    around.never_completed = never_completed;
    around.checked = checked;
  }
}

std::int64_t last_asked_at(const Followed& followed) {
  return followed.conversation.end(0).last_at;
}

/// The timestamps of earlier connections, each the last one of its client.
class StampClock {
public:
  void note(const Followed& followed) {
    constexpr std::int64_t kFastest = 1'000'000;  // nanoseconds per tick (RFC 7323 section 5.4)
    constexpr std::uint32_t kSlack = 100;
    const auto& stamp = followed.conversation.numbers(0).ts_own;
    if (!stamp || !followed.conversation.states().was_established()) return;
    const std::int64_t at = last_asked_at(followed);
    if (last_ &&
        *stamp - last_->value <= static_cast<std::uint32_t>((at - last_->at) / kFastest) + kSlack)
      has_clock_ = true;
    if (!newest_ || capture::is_before(*newest_, *stamp)) newest_ = *stamp;
    last_ = {*stamp, at};
  }

  bool is_ahead_of(const Followed& followed) const {
    const auto& own = followed.conversation.numbers(0).ts_own;
    return has_clock_ && own && capture::is_before(*own, *newest_);
  }

private:
  struct Stamp {
    std::uint32_t value = 0;
    std::int64_t at = 0;
  };
  std::optional<Stamp> last_;
  std::optional<std::uint32_t> newest_;
  bool has_clock_ = false;
};

/// For the connections from one address to one listener, in the order of the clients' last
/// segments.
void note_stamps(Neighbours group) {
  StampClock clock;
  auto earlier = group.begin();
  for (Followed* const each : group) {
    for (; last_asked_at(**earlier) < last_asked_at(*each); ++earlier) clock.note(**earlier);
    each->facts.around.has_older_stamp = clock.is_ahead_of(*each);
  }
}

/// Calls `note` for each group of neighbours in a sorted list that have the same key.
template <typename Key>
void for_groups(Neighbours sorted, const Key& key, void (*note)(Neighbours)) {
  while (!sorted.empty()) {
    const auto other = std::ranges::find_if(
        sorted, [&](const Followed* each) { return key(each) != key(sorted.front()); });
    const auto size = static_cast<std::size_t>(other - sorted.begin());
    note(sorted.first(size));
    sorted = sorted.subspan(size);
  }
}

}  // namespace

std::int64_t in_time_wait_since(const Followed& before, std::int64_t now) {
  constexpr std::int64_t kTimeWait =
      60'000'000'000;  // Linux: TCP_TIMEWAIT_LEN in include/net/tcp.h
  const capture::StateTracker& states = before.conversation.states();
  const bool has_ended =
      states.end(0).now == TcpState::time_wait || states.end(1).now == TcpState::time_wait;
  const std::int64_t since = has_ended                  ? before.conversation.last_at()
                             : states.was_established() ? 0
                                                        : before.facts.around.time_wait_since;
  return since > 0 && now - since < kTimeWait ? since : 0;
}

void note_neighbours(const std::vector<std::unique_ptr<Followed>>& connections) {
  std::vector<Followed*> sorted;
  sorted.reserve(connections.size());
  for (const auto& each : connections) sorted.push_back(each.get());
  const auto listener = [](const Followed* each) { return each->conversation.end(1).address; };
  const auto pair = [](const Followed* each) {
    return std::tuple(each->conversation.end(1).address, each->conversation.end(0).address.address);
  };
  std::ranges::stable_sort(sorted, {}, [&](const Followed* each) {
    return std::tuple_cat(pair(each), std::tuple(last_asked_at(*each)));
  });
  for_groups(sorted, listener, note_listener);
  for_groups(sorted, pair, note_stamps);
}

}  // namespace tcplab::reports
