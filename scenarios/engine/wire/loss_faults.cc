#include "scenarios/engine/wire/loss_faults.hh"

#include "scenarios/engine/wire/packet_layout.hh"

namespace tcplab::engine {

void MtuFault::act(FrameInTransit& frame_in_transit) {
  const auto layout = layout_of(frame_in_transit.bytes());
  if (!layout || layout->length() <= mtu_) return;
  frame_in_transit.lose("an IP packet of " + std::to_string(layout->length()) +
                        " bytes: " + label());
}

}  // namespace tcplab::engine
