// A frame as a sloped arrow: whole, broken off where it was lost, stopped where it was held, or
// beginning in the middle of nowhere when no host has sent it.
#pragma once

#include <string>

#include "reports/html/scene.hh"

namespace tcplab::html {

std::string draw_arrow(const ToldRun& told, const Scene& scene, const reports::Step& step,
                       const Place& place, const reports::Arrow& arrow);

}  // namespace tcplab::html
