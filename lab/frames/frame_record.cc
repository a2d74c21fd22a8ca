#include "lab/frames/frame_record.hh"

#include <algorithm>
#include <utility>

namespace tcplab::lab {

using capture::Fate;

namespace {

constexpr std::size_t kRememberedBytes = std::size_t{16} << 20;

}  // namespace

void FrameMemory::keep(std::uint64_t number, netns::Bytes bytes, const PacketFacts& facts) {
  frames_.push_back(KeptFrame{number, {bytes.begin(), bytes.end()}, facts});
  size_ += bytes.size();
  for (; size_ > kRememberedBytes; frames_.pop_front()) size_ -= frames_.front().bytes.size();
}

const KeptFrame* FrameMemory::find(std::uint64_t number) const {
  const auto found = std::ranges::lower_bound(frames_, number, {}, &KeptFrame::number);
  return found == frames_.end() || found->number != number ? nullptr : &*found;
}

void FrameRecord::find_facts(ObservedFrame& frame, const capture::ConnectionNumbers& sender) {
  frame.bases = sequences_.note(frame.decoded);
  frame.facts = packet_facts(frame.decoded, sender.classify(frame.decoded), frame.bases);
}

void FrameRecord::find_facts_of_forged(ObservedFrame& frame) {
  frame.bases = sequences_.note_forged(frame.decoded);
  frame.facts = packet_facts(frame.decoded, {}, frame.bases);
}

namespace {

/// Says how many segments a frame of an offloading NIC stands for.
void note_segments(capture::Packet& packet, const netns::Offload& offload) {
  const std::size_t segments = offload.segments(packet.length);
  if (segments == 1) return;
  packet.segments = static_cast<std::uint32_t>(segments);
  packet.summary += " (" + std::to_string(segments) + " segments)";
}

}  // namespace

capture::Packet FrameRecord::describe(const ObservedFrame& observed, const netns::Frame& frame) {
  capture::Packet packet = capture::describe(observed.decoded, observed.bases);
  packet.frame = frame.number;
  packet.from = observed.from;
  packet.to = observed.to;
  packet.sent = frame.sent;
  note_segments(packet, frame.offload);
  if (!observed.is_forged) return packet;
  packet.fate = Fate::forged;
  packet.effects = {{.kind = capture::EffectKind::forged}};
  return packet;
}

void FrameRecord::departed(const PendingFrame& pending) {
  if (!pending.packet || pending.goes_at_once()) return;
  capture::Packet packet = *pending.packet;
  packet.fate = pending.holders.empty() ? Fate::delayed : Fate::held;
  packet.effects = pending.effects;
  timeline_.append(pending.sent, std::move(packet));
}

void FrameRecord::delivered(capture::Packet packet, const std::string& to, base::Instant at) {
  packet.to = to;
  packet.delivered = at;
  const base::Instant sent = packet.sent;
  timeline_.append(sent, std::move(packet));
}

void FrameRecord::lost(capture::Packet packet, base::Instant at, Effects effects) {
  packet.fate = Fate::lost;
  packet.effects = std::move(effects);
  timeline_.append(at, std::move(packet));
}

}  // namespace tcplab::lab
