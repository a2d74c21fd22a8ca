#include "reports/html/picture.hh"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "reports/html/bands.hh"
#include "reports/html/draw_step.hh"
#include "reports/html/lanes.hh"
#include "reports/html/markup.hh"
#include "reports/html/rows.hh"

namespace tcplab::html {

namespace {

constexpr double kHead = 44;
constexpr double kListenerWidth = 4;
constexpr double kLetter = 6.4;  // width of a letter of a band's name

struct Sheet {
  double begin = 0;
  double end = 0;
  bool overlaps(double from, double to) const { return to >= begin && from <= end; }
};

/// Returns the left edge of a band. The first connection's band covers the lifeline; others are
/// beside it.
double left_of(const Lifeline& lane, int column) {
  const double outwards = lane.is_leftward ? -1 : 1;
  if (column == kListeners) {
    const double middle = lane.x + outwards * (kBandWidth / 2 + 3 + kListenerWidth / 2);
    return middle - kListenerWidth / 2;
  }
  return lane.x - kBandWidth / 2 + outwards * column * (kBandWidth + 1);
}

std::string lifelines(const Scene& scene, const Sheet& sheet) {
  std::string path;
  for (const Lifeline& lane : scene.lanes)
    path += fmt::format("M{} {}V{}", number(lane.x), number(sheet.begin), number(sheet.end));
  return fmt::format("<path class=\"life\" d=\"{}\"/>", path);
}

/// Returns the longest part of a band that nothing crosses.
Span free_stretch(const PageRun& page, const Scene& scene, double begin, double end) {
  Span longest{begin, begin};
  double from = begin;
  const auto first = std::ranges::lower_bound(scene.places, begin, {}, &StepPlace::top);
  for (auto index = std::size_t(first - scene.places.begin()); index < scene.places.size();
       ++index) {
    const StepPlace& place = scene.places[index];
    if (place.top >= end) break;
    const reports::StepContent& content = page.steps[index].content;
    const bool is_across = std::holds_alternative<reports::Judgement>(content) ||
                           std::holds_alternative<reports::Banner>(content) ||
                           std::holds_alternative<reports::Quiet>(content);
    if (!is_across) continue;
    if (place.top - from > longest.to - longest.from) longest = {from, place.top};
    from = place.top + place.height;
  }
  return end - from > longest.to - longest.from ? Span{from, end} : longest;
}

/// The name of a state, written along its band.
struct Name {
  std::size_t lane = 0;
  int column = 0;
  Span span{};
  std::string markup{};

  bool is_covered_by(const Band& band) const {
    return lane == band.lane && column == band.column && span.from < band.end &&
           span.to > band.begin;
  }
};

/// Returns the name of a band in the sheet's rotated text; empty if there is no room.
Name name_of(const PageRun& page, const Scene& scene, const Band& band, const Sheet& sheet) {
  if (band.column == kListeners) return {};
  const Span free =
      free_stretch(page, scene, std::max(band.begin, sheet.begin), std::min(band.end, sheet.end));
  const std::string_view name = capture::name(band.state);
  const double end = std::round(free.from + 5 + double(name.size()) * kLetter);
  if (free.to < end + 3) return {};
  const double middle = left_of(scene.lanes[band.lane], band.column) + kBandWidth / 2;
  return {
      band.lane, band.column, Span{free.from, end},
      fmt::format("<tspan x=\"{}\" y=\"{}\">{}</tspan>", number(-end), number(middle + 3.6), name)};
}

/// Draws a band. Its first sheet has the whole band; further sheets refer to that one.
std::string draw_band(const Scene& scene, std::size_t index, const Sheet& sheet) {
  const Band& band = scene.bands[index];
  if (band.begin < sheet.begin) return fmt::format("<use href=\"#band={}\"/>", index);
  const double width = band.column == kListeners ? kListenerWidth : kBandWidth;
  const double left = left_of(scene.lanes[band.lane], band.column);
  const std::string id =
      band.end > sheet.end ? fmt::format(" id=\"band={}\"", index) : std::string();
  return fmt::format(
      "<g class=\"band s-{}\"{}><title>{}, {}</title><rect x=\"{}\" y=\"{}\" width=\"{}\" "
      "height=\"{}\"/></g>",
      capture::name(band.state), id, capture::name(band.state), escaped(band.what), number(left),
      number(band.begin), number(width), number(std::max(0.5, band.end - band.begin)));
}

std::string draw_bands(const PageRun& page, const Scene& scene, const Sheet& sheet) {
  std::string out;
  std::vector<Name> names;
  for (std::size_t index = 0; index < scene.bands.size(); ++index) {
    const Band& band = scene.bands[index];
    const bool begins_before = band.begin < sheet.begin;
    if (band.begin >= sheet.end || (begins_before && band.end <= sheet.begin)) continue;
    out += draw_band(scene, index, sheet);
    std::erase_if(names, [&band](const Name& name) { return name.is_covered_by(band); });
    names.push_back(name_of(page, scene, band, sheet));
  }
  std::string text;
  for (const Name& name : names) text += name.markup;
  if (text.empty()) return out;
  return out + "<text class=\"along\" transform=\"rotate(-90)\">" + text + "</text>";
}

std::string draw_darkness(const Scene& scene, const Darkness& darkness, const Sheet& sheet) {
  const Lifeline& lane = scene.lanes[darkness.lane];
  const double begin = std::max(darkness.begin, sheet.begin);
  const double end = std::min(darkness.end, sheet.end);
  std::string out = fmt::format(
      "<g class=\"dark\"><title>{} has no power</title><rect x=\"{}\" y=\"{}\" width=\"{}\" "
      "height=\"{}\"/>",
      escaped(lane.host), number(lane.x - kBandWidth / 2), number(begin), number(kBandWidth),
      number(std::max(1.0, end - begin)));
  if (end - begin > 66)
    out += fmt::format(
        "<text class=\"along\" transform=\"translate({} {}) rotate(-90)\">"
        "no power</text>",
        number(lane.x + 3.6), number(begin + 60));
  return out + "</g>";
}

std::string background(const PageRun& page, const Scene& scene, const Sheet& sheet) {
  std::string out = lifelines(scene, sheet) + draw_bands(page, scene, sheet);
  for (const Darkness& darkness : scene.darknesses)
    if (sheet.overlaps(darkness.begin, darkness.end)) out += draw_darkness(scene, darkness, sheet);
  for (const auto& [frame, hanging] : scene.hangings)
    if (sheet.overlaps(hanging.begin, hanging.end))
      out += fmt::format("<path class=\"hangs\" d=\"M{} {}V{}\"/>", number(hanging.x),
                         number(hanging.begin), number(hanging.end));
  return out;
}

std::vector<Sheet> sheets_of(const Scene& scene) {
  std::vector<Sheet> sheets;
  double begin = 0;
  for (const double cut : scene.cuts) {
    sheets.push_back({begin, cut});
    begin = cut;
  }
  if (begin < scene.height) sheets.push_back({begin, scene.height});
  return sheets;
}

std::string open_sheet(const Scene& scene, const Sheet& sheet) {
  const double height = sheet.end - sheet.begin;
  return fmt::format("<svg class=\"sheet\" viewBox=\"{} {} {} {}\" style=\"--h:{}\">",
                     number(-scene.times), number(sheet.begin), number(scene.times + scene.width),
                     number(height), number(height));
}

}  // namespace

std::string background(const PageRun& page, const Scene& scene) {
  return background(page, scene, Sheet{0, scene.height});
}

std::string definitions(const Scene& scene) {
  return "<defs><marker id=\"tip\" viewBox=\"0 0 9 7\" refX=\"9\" refY=\"3.5\" markerWidth=\"9\" "
         "markerHeight=\"7\" orient=\"auto\" markerUnits=\"userSpaceOnUse\">"
         "<path d=\"M0 0L9 3.5L0 7z\"/></marker>" +
         torn_paper(scene) + "</defs>";
}

std::string picture_head(const Scene& scene) {
  std::string out = fmt::format(
      "<svg class=\"head\" viewBox=\"{} 0 {} {}\" aria-hidden=\"true\">{}", number(-scene.times),
      number(scene.times + scene.width), number(kHead), definitions(scene));
  out += "<text class=\"unit\" y=\"30\">seconds</text>";
  for (const Lifeline& lane : scene.lanes) {
    out += fmt::format(
        "<g class=\"host h{}\"><text class=\"name\" x=\"{}\" y=\"18\">{}</text>"
        "<text class=\"address\" x=\"{}\" y=\"34\">{}</text></g>",
        lane.color, number(lane.x), escaped(lane.host), number(lane.x), escaped(lane.address));
  }
  return out + "</svg>";
}

std::string picture(const PageRun& page, const Scene& scene) {
  const Rows rows(page, scene);
  std::string out = rows.shared();
  std::size_t step = 0;
  for (const Sheet& sheet : sheets_of(scene)) {
    out += open_sheet(scene, sheet) + background(page, scene, sheet);
    for (; step < page.steps.size() && scene.places[step].top < sheet.end; ++step)
      out += rows.markup(step);
    out += "</svg>";
  }
  return out;
}

}  // namespace tcplab::html
