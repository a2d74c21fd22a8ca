// Draws the ladder as SVG: a stack of sheets. A printed page may break between sheets, and a
// browser paints only the visible ones.
#pragma once

#include <string>

#include "reports/html/scene.hh"

namespace tcplab::html {

/// Returns what is behind the steps: lifelines, bands of states, hosts without power, held frames.
std::string background(const PageRun& page, const Scene& scene);

/// Returns the shapes that steps refer to.
std::string definitions(const Scene& scene);

/// Returns the names and addresses above the lifelines, which stay visible while the page scrolls.
std::string picture_head(const Scene& scene);

/// Returns the sheets. Each step is an element with the id "event=N" of its main event.
std::string picture(const PageRun& page, const Scene& scene);

}  // namespace tcplab::html
