#include "capture/follow/reset_trigger.hh"

#include <algorithm>

#include "capture/follow/sequence_number.hh"

namespace tcplab::capture {

namespace {

// Nanoseconds. A round trip may lie between the capture and the end that answers.
constexpr std::int64_t kAnswer = 500'000'000;
constexpr std::int64_t kSlower = 3;  // than its quickest answer

}  // namespace

void ResetTriggerFinder::note(const TcpSegment& tcp, std::int64_t at,
                              const SegmentReading& reading) {
  End& self = ends_.at(reading.sender);
  const auto& other = ends_.at(1 - reading.sender).last;
  if (last_sender_ == 1 - reading.sender && other) {
    const std::int64_t delay = at - other->at;
    self.quickest = std::min(self.quickest.value_or(delay), delay);
  }
  const std::uint32_t length = static_cast<std::uint32_t>(tcp.length);
  self.last = {.at = at,
               .sequence = tcp.sequence,
               .end = tcp.sequence + length + (tcp.has(TcpFlags::kFin) ? 1U : 0U),
               .acknowledgment = tcp.acknowledgment,
               .has_data = tcp.length > 0,
               .has_syn = tcp.has(TcpFlags::kSyn),
               .has_fin = tcp.has(TcpFlags::kFin),
               .is_probe = reading.traits.is_probe()};
  last_sender_ = reading.sender;
}

bool ResetTriggerFinder::is_answered_so_late(std::size_t end, std::int64_t delay) const {
  return delay <= std::max(kAnswer, kSlower * ends_.at(end).quickest.value_or(0));
}

ResetTrigger ResetTriggerFinder::find(const TcpSegment& reset, std::int64_t at,
                                      const SegmentReading& reading) const {
  const std::size_t sender = reading.sender;
  const auto& last = ends_.at(1 - sender).last;
  ResetTrigger found;
  if (const auto& own = ends_.at(sender).last) found.own_silence = at - own->at;
  found.follows_own = last_sender_ == sender;
  if (last_sender_) found.silence = at - ends_.at(*last_sender_).last->at;
  if (!last || !is_answered_so_late(sender, at - last->at)) return found;
  const auto acknowledged = reading.before.at(sender).acknowledgment;
  const bool is_new = !acknowledged || is_before(*acknowledged, last->end) || last->is_probe;
  // Both may have spoken at the same time: then it answers what it has not acknowledged.
  if (found.follows_own && !is_new) return found;
  const bool has_its_number = reset.sequence == last->acknowledgment;
  if (!reset.has(TcpFlags::kAck) && !last->has_syn && !has_its_number) return found;
  found.kind = ResetTrigger::Kind::ack;
  if (last->has_syn) found.kind = ResetTrigger::Kind::syn;
  if (last->has_fin) found.kind = ResetTrigger::Kind::fin;
  if (last->is_probe) found.kind = ResetTrigger::Kind::probe;
  if (last->has_data && !last->is_probe) found.kind = ResetTrigger::Kind::data;
  found.is_old = last->has_data && !is_new;
  if (found.is_old) found.below = *acknowledged - last->sequence;
  return found;
}

}  // namespace tcplab::capture
