#include "lab/wire/loss_faults.hh"

#include <algorithm>

#include "lab/wire/packet_layout.hh"

namespace tcplab::lab {

void MtuFault::act(FrameInTransit& frame_in_transit) {
  const auto layout = layout_of(frame_in_transit.bytes());
  if (!layout) return;
  // A frame of several segments is on a real cable as that many packets of at most this length.
  const std::size_t segment = frame_in_transit.offload().segment_size;
  const std::size_t length =
      segment == 0 ? layout->length()
                   : std::min(layout->length(), layout->payload - layout->ip + segment);
  if (length <= mtu_) return;
  capture::Effect too_long = effect(capture::EffectKind::too_long);
  too_long.before = static_cast<std::uint32_t>(length);
  frame_in_transit.lose(std::move(too_long));
}

}  // namespace tcplab::lab
