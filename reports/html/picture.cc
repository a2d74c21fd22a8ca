#include "reports/html/picture.hh"

#include <algorithm>
#include <fmt/format.h>

#include "reports/html/bands.hh"
#include "reports/html/draw_step.hh"
#include "reports/html/markup.hh"

namespace tcplab::html {

namespace {

constexpr double kHead = 44;
constexpr double kListenerWidth = 4;
constexpr double kLetter = 6.4;  // of a band's name, along the band

struct Sheet {
  double begin = 0;
  double end = 0;
  bool overlaps(double from, double to) const { return to >= begin && from <= end; }
};

/// The left edge: the first connection's band is the lifeline, the next ones stand outside of it.
double left_of(const Lane& lane, int column) {
  const double outwards = lane.is_leftward ? -1 : 1;
  if (column == kListeners) {
    const double middle = lane.x + outwards * (kBandWidth / 2 + 3 + kListenerWidth / 2);
    return middle - kListenerWidth / 2;
  }
  return lane.x - kBandWidth / 2 + outwards * column * (kBandWidth + 1);
}

std::string lifeline(const Lane& lane, const Sheet& sheet) {
  return fmt::format("<path class=\"life\" d=\"M{} {}V{}\"/>", number(lane.x), number(sheet.begin),
                     number(sheet.end));
}

/// The longest stretch of a band that nothing is drawn across.
Span free_stretch(const ToldRun& told, const Scene& scene, double begin, double end) {
  Span longest{begin, begin};
  double from = begin;
  const auto first = std::ranges::lower_bound(scene.places, begin, {}, &Place::top);
  for (auto index = std::size_t(first - scene.places.begin()); index < scene.places.size();
       ++index) {
    const Place& place = scene.places[index];
    if (place.top >= end) break;
    const reports::Deed& deed = told.steps[index].deed;
    const bool is_across = std::holds_alternative<reports::Judgement>(deed) ||
                           std::holds_alternative<reports::Banner>(deed) ||
                           std::holds_alternative<reports::Quiet>(deed);
    if (!is_across) continue;
    if (place.top - from > longest.to - longest.from) longest = {from, place.top};
    from = place.top + place.height;
  }
  return end - from > longest.to - longest.from ? Span{from, end} : longest;
}

/// The state's name along the band, in each sheet that has room for it.
std::string band_name(const Band& band, double middle, double begin, double end) {
  const std::string_view name = capture::name(band.state);
  if (end - begin < double(name.size()) * kLetter + 8) return "";
  const double x = middle + 3.6;
  const double y = begin + 5 + double(name.size()) * kLetter;
  return fmt::format("<text class=\"along\" transform=\"translate({} {}) rotate(-90)\">{}</text>",
                     number(x), number(y), name);
}

std::string draw_band(const ToldRun& told, const Scene& scene, const Band& band,
                      const Sheet& sheet) {
  const double begin = std::max(band.begin, sheet.begin);
  const double end = std::min(band.end, sheet.end);
  const bool is_listener = band.column == kListeners;
  const double width = is_listener ? kListenerWidth : kBandWidth;
  const double left = left_of(scene.lanes[band.lane], band.column);
  std::string out = fmt::format(
      "<g class=\"band s-{}\"><title>{}, {}</title><rect x=\"{}\" y=\"{}\" width=\"{}\" "
      "height=\"{}\"/>",
      capture::name(band.state), capture::name(band.state), escaped(band.what), number(left),
      number(begin), number(width), number(std::max(0.5, end - begin)));
  const Span free = free_stretch(told, scene, begin, end);
  if (!is_listener) out += band_name(band, left + width / 2, free.from, free.to);
  return out + "</g>";
}

std::string draw_darkness(const Scene& scene, const Darkness& darkness, const Sheet& sheet) {
  const Lane& lane = scene.lanes[darkness.lane];
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

std::string background(const ToldRun& told, const Scene& scene, const Sheet& sheet) {
  std::string out;
  for (const Lane& lane : scene.lanes) out += lifeline(lane, sheet);
  for (const Band& band : scene.bands)
    if (sheet.overlaps(band.begin, band.end)) out += draw_band(told, scene, band, sheet);
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
  return fmt::format(
      "<svg class=\"sheet\" viewBox=\"0 {} {} {}\" style=\"--h:{}\" role=\"list\" "
      "aria-label=\"The ladder\">",
      number(sheet.begin), number(scene.width), number(height), number(height));
}

}  // namespace

std::string picture_head(const Scene& scene) {
  std::string out = fmt::format("<svg class=\"head\" viewBox=\"0 0 {} {}\" aria-hidden=\"true\">",
                                number(scene.width), number(kHead));
  out += "<text class=\"unit\" x=\"64\" y=\"30\">seconds</text>";
  for (std::size_t index = 0; index < scene.lanes.size(); ++index) {
    const Lane& lane = scene.lanes[index];
    out += fmt::format(
        "<g class=\"host h{}\"><text class=\"name\" x=\"{}\" y=\"18\">{}</text>"
        "<text class=\"address\" x=\"{}\" y=\"34\">{}</text></g>",
        index % 4, number(lane.x), escaped(lane.host), number(lane.x), escaped(lane.address));
  }
  return out + "</svg>";
}

std::string picture(const ToldRun& told, const Scene& scene) {
  std::string out;
  std::size_t step = 0;
  for (const Sheet& sheet : sheets_of(scene)) {
    out += open_sheet(scene, sheet) + background(told, scene, sheet);
    for (; step < told.steps.size() && scene.places[step].top < sheet.end; ++step)
      out += draw_step(told, scene, step);
    out += "</svg>";
  }
  return out;
}

}  // namespace tcplab::html
