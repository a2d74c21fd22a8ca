// The ladder as SVG: a stack of sheets, cut between two rows, so that a page may break there and a
// browser need not paint what nobody looks at.
#pragma once

#include <string>

#include "reports/html/scene.hh"

namespace tcplab::html {

/// Names and addresses above the lifelines: stays in sight while the picture scrolls.
std::string picture_head(const Scene& scene);

/// The sheets. Each step is an element with the id "event=N" of the event that it is about.
std::string picture(const ToldRun& told, const Scene& scene);

}  // namespace tcplab::html
