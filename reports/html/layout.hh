// Computes the places of a run's steps: the Scene that picture and draw_* turn into SVG.
#pragma once

#include "reports/html/lanes.hh"
#include "reports/html/scene.hh"

namespace tcplab::html {

/// Returns the scene of a run: lanes, steps, bands of states, and the frames that were held.
Scene lay_out(const PageRun& page, const Measures& measures = {});

}  // namespace tcplab::html
