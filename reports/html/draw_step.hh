// One step of the ladder as SVG: what it is about, in its place, with its words for those who do
// not see it.
#pragma once

#include <string>

#include "reports/html/scene.hh"

namespace tcplab::html {

/// Around its own beginning: its place is not in it.
struct DrawnStep {
  std::string address{};  // attribute: its event's
  std::string shapes{};   // and its words; empty where it is only seen in the background
  double baseline = 0;    // of its text
  std::string time{};
  std::string text{};
};

DrawnStep draw_step(const ToldRun& told, const Scene& scene, std::size_t index);

/// Two ragged edges with a gap between them: what the steps use where nothing happened.
std::string torn_paper(const Scene& scene);

}  // namespace tcplab::html
