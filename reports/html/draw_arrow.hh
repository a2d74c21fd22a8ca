// A frame as a sloped arrow: whole, broken off where it was lost, stopped where it was held, or
// beginning in the middle of nowhere when no host has sent it.
#pragma once

#include "reports/html/drawn.hh"

namespace tcplab::html {

Drawn draw_arrow(const ToldRun& told, const Scene& scene, const reports::Step& step,
                 const StepPlace& place, const reports::Arrow& arrow);

}  // namespace tcplab::html
