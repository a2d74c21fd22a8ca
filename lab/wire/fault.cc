#include "lab/wire/fault.hh"

namespace tcplab::lab {

void Fault::meet(FrameInTransit& frame_in_transit) {
  if (!scope_.link.empty() && scope_.link != frame_in_transit.frame().link) return;
  if (!scope_.filter.matches(frame_in_transit.frame())) return;
  see(frame_in_transit);
  if (scope_.selection.picks()) act(frame_in_transit);
}

capture::FaultRule Fault::rule() const {
  return {.verb = verb(),
          .name = name(),
          .options = options(),
          .selection = scope_.selection.describe(),
          .from = scope_.filter.from(),
          .to = scope_.filter.to(),
          .filter = scope_.filter.what(),
          .link = scope_.link};
}

capture::Effect Fault::effect(capture::EffectKind kind) const {
  if (name().empty()) return {.kind = kind, .fault = rule()};
  return {.kind = kind, .fault = capture::FaultRule{.verb = verb(), .name = name()}};
}

}  // namespace tcplab::lab
