#include "reports/explain/neighbours.hh"

#include "capture/follow/sequence_number.hh"

namespace tcplab::reports {

using capture::Conversation;
using capture::ConversationFacts;
using capture::ResetKind;
using capture::TcpState;

std::int64_t in_time_wait_since(const Conversation& before, const ConversationFacts& facts,
                                std::int64_t now) {
  constexpr std::int64_t kTimeWait =
      60'000'000'000;  // Linux: TCP_TIMEWAIT_LEN in include/net/tcp.h
  const bool has_ended = before.states().end(0).now == TcpState::time_wait ||
                         before.states().end(1).now == TcpState::time_wait;
  const std::int64_t since = has_ended                           ? before.last_at()
                             : before.states().was_established() ? 0
                                                                 : facts.around.time_wait_since;
  return since > 0 && now - since < kTimeWait ? since : 0;
}

void StampClock::note(const Conversation& other) {
  constexpr std::int64_t kFastest = 1'000'000;  // nanoseconds per tick (RFC 7323 section 5.4)
  constexpr std::uint32_t kSlack = 100;
  const auto& stamp = other.numbers(0).ts_own;
  const auto& own = talk_.numbers(0).ts_own;
  const bool is_neighbour = other.end(0).address.address == talk_.end(0).address.address &&
                            other.end(1).address == talk_.end(1).address;
  if (!is_neighbour || !stamp || !own || !other.states().was_established() ||
      other.end(0).last_at >= talk_.end(0).last_at)
    return;
  const std::int64_t at = other.end(0).last_at;
  if (last_ && at >= last_->at &&
      *stamp - last_->value <= static_cast<std::uint32_t>((at - last_->at) / kFastest) + kSlack)
    has_clock_ = true;
  if (capture::is_before(*own, *stamp)) is_older_ = true;
  last_ = {*stamp, at};
}

bool was_only_checked(const Conversation& talk, const ConversationFacts& facts) {
  return !talk.states().was_established() && facts.end(1).syn_acks > 0 && talk.reset().by == 0 &&
         talk.reset().kind == ResetKind::no_connection;
}

}  // namespace tcplab::reports
