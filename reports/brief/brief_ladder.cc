#include "reports/brief/brief_ladder.hh"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "reports/html/draw_step.hh"
#include "reports/html/drawn.hh"
#include "reports/html/layout.hh"
#include "reports/html/markup.hh"
#include "reports/html/words.hh"
#include "reports/text/text.hh"

namespace tcplab::reports {

namespace {

using html::escaped;
using html::number;

constexpr double kGapLine = 15;
constexpr double kGapAround = 14;
constexpr double kAroundWords = 40;
constexpr double kSans = 6.6;  // width of a character in 12 px sans serif, rounded up

double height_of(const std::vector<std::string>& lines) {
  return double(lines.size()) * kGapLine + kGapAround;
}

/// Where the words of a gap stand: between the outer hosts, but beside the texts of the others.
html::Span room_of(const html::Scene& scene, const Gap& gap) {
  if (scene.lanes.size() < 2) return {html::kLeft, scene.width};
  const bool is_free = std::ranges::all_of(gap.states, [&scene](const StateLine& state) {
    return state.host == scene.lanes.front().host || state.host == scene.lanes.back().host;
  });
  return {scene.lanes.front().x, is_free ? scene.lanes.back().x : scene.lanes[1].x};
}

}  // namespace

std::string text_at(std::string_view kind, double x, double y, std::string_view markup) {
  return fmt::format("<text class=\"{}\" x=\"{}\" y=\"{}\">{}</text>\n", kind, number(x), number(y),
                     markup);
}

BriefLadder::BriefLadder(const Brief& brief, const html::Measures& sizes)
    : brief_(brief), scene_(html::lay_out(brief.page, with_gaps(sizes))) {}

/// Wraps the texts of the gaps, and adds the heights of their rows.
html::Measures BriefLadder::with_gaps(html::Measures sizes) {
  // The room for texts is known before the steps have places.
  html::Standing standing = html::stand(brief_.page, sizes);
  const html::Scene wide{.width = standing.width, .lanes = std::move(standing.lanes)};
  for (const auto& [index, gap] : brief_.gaps) {
    const html::Span room = room_of(wide, gap);
    gaps_[index] = wrap("⋯ " + gap.text, int((room.to - room.from - kAroundWords) / kSans));
    sizes.heights[index] = height_of(gaps_[index]);
  }
  return sizes;
}

std::string BriefLadder::words(std::size_t index) const {
  const auto gap = brief_.gaps.find(index);
  if (gap == brief_.gaps.end()) return html::words_of(brief_.page, brief_.page.steps[index]);
  std::string text = "Left out: " + gap->second.text;
  for (const StateLine& state : gap->second.states)
    text += ". " + state.host + ": " + state.text.text();
  return text;
}

std::string BriefLadder::row(std::size_t index, std::string_view kind) const {
  const html::StepPlace& place = scene_.places[index];
  if (place.height == 0) return "";
  const std::string begin =
      fmt::format("<g class=\"step{}\" transform=\"translate(0 {})\">", kind, number(place.top));
  if (const auto gap = brief_.gaps.find(index); gap != brief_.gaps.end())
    return begin + draw_gap(gaps_.at(index), gap->second, place.top) + "</g>\n";
  const html::DrawnStep drawn = html::draw_step(brief_.page, scene_, index);
  const auto& at = brief_.page.steps[index].at;
  std::string text;
  if (at && brief_.page.start)
    text += text_at("time", 0, drawn.baseline,
                    fmt::format("{:.3f} s", base::in_seconds(*at - *brief_.page.start)));
  if (!drawn.text.empty())
    text += fmt::format("<text y=\"{}\">{}</text>", number(drawn.baseline), drawn.text);
  return begin + drawn.shapes + text + "</g>\n";
}

/// Whether a band covers the lifeline in a row.
bool BriefLadder::has_state(const std::string& host, double top, double height) const {
  return std::ranges::any_of(scene_.bands, [&](const html::Band& band) {
    return scene_.lanes[band.lane].host == host && band.column == 0 && band.begin < top + height &&
           band.end > top;
  });
}

std::string BriefLadder::draw_gap(const std::vector<std::string>& lines, const Gap& gap,
                                  double top) const {
  const double height = height_of(lines);
  std::string out;
  for (const html::Lifeline& lane : scene_.lanes)
    if (!has_state(lane.host, top, height))
      out +=
          fmt::format("<path class=\"cut\" d=\"M{} 6V{}\"/>", number(lane.x), number(height - 4));
  const html::Span room = room_of(scene_, gap);
  const double middle = (room.from + room.to) / 2;
  double y = (height - double(lines.size() - 1) * kGapLine) / 2 + 4;
  for (const std::string& line : lines) {
    out += text_at("gap", middle, y, escaped(line));
    y += kGapLine;
  }
  for (const StateLine& state : gap.states)
    if (const std::size_t lane = scene_.lane_of(state.host); lane != scene_.lanes.size())
      out += fmt::format("<text y=\"{}\">{}</text>", number(height / 2 + 4),
                         html::beside(scene_.lanes[lane], state.text));
  return out;
}

}  // namespace tcplab::reports
