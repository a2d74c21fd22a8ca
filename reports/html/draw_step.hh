// One step of the ladder as SVG: what it is about, in its place, with its words for those who do
// not see it.
#pragma once

#include <string>

#include "reports/html/scene.hh"

namespace tcplab::html {

/// Empty for a step that is only seen in the background (a host comes up).
std::string draw_step(const ToldRun& told, const Scene& scene, std::size_t index);

/// Two ragged edges with a gap between them: what the steps use where nothing happened.
std::string torn_paper(const Scene& scene);

}  // namespace tcplab::html
