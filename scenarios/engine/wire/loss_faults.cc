#include "scenarios/engine/wire/loss_faults.hh"

#include "scenarios/engine/wire/packet_layout.hh"

namespace tcplab::engine {

void MtuFault::act(Passage& passage) {
  const auto layout = layout_of(passage.bytes());
  if (!layout || layout->length() <= mtu_) return;
  passage.lose("an IP packet of " + std::to_string(layout->length()) + " bytes: " + label());
}

}  // namespace tcplab::engine
