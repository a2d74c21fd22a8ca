#include "scenarios/engine/wire/frame_in_transit.hh"

namespace tcplab::engine {

void FrameInTransit::replace(std::vector<std::uint8_t> bytes, capture::Effect effect) {
  own_bytes_ = std::move(bytes);
  bytes_ = own_bytes_;
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

}  // namespace tcplab::engine
