#include "capture/follow/pauses.hh"

namespace tcplab::capture {

namespace {

constexpr std::int64_t kSecond = 1'000'000'000;  // nanoseconds
constexpr std::int64_t kIdle = 60 * kSecond;     // no NAT or load balancer forgets sooner

bool waits_for_answer(const Conversation& talk, std::size_t end) {
  const SequenceVariables& numbers = talk.numbers(end);
  return talk.end(end).unanswered > 0 ||
         (numbers.is_acknowledged && numbers.snd_una != numbers.snd_nxt);
}

}  // namespace

void Pauses::note(const TcpSegment& tcp, std::int64_t at, const Conversation& talk,
                  const SegmentReading& reading) {
  note_idle(tcp, at, talk, reading.sender);
  if (tcp.length == 0 || reading.traits.is_probe() ||
      reading.traits.has(SegmentTrait::retransmission))
    return;
  std::int64_t& data_at = data_at_.at(reading.sender);
  if (data_at == 0 || at - data_at >= kSecond) ++bursts_.at(reading.sender);
  data_at = at;
}

void Pauses::note_idle(const TcpSegment& tcp, std::int64_t at, const Conversation& talk,
                       std::size_t sender) {
  const std::int64_t pause = at - last_at_;
  const bool is_reset = tcp.has(TcpFlags::kRst);
  if (idle_ && idle_->ended_by != sender && !is_reset) idle_.reset();
  if (last_at_ > 0 && is_quiet_ && pause >= kIdle) idle_ = {.lasted = pause, .ended_by = sender};
  last_at_ = at;
  is_quiet_ = talk.states().was_established() && talk.reset().kind == ResetKind::none &&
              !waits_for_answer(talk, 0) && !waits_for_answer(talk, 1);
}

}  // namespace tcplab::capture
