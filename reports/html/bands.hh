// The coloured bands along the lifelines, which show the state of each connection.
#pragma once

#include "reports/html/scene.hh"

namespace tcplab::html {

/// Adds the bands, and the times without power, to a scene. Its steps must be placed already.
void add_bands(Scene& scene, const PageRun& page);

/// The most bands side by side on one host. Further ones overlap.
inline constexpr int kMostColumns = 2;
/// The column of listeners.
inline constexpr int kListeners = -1;

}  // namespace tcplab::html
