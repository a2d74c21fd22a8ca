#include "reports/html/draw_arrow.hh"

#include <cmath>
#include <fmt/format.h>
#include <numbers>

#include "capture/event/event_words.hh"
#include "reports/html/markup.hh"
#include "reports/text/effect_text.hh"
#include "reports/text/text.hh"

namespace tcplab::html {

namespace {

using capture::EffectKind;
using capture::Fate;
using capture::Packet;

constexpr double kAroundLabel = 34;
constexpr double kReasonCharacter = 5.8;  // how wide one is of a reason's 11 px
constexpr double kSteep = 20;  // degrees: a label does not lean more than its reader's head
constexpr double kStateBaseline = 4;
constexpr double kDegrees = 180 / std::numbers::pi;

struct Point {
  double x = 0;
  double y = 0;
};

struct Line {
  Point from;
  Point to;

  double length() const { return std::hypot(to.x - from.x, to.y - from.y); }
  bool is_leftward() const { return to.x < from.x; }
  /// Degrees, of what is read from left to right.
  double lean() const {
    const double sign = is_leftward() ? -1 : 1;
    return std::atan2(sign * (to.y - from.y), sign * (to.x - from.x)) * kDegrees;
  }
  Point at(double share) const {
    return {from.x + share * (to.x - from.x), from.y + share * (to.y - from.y)};
  }
  /// The place of a share, along the line from its middle, to the right.
  double along(double share) const {
    return (is_leftward() ? 0.5 - share : share - 0.5) * length();
  }
};

/// What a frame that does not arrive ends in; the style sheet gives the others their tip.
std::string end_mark(double x, Fate fate) {
  if (fate == Fate::lost)
    return fmt::format("<path class=\"lostmark\" d=\"M{} -5l10 10m0 -10l-10 10\"/>", number(x - 5));
  if (stops_short(fate))
    return fmt::format("<path class=\"heldmark\" d=\"M{} -8v16\"/>", number(x));
  return "";
}

std::string label_for(const reports::Arrow& arrow, double room) {
  const int columns = std::max(4, int(room / kCharacter));
  for (const std::string& label : arrow.labels)
    if (reports::columns(reports::printable(label)) <= columns) return label;
  return arrow.labels.empty() ? "" : reports::fit(arrow.labels.back(), columns, kStyle);
}

/// Along the line where it lies flat; upright beside a steep one.
std::string text_along(const Line& line, std::string_view kind, const std::string& text,
                       double above, double share) {
  const double lean = line.lean();
  const double x = line.along(share);
  std::string place;
  if (std::abs(lean) > kSteep)
    place = fmt::format(" transform=\"translate({}) rotate({})\"", number(x), number(-lean));
  else if (x != 0)
    place = fmt::format(" x=\"{}\"", number(x));
  return fmt::format("<text{}{} y=\"{}\">{}</text>", kind, place, number(above), escaped(text));
}

bool has(const Packet* packet, capture::EffectKind kind) {
  return packet != nullptr && capture::has_effect(*packet, kind);
}

/// Of what kind it is, for the style sheet.
std::string classes(const reports::Arrow& arrow, const Packet* packet) {
  std::string names = "frame";
  if (arrow.is_flood) names += " flood";
  if (arrow.fate != Fate::delivered) names += fmt::format(" {}", capture::word(arrow.fate));
  if (arrow.fate != Fate::forged && arrow.from.empty()) names += " forged";
  if (has(packet, EffectKind::duplicated) || has(packet, EffectKind::copied)) names += " duplicate";
  if (packet != nullptr && capture::is_altered(*packet)) names += " damaged";
  const bool is_late = has(packet, EffectKind::delayed) || has(packet, EffectKind::reordered);
  if (arrow.fate == Fate::delivered && is_late) names += " delayed";
  if (packet != nullptr && packet->flags.find('R') != std::string::npos) names += " reset";
  if (packet != nullptr && packet->protocol != "TCP") names += " other";
  return names;
}

Line line_of(const Scene& scene, const reports::Arrow& arrow, const StepPlace& place,
             const Packet* packet) {
  const Span span = span_of(scene, arrow);
  Line line{{span.from, place.tail}, {span.to, place.tip}};
  const bool stops = stops_short(arrow.fate);
  if (stops) line.to = {stop_of(span), place.tail + (place.tip - place.tail) * 0.66};
  if (arrow.fate == Fate::forged || arrow.from.empty())
    line.from = line.at(0.3);
  else if (packet != nullptr && !stops && scene.hangings.contains(packet->frame))
    line.from = {stop_of(span), (place.tail + place.tip) / 2};
  return line;
}

/// The states that its ends came to, outside of their lines, and in its own height: above it are
/// other rows.
std::string state_marks(const Scene& scene, const StepPlace& place, const reports::Arrow& arrow) {
  std::string out;
  std::map<std::string, int> rows;
  for (const reports::StateLine& state : arrow.states) {
    const std::size_t index = scene.lane_of(state.host);
    if (index == scene.lanes.size()) continue;
    const Lifeline& lane = scene.lanes[index];
    const double own_tail = std::max(place.tail, place.top + kTailBelowTop);
    const double top = state.host == arrow.from ? own_tail : place.tip;
    for (const reports::StyledText& text : lines_of(scene, state))
      out += beside(lane, text, top + kLine * rows[state.host]++ + kStateBaseline);
  }
  return out;
}

std::string reason(const reports::Arrow& arrow, const Packet* packet) {
  if (!arrow.remark.empty()) return arrow.remark.text();
  return packet == nullptr ? "" : reports::effects_text(*packet);
}

}  // namespace

Drawn draw_arrow(const PageRun& page, const Scene& scene, const reports::Step& step,
                 const StepPlace& place, const reports::Arrow& arrow) {
  const Packet* packet = page.packet_of(step);
  const Line line = line_of(scene, arrow, place, packet);
  const bool is_long_way = place.tip - place.tail > 40;
  const double share = is_long_way ? 0.72 : 0.5;
  const double length = line.length();
  const Point middle = line.at(0.5);
  // All of it lies in the frame's own direction, from its middle.
  std::string out = fmt::format(
      "<g class=\"{}\" transform=\"translate({} {}) rotate({})\"><path d=\"M{} 0H{}\"/>",
      classes(arrow, packet), number(middle.x), number(middle.y), number(line.lean()),
      number(line.along(0)), number(line.along(1)));
  out += end_mark(line.along(1), arrow.fate);
  const std::string label = label_for(arrow, length - (length < 150 ? 4 : kAroundLabel));
  if (!label.empty()) out += text_along(line, "", label, -5, share);
  const std::string why = reason(arrow, packet);
  if (!why.empty()) {
    const double room = 2 * std::min(share, 1 - share) * std::abs(line.to.x - line.from.x) - 16;
    const int columns = std::max(12, int(room / kReasonCharacter));
    out += text_along(line, " class=\"why\"",
                      reports::fit(reports::printable(why), columns, kStyle), 14, share);
  }
  return {.shapes = out + "</g>", .text = state_marks(scene, place, arrow)};
}

}  // namespace tcplab::html
