#include "lab/wire/pending_frames.hh"

#include <algorithm>

namespace tcplab::lab {

namespace {

/// True if that fault held it and no other does.
bool let_go(PendingFrame& pending, const Fault& fault) {
  return std::erase(pending.holders, &fault) > 0 && pending.holders.empty();
}

}  // namespace

std::uint64_t PendingFrames::hold_another(const netns::Frame& like) {
  return wire_->hold_another(like);
}

const PendingFrame* PendingFrames::find(std::uint64_t frame) const {
  const auto found = pending_frames_.find(frame);
  return found == pending_frames_.end() ? nullptr : &found->second;
}

void PendingFrames::send(std::uint64_t frame) {
  const auto found = pending_frames_.find(frame);
  if (found == pending_frames_.end() || !found->second.holders.empty()) return;
  delay(frame, found->second.sent, found->second.delay);
}

void PendingFrames::send_after(const Follower& follower, std::uint64_t other) {
  const auto found = pending_frames_.find(follower.frame);
  if (found == pending_frames_.end() || !let_go(found->second, *follower.holder)) return;
  const PendingFrame* before = find(other);
  const bool is_on_its_way = before != nullptr && before->holders.empty();
  delay(follower.frame, is_on_its_way ? before->sent : clock_.now(),
        std::max(found->second.delay, is_on_its_way ? before->delay : base::nanoseconds{}));
}

/// A delayed frame stays behind those that were delayed before it, even if its time has come.
void PendingFrames::delay(std::uint64_t frame, base::Instant from, base::nanoseconds span) {
  if (span.count() == 0) return finish(frame);
  delay_queue_.add(frame, from + span);
}

void PendingFrames::finish(std::uint64_t frame) {
  if (!is_stopped || !is_stopped(frame)) deliver(frame);
}

void PendingFrames::deliver(std::uint64_t frame) {
  wire_->release(frame);  // does nothing if the wire delivered it at once, or if its sender is gone
  pending_frames_.erase(frame);
}

void PendingFrames::release(const Fault& fault) {
  std::vector<std::uint64_t> held;
  for (auto& [number, pending] : pending_frames_) {
    if (let_go(pending, fault)) held.push_back(number);
  }
  for (const std::uint64_t frame : held)
    delay(frame, clock_.now(), pending_frames_.at(frame).delay);
}

std::optional<PendingFrame> PendingFrames::lose(std::uint64_t frame) {
  wire_->drop(frame);
  auto lost = pending_frames_.extract(frame);
  if (lost.empty()) return std::nullopt;
  return std::move(lost.mapped());
}

void PendingFrames::note(std::uint64_t frame, const capture::Effect& effect) {
  const auto found = pending_frames_.find(frame);
  if (found != pending_frames_.end()) found->second.effects.push_back(effect);
}

std::vector<PendingFrame> PendingFrames::forget(netns::PortId from) {
  std::vector<PendingFrame> forgotten;
  for (auto each = pending_frames_.begin(); each != pending_frames_.end();) {
    if (each->second.from == from) {
      forgotten.push_back(std::move(each->second));
      each = pending_frames_.erase(each);
    } else {
      ++each;
    }
  }
  return forgotten;
}

}  // namespace tcplab::lab
