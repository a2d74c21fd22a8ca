#include "scenarios/engine/wire/loss_faults.hh"

#include "scenarios/engine/wire/packet_layout.hh"

namespace tcplab::engine {

void MtuFault::act(FrameInTransit& frame_in_transit) {
  const auto layout = layout_of(frame_in_transit.bytes());
  if (!layout || layout->length() <= mtu_) return;
  capture::Effect too_long = effect(capture::EffectKind::too_long);
  too_long.before = static_cast<std::uint32_t>(layout->length());
  frame_in_transit.lose(std::move(too_long));
}

}  // namespace tcplab::engine
