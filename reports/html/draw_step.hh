// Draws one step of the ladder as SVG, with a title for screen readers and tooltips.
#pragma once

#include <string>

#include "reports/html/scene.hh"

namespace tcplab::html {

/// A step drawn at the origin; the caller moves it to its place.
struct DrawnStep {
  std::string address{};  // the id attribute, from its event
  std::string shapes{};   // with the title; empty if the step shows only in the background
  double baseline = 0;    // of the text
  std::string time{};
  std::string text{};
};

DrawnStep draw_step(const PageRun& page, const Scene& scene, std::size_t index);

/// Returns the shape for a time in which nothing happens: two ragged edges with a gap.
std::string torn_paper(const Scene& scene);

}  // namespace tcplab::html
