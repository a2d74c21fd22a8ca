#include "reports/html/lanes.hh"

#include <algorithm>
#include <optional>
#include <set>

namespace tcplab::html {

namespace {

using Neighbours = std::map<std::string, std::set<std::string>>;

constexpr double kBeside = 26;  // from the lifeline to the text, with the bands in between
constexpr double kMargin = 12;

void add_host(std::vector<Lifeline>& lanes, const std::string& host, const std::string& address) {
  if (host.empty()) return;
  const auto found = std::ranges::find(lanes, host, &Lifeline::host);
  if (found == lanes.end()) {
    lanes.push_back({.host = host, .address = address});
  } else if (found->address.empty()) {
    found->address = address;
  }
}

/// Returns the hosts in the order in which they started, then hosts that only appear in frames.
std::vector<Lifeline> hosts_of(const PageRun& page) {
  std::vector<Lifeline> lanes;
  for (const reports::Step& step : page.steps)
    if (const auto* up = std::get_if<reports::HostStep>(&step.content))
      add_host(lanes, up->host, up->address);
  for (const reports::Step& step : page.steps) {
    if (const auto* line = std::get_if<reports::HostLine>(&step.content))
      add_host(lanes, line->host, "");
    if (const auto* line = std::get_if<reports::StateLine>(&step.content))
      add_host(lanes, line->host, "");
    if (const auto* arrow = std::get_if<reports::Arrow>(&step.content)) {
      add_host(lanes, arrow->from, "");
      add_host(lanes, arrow->to, "");
    }
  }
  return lanes;
}

Neighbours neighbours_of(const PageRun& page) {
  Neighbours neighbours;
  for (const reports::Step& step : page.steps) {
    const auto* arrow = std::get_if<reports::Arrow>(&step.content);
    if (arrow == nullptr || arrow->from.empty() || arrow->to.empty()) continue;
    if (arrow->from == arrow->to) continue;
    neighbours[arrow->from].insert(arrow->to);
    neighbours[arrow->to].insert(arrow->from);
  }
  return neighbours;
}

/// Sorts the hosts by their path (client, router, server), if they form one.
void order_by_path(std::vector<Lifeline>& lanes, const Neighbours& neighbours) {
  if (lanes.size() < 3) return;
  const auto begin = std::ranges::find_if(lanes, [&](const Lifeline& lane) {
    const auto found = neighbours.find(lane.host);
    return found != neighbours.end() && found->second.size() == 1;
  });
  if (begin == lanes.end()) return;
  std::vector<std::string> path = {begin->host};
  while (path.size() < lanes.size()) {
    const auto next = std::ranges::find_if(neighbours.at(path.back()), [&](const auto& host) {
      return std::ranges::find(path, host) == path.end();
    });
    if (next == neighbours.at(path.back()).end()) return;
    path.push_back(*next);
  }
  std::ranges::sort(lanes, {}, [&path](const Lifeline& lane) {
    return std::ranges::find(path, lane.host) - path.begin();
  });
}

/// Returns the colour of a client or server by one of the usual names: the same on all pages.
std::optional<int> usual_color(const std::string& host) {
  if (host == "kang" || host == "client") return 0;
  if (host == "kodos" || host == "server") return 1;
  return std::nullopt;
}

/// Colours the ends of a path first; the hosts between them share the other colours.
void color_lanes(std::vector<Lifeline>& lanes) {
  std::set<int> taken;
  for (const Lifeline& lane : lanes)
    if (const std::optional<int> usual = usual_color(lane.host)) taken.insert(*usual);
  int others = 0;
  for (Lifeline& lane : lanes) {
    const std::optional<int> usual = usual_color(lane.host);
    const int of_end = &lane == &lanes.front() ? 0 : 1;
    const bool is_end = &lane == &lanes.front() || &lane == &lanes.back();
    if (usual)
      lane.color = *usual;
    else if (is_end && taken.insert(of_end).second)
      lane.color = of_end;
    else
      lane.color = 2 + others++ % 2;
  }
}

bool does_something(const PageRun& page, const std::string& host) {
  return std::ranges::any_of(page.steps, [&host](const reports::Step& step) {
    const auto* line = std::get_if<reports::HostLine>(&step.content);
    const auto* state = std::get_if<reports::StateLine>(&step.content);
    return (line != nullptr && line->host == host) || (state != nullptr && state->host == host);
  });
}

/// Returns the distance from this host to the next one.
double wire_after(const PageRun& page, const std::vector<Lifeline>& lanes, std::size_t index,
                  const Measures& measures) {
  if (lanes.size() <= 2) return measures.wire;
  const bool has_texts = index > 0 && does_something(page, lanes[index].host);
  return has_texts ? measures.long_wire : measures.bare_wire;
}

}  // namespace

Standing stand(const PageRun& page, const Measures& measures) {
  Standing standing{.lanes = hosts_of(page)};
  order_by_path(standing.lanes, neighbours_of(page));
  color_lanes(standing.lanes);
  double x = kLeft + measures.text + kBeside;
  for (std::size_t index = 0; index < standing.lanes.size(); ++index) {
    Lifeline& lane = standing.lanes[index];
    const bool is_first = index == 0;
    const bool is_last = index + 1 == standing.lanes.size();
    const double wire = wire_after(page, standing.lanes, index, measures);
    lane.x = x;
    lane.is_leftward = is_first;
    lane.outer = x + (is_first ? -kBeside : kBeside);
    lane.room = is_first || is_last ? measures.text : wire - 2 * kBeside;
    if (!is_last) x += wire;
  }
  standing.width = x + kBeside + measures.text + kMargin;
  return standing;
}

}  // namespace tcplab::html
