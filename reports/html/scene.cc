#include "reports/html/scene.hh"

#include <algorithm>

#include "reports/ladder/lane_layout.hh"

namespace tcplab::html {

std::size_t Scene::lane_of(const std::string& host) const {
  return std::size_t(std::ranges::find(lanes, host, &Lifeline::host) - lanes.begin());
}

std::vector<reports::StyledText> lines_of(const Scene& scene, const reports::StateLine& line) {
  const std::size_t lane = scene.lane_of(line.host);
  if (lane == scene.lanes.size()) return {line.text};
  return reports::lines_of(line, int(scene.lanes[lane].room / kCharacter));
}

Span span_of(const Scene& scene, const reports::Arrow& arrow) {
  const std::size_t nobody = scene.lanes.size();
  std::size_t from = scene.lane_of(arrow.from);
  std::size_t to = scene.lane_of(arrow.to);
  const auto other = [nobody](std::size_t lane) { return lane + 1 == nobody ? 0 : lane + 1; };
  if (from == nobody && to == nobody) return {};
  if (from == nobody) from = other(to);
  if (to == nobody || to == from) to = other(from);
  if (to == from) return {scene.lanes[from].x + kBandWidth / 2, scene.width};
  const double inwards = scene.lanes[from].x < scene.lanes[to].x ? 1 : -1;
  return {scene.lanes[from].x + inwards * (kBandWidth / 2 + 1),
          scene.lanes[to].x - inwards * (kBandWidth / 2 + 1)};
}

bool stops_short(capture::Fate fate) {
  return fate != capture::Fate::delivered && fate != capture::Fate::forged;
}

double stop_of(const Span& span) { return span.from + (span.to - span.from) * 0.66; }
double birth_of(const Span& span) { return span.from + (span.to - span.from) * 0.3; }

}  // namespace tcplab::html
