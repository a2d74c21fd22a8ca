// The coloured bands: which state each connection of each host was in, from where to where.
#pragma once

#include "reports/html/scene.hh"

namespace tcplab::html {

/// Adds the bands, and the times without power, to a scene whose steps are placed.
void add_bands(Scene& scene, const ToldRun& told);

/// More connections of one host at one time than this lie upon each other.
inline constexpr int kMostColumns = 2;
/// The column of listeners, which are no connections.
inline constexpr int kListeners = -1;

}  // namespace tcplab::html
