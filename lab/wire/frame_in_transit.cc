#include "lab/wire/frame_in_transit.hh"

#include "lab/wire/packet_layout.hh"

namespace tcplab::lab {

namespace {

/// Returns false if what a fault left is at most one segment, or less than a packet.
bool is_segmented(netns::Bytes frame, const netns::Offload& offload) {
  const auto layout = layout_of(frame);
  return layout && offload.segments(layout->end - layout->payload) > 1;
}

}  // namespace

void FrameInTransit::replace(std::vector<std::uint8_t> bytes, capture::Effect effect) {
  own_bytes_ = std::move(bytes);
  bytes_ = own_bytes_;
  offload_.needs_checksum = false;
  if (!is_segmented(bytes_, offload_)) offload_ = {};
  effects_.push_back(std::move(effect));
}

void FrameInTransit::lose(capture::Effect effect) {
  is_lost_ = true;
  effects_.push_back(std::move(effect));
}

void FrameInTransit::delay(capture::Effect effect) {
  delayed_ += effect.span;
  effects_.push_back(std::move(effect));
}

void FrameInTransit::hold(const Fault& fault, capture::Effect effect) {
  holders_.push_back(&fault);
  effects_.push_back(std::move(effect));
}

void FrameInTransit::copy(Copies copies, capture::Effect effect) {
  copies_.push_back(std::move(copies));
  effects_.push_back(std::move(effect));
}

}  // namespace tcplab::lab
