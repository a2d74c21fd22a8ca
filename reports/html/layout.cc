#include "reports/html/layout.hh"

#include <algorithm>

#include "reports/html/bands.hh"
#include "reports/html/words.hh"

namespace tcplab::html {

namespace {

using reports::Step;

constexpr double kTop = 10;
constexpr double kBottom = 18;
constexpr double kFrame = 38;
constexpr double kRemark = 15;
constexpr double kSlope = 13;
constexpr double kBanner = 38;
constexpr double kPauseHeight = 52;
constexpr double kFailure = 74;
constexpr double kSheet = 430;  // the least distance between two page breaks
constexpr std::chrono::milliseconds kDelayed(1);

/// Returns the height of a step.
struct Height {
  double operator()(const reports::HostStep&) const { return 0; }
  double operator()(const reports::DarkStep&) const { return 0; }
  double operator()(const reports::HostLine&) const { return kRow; }
  double operator()(const reports::StateLine&) const { return kRow; }
  double operator()(const reports::Arrow& arrow) const {
    return kFrame + (arrow.remark.empty() ? 0 : kRemark);
  }
  double operator()(const reports::Banner&) const { return kBanner; }
  double operator()(const reports::Judgement& judgement) const {
    return judgement.verdict.passed ? kRow : kFailure;
  }
  double operator()(const reports::Remark&) const { return kRow; }
  double operator()(const reports::Quiet&) const { return kPauseHeight; }
};

/// Returns the additional height for wrapped prose, such as kernel events.
double height_of_prose(const Scene& scene, const Step& step) {
  std::map<std::string, std::size_t> counts;
  bool has_prose = false;
  const auto count = [&](const reports::StateLine& line) {
    counts[line.host] += lines_of(scene, line).size();
    has_prose = has_prose || line.is_prose;
  };
  if (const auto* line = std::get_if<reports::StateLine>(&step.content)) count(*line);
  if (const auto* arrow = std::get_if<reports::Arrow>(&step.content))
    std::ranges::for_each(arrow->states, count);
  if (!has_prose) return 0;
  const auto most =
      std::ranges::max_element(counts, {}, [](const auto& host) { return host.second; });
  return kLine * double(most->second - 1);
}

/// Returns the vertical place of a time, interpolated between the rows that are already placed.
double y_of(const PageRun& page, const std::vector<StepPlace>& places, capture::Instant at) {
  double below = 0;
  bool has_below = false;
  capture::Instant later{};
  for (std::size_t index = places.size(); index-- > 0;) {
    const auto& when = page.steps[index].at;
    if (!when || places[index].height == 0) continue;
    if (*when <= at) {
      if (!has_below || later == *when) return places[index].tip;
      const auto share =
          std::chrono::duration<double>(at - *when) / std::chrono::duration<double>(later - *when);
      return places[index].tip + share * (below - places[index].tip);
    }
    below = places[index].tail;
    later = *when;
    has_below = true;
  }
  return kTop;
}

/// Returns the place of an arrow's tail. A frame that a fault delayed leaves where it was sent. A
/// delay without a reason means a busy machine, and is not drawn.
double tail_of(const PageRun& page, const std::vector<StepPlace>& places, const Step& step,
               double usual) {
  const capture::Packet* packet = page.packet_of(step);
  if (packet == nullptr || packet->effects.empty() || !packet->delivered ||
      *packet->delivered - packet->sent < kDelayed)
    return usual;
  return std::min(usual, y_of(page, places, packet->sent) + 4);
}

void place_steps(Scene& scene, const PageRun& page, const Measures& measures) {
  double y = kTop;
  double sheet = 0;
  for (const Step& step : page.steps) {
    const auto given = measures.heights.find(scene.places.size());
    const double height = given != measures.heights.end()
                              ? given->second
                              : std::visit(Height{}, step.content) + height_of_prose(scene, step);
    StepPlace place{.top = y, .height = height, .tail = y + height / 2, .tip = y + height / 2};
    if (std::holds_alternative<reports::Arrow>(step.content)) {
      place.tip = y + kTailBelowTop + kSlope;
      place.tail = tail_of(page, scene.places, step, y + kTailBelowTop);
    }
    scene.places.push_back(place);
    y += height;
    if (y - sheet < kSheet) continue;
    scene.cuts.push_back(y);
    sheet = y;
  }
  scene.height = y + kBottom;
}

/// Draws held frames as waiting, from the place where they were stopped to their delivery.
void hang_frames(Scene& scene, const PageRun& page) {
  for (std::size_t index = 0; index < page.steps.size(); ++index) {
    const auto* arrow = std::get_if<reports::Arrow>(&page.steps[index].content);
    const capture::Packet* packet = page.packet_of(page.steps[index]);
    if (arrow == nullptr || packet == nullptr || packet->frame == 0) continue;
    StepPlace& place = scene.places[index];
    if (stops_short(packet->fate) && packet->fate != capture::Fate::lost) {
      const double x = stop_of(span_of(scene, *arrow));
      scene.hangings[packet->frame] = {x, place.tip, scene.height};
    } else if (const auto found = scene.hangings.find(packet->frame);
               found != scene.hangings.end()) {
      place.tail = place.tip - kSlope;
      found->second.end = place.tip - kSlope / 2;
    }
  }
}

/// Returns the width that the longest number and time need: "27 7200.005000", the last three digits
/// in small type (report.css). The units are those of the picture.
double width_of_times(const PageRun& page) {
  constexpr double kNumberDigit = 6.4;
  constexpr double kDigit = 6.7;
  constexpr double kSmallDigits = 3 * 5.5;
  constexpr double kGaps = 16;
  double widest = kTimes;
  for (std::size_t index = 0; index < page.steps.size(); ++index) {
    const std::size_t time = time_of(page, page.steps[index]).size();
    if (time < 4) continue;
    const auto digits = double(std::to_string(index + 1).size());
    widest =
        std::max(widest, kGaps + digits * kNumberDigit + double(time - 3) * kDigit + kSmallDigits);
  }
  return widest;
}

}  // namespace

Scene lay_out(const PageRun& page, const Measures& measures) {
  Standing standing = stand(page, measures);
  Scene scene{
      .width = standing.width, .times = width_of_times(page), .lanes = std::move(standing.lanes)};
  place_steps(scene, page, measures);
  hang_frames(scene, page);
  add_bands(scene, page);
  return scene;
}

}  // namespace tcplab::html
