#include "lab/wire/stepper.hh"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "capture/decode/decode.hh"

namespace tcplab::lab {

namespace {

/// Returns whether one segment is the other one, sent again. An ACK without data is not, unless it
/// is a probe: each one counts.
bool is_same_segment(const PendingFrame& one, const PendingFrame& other) {
  const capture::Packet& mine = *one.packet;
  const capture::Packet& its = *other.packet;
  const bool repeats =
      mine.length != 0 || one.is_probe || mine.flags.find_first_of("SF") != std::string::npos;
  return mine.protocol == "TCP" && repeats && one.is_probe == other.is_probe &&
         mine.from == its.from && mine.source == its.source &&
         mine.destination == its.destination && mine.flags == its.flags &&
         mine.sequence == its.sequence && mine.length == its.length;
}

}  // namespace

Stepper::Stepper(Clock& clock, PendingFrames& pending_frames)
    : clock_(clock), pending_frames_(pending_frames) {
  pending_frames_.is_stopped = [this](std::uint64_t frame) { return stops(frame); };
}

bool Stepper::is_about(netns::Bytes frame) const {
  const capture::DecodedFrame decoded = capture::decode(frame);
  return decoded.tcp || (decoded.icmp && decoded.icmp->quoted);
}

bool Stepper::stops(std::uint64_t frame) {
  const PendingFrame* pending = pending_frames_.find(frame);
  if (!is_on_ || pending == nullptr || !pending->is_stepped) return false;
  if (Hanging* original = original_of(*pending)) {
    original->again.push_back(frame);
    changed();
    return true;
  }
  if (hanging_.empty()) busy_since_ = clock_.now();
  hanging_.push_back({frame, clock_.now()});
  ++stopped_;
  changed();
  return true;
}

Stepper::Hanging Stepper::take() {
  Hanging first = std::move(hanging_.front());
  hanging_.pop_front();
  if (hanging_.empty()) held_ += clock_.now() - busy_since_;
  return first;
}

void Stepper::deliver() {
  if (hanging_.empty()) return;
  const Hanging first = take();
  pending_frames_.note(first.frame, {.kind = capture::EffectKind::stepped});
  pending_frames_.deliver(first.frame);
  set_aside(first);  // after the delivery: what is first on the timeline is no retransmission
  changed();
}

std::optional<PendingFrame> Stepper::lose() {
  if (hanging_.empty()) return std::nullopt;
  const Hanging first = take();
  pending_frames_.note(
      first.frame, {.kind = capture::EffectKind::lost_by_hand, .span = clock_.now() - first.since});
  std::optional<PendingFrame> pending = pending_frames_.lose(first.frame);
  if (pending && pending->packet)
    lost_.push_back(fmt::format("{} > {} [{}] (frame {})", pending->packet->from,
                                pending->packet->to, pending->packet->flags, first.frame));
  if (!first.again.empty()) {
    if (hanging_.empty()) busy_since_ = clock_.now();
    hanging_.push_front(
        {first.again.front(), clock_.now(), {first.again.begin() + 1, first.again.end()}});
  }
  changed();
  return pending;
}

/// Returns the stopped frame that this one retransmits; null if none. A copy that a fault made is
/// no retransmission.
Stepper::Hanging* Stepper::original_of(const PendingFrame& pending) {
  const auto is_copy = [](const capture::Effect& effect) {
    return effect.kind == capture::EffectKind::copied;
  };
  if (!pending.packet || std::ranges::any_of(pending.effects, is_copy)) return nullptr;
  for (Hanging& each : hanging_) {
    const PendingFrame* other = pending_frames_.find(each.frame);
    if (other != nullptr && other->packet && is_same_segment(pending, *other)) return &each;
  }
  return nullptr;
}

void Stepper::set_aside(const Hanging& hanging) {
  for (const std::uint64_t frame : hanging.again) {
    pending_frames_.note(frame, {.kind = capture::EffectKind::set_aside});
    std::optional<PendingFrame> pending = pending_frames_.lose(frame);
    if (pending && on_set_aside) on_set_aside(std::move(*pending));
  }
}

void Stepper::let_run() {
  is_on_ = false;
  while (!hanging_.empty()) deliver();
}

void Stepper::forget_gone() {
  const bool was_busy = !hanging_.empty();
  std::erase_if(hanging_,
                [this](const Hanging& each) { return !pending_frames_.find(each.frame); });
  if (was_busy && hanging_.empty()) held_ += clock_.now() - busy_since_;
  if (was_busy) changed();
}

void Stepper::changed() {
  if (on_change) on_change();
}

base::nanoseconds Stepper::held_time() const {
  return held_ + (hanging_.empty() ? base::nanoseconds{} : clock_.now() - busy_since_);
}

std::string Stepper::account() const {
  std::string text = fmt::format("stepped: {} {} stopped, for {} in all", stopped_,
                                 stopped_ == 1 ? "frame" : "frames", base::describe(held_time()));
  for (const std::string& lost : lost_)
    text += (&lost == &lost_.front() ? "; lost by hand: " : ", ") + lost;
  return text;
}

}  // namespace tcplab::lab
