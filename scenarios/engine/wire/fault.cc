#include "scenarios/engine/wire/fault.hh"

namespace tcplab::engine {

void Fault::meet(FrameInTransit& frame_in_transit) {
  if (!scope_.link.empty() && scope_.link != frame_in_transit.frame().link) return;
  if (!scope_.filter.matches(frame_in_transit.frame())) return;
  see(frame_in_transit);
  if (scope_.selection.picks()) act(frame_in_transit);
}

std::string Fault::describe() const {
  const std::string more = details();
  return verb() + (more.empty() ? " " : " (" + more + ") ") + scope_.selection.describe() +
         scope_.filter.describe() + (scope_.link.empty() ? "" : ", on " + scope_.link) +
         (name().empty() ? "" : ", called \"" + name() + "\"");
}

std::string Fault::label() const {
  return name().empty() ? describe() : verb() + " \"" + name() + "\"";
}

}  // namespace tcplab::engine
