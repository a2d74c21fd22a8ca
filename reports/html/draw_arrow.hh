// Draws a frame as a sloped arrow. It ends early where the frame was lost or held, and begins
// between the lifelines if no host has sent the frame.
#pragma once

#include "reports/html/drawn.hh"

namespace tcplab::html {

Drawn draw_arrow(const PageRun& page, const Scene& scene, const reports::Step& step,
                 const StepPlace& place, const reports::Arrow& arrow);

}  // namespace tcplab::html
