#include "reports/html/bands.hh"

#include <algorithm>
#include <tuple>

#include "reports/text/state_text.hh"

namespace tcplab::html {

namespace {

using capture::State;
using capture::TcpState;

/// Walks through the steps, and keeps the open band of each connection.
class BandBuilder {
public:
  BandBuilder(Scene& scene, const PageRun& page) : scene_(scene), page_(page) {}

  void build() {
    for (std::size_t index = 0; index < page_.steps.size(); ++index) see(index);
    for (const auto& [key, band] : open_) end_band(band, scene_.height);
    for (const auto& [lane, darkness] : dark_) scene_.darknesses[darkness].end = scene_.height;
  }

private:
  using Key = std::tuple<std::size_t, capture::Endpoint, capture::Endpoint>;

  void see(std::size_t index) {
    const reports::Step& step = page_.steps[index];
    const StepPlace& place = scene_.places[index];
    if (const auto* dark = std::get_if<reports::DarkStep>(&step.content))
      darken(scene_.lane_of(dark->host), place.tip);
    if (const auto* up = std::get_if<reports::HostStep>(&step.content))
      brighten(scene_.lane_of(up->host), place.tip);
    for (const std::uint64_t number : step.events) {
      const capture::Event* event = page_.event(number);
      const auto* state = event == nullptr ? nullptr : std::get_if<State>(&event->body);
      if (state != nullptr) change(*state, y_of(step, place, *state));
    }
  }

  /// Returns where a state changes: at the frame's tail for its sender, at its tip for others.
  static double y_of(const reports::Step& step, const StepPlace& place, const State& state) {
    const auto* arrow = std::get_if<reports::Arrow>(&step.content);
    return arrow != nullptr && arrow->from == state.host ? place.tail : place.tip;
  }

  void change(const State& state, double y) {
    const std::size_t lane = scene_.lane_of(state.host);
    if (lane == scene_.lanes.size()) return;
    const Key key{lane, state.local, state.remote};
    int column = reports::is_listener(state) ? kListeners : free_column(lane);
    if (const auto found = open_.find(key); found != open_.end()) {
      column = scene_.bands[found->second].column;
      end_band(found->second, y);
      open_.erase(found);
    }
    if (state.to == TcpState::closed || dark_.contains(lane)) return;
    open_[key] = scene_.bands.size();
    scene_.bands.push_back(
        {lane, column, state.to, y, y, state.local.to_string() + ", " + state.remote.to_string()});
  }

  int free_column(std::size_t lane) const {
    for (int column = 0; column + 1 < kMostColumns; ++column) {
      const bool is_taken = std::ranges::any_of(open_, [&](const auto& each) {
        const Band& band = scene_.bands[each.second];
        return band.lane == lane && band.column == column;
      });
      if (!is_taken) return column;
    }
    return kMostColumns - 1;
  }

  void end_band(std::size_t band, double y) {
    scene_.bands[band].end = std::max(scene_.bands[band].begin, y);
  }

  void darken(std::size_t lane, double y) {
    if (lane == scene_.lanes.size() || dark_.contains(lane)) return;
    std::erase_if(open_, [&](const auto& each) {
      if (std::get<0>(each.first) != lane) return false;
      end_band(each.second, y);
      return true;
    });
    dark_[lane] = scene_.darknesses.size();
    scene_.darknesses.push_back({lane, y, y});
  }

  void brighten(std::size_t lane, double y) {
    const auto found = dark_.find(lane);
    if (found == dark_.end()) return;
    scene_.darknesses[found->second].end = y;
    dark_.erase(found);
  }

  Scene& scene_;
  const PageRun& page_;
  std::map<Key, std::size_t> open_;
  std::map<std::size_t, std::size_t> dark_;
};

}  // namespace

void add_bands(Scene& scene, const PageRun& page) { BandBuilder(scene, page).build(); }

}  // namespace tcplab::html
