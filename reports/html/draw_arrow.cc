#include "reports/html/draw_arrow.hh"

#include <cmath>
#include <fmt/format.h>
#include <numbers>

#include "capture/event_words.hh"
#include "reports/html/markup.hh"
#include "reports/text.hh"

namespace tcplab::html {

namespace {

using capture::Fate;
using capture::Packet;

constexpr reports::Style kStyle{};
constexpr double kTipLength = 9;
constexpr double kAroundLabel = 34;
constexpr double kSteep = 20;  // degrees: a label does not lean more than its reader's head
constexpr double kStateBaseline = 4;

struct Point {
  double x = 0;
  double y = 0;
};

struct Line {
  Point from;
  Point to;

  double angle() const { return std::atan2(to.y - from.y, to.x - from.x); }
  Point at(double share) const {
    return {from.x + share * (to.x - from.x), from.y + share * (to.y - from.y)};
  }
};

std::string move(const Point& point) { return number(point.x) + " " + number(point.y); }

std::string tip(const Line& line, Fate fate) {
  const double x = line.to.x;
  const double y = line.to.y;
  if (fate == Fate::lost)
    return fmt::format("<path class=\"lostmark\" d=\"M{} {}l10 10m0 -10l-10 10\"/>", number(x - 5),
                       number(y - 5));
  if (stops_short(fate))
    return fmt::format("<path class=\"heldmark\" d=\"M{} {}v16\"/>", number(x), number(y - 8));
  const double back = line.angle() + std::numbers::pi;
  const auto barb = [&](double turn) {
    return Point{x + kTipLength * std::cos(back + turn), y + kTipLength * std::sin(back + turn)};
  };
  return fmt::format("<path class=\"tip\" d=\"M{}L{}L{}z\"/>", move(line.to), move(barb(0.38)),
                     move(barb(-0.38)));
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
  const Point middle = line.at(share);
  double lean = line.angle() * 180 / std::numbers::pi;
  if (lean > 90) lean -= 180;
  if (lean < -90) lean += 180;
  if (std::abs(lean) > kSteep) lean = 0;
  return fmt::format(
      "<text class=\"{}\" transform=\"translate({} {}) rotate({})\" y=\"{}\">{}"
      "</text>",
      kind, number(middle.x), number(middle.y), number(lean), number(above), escaped(text));
}

const Packet* packet_of(const ToldRun& told, const reports::Step& step) {
  const capture::Event* event = told.first_event(step);
  return event == nullptr ? nullptr : std::get_if<Packet>(&event->body);
}

bool says(const Packet* packet, std::string_view word) {
  return packet != nullptr && packet->why.find(word) != std::string::npos;
}

/// Of what kind it is, for the style sheet.
std::string classes(const reports::Arrow& arrow, const Packet* packet) {
  std::string names = "frame";
  if (arrow.is_flood) names += " flood";
  if (arrow.fate != Fate::delivered) names += fmt::format(" {}", capture::word(arrow.fate));
  if (arrow.fate != Fate::forged && arrow.from.empty()) names += " forged";
  if (says(packet, "duplicate")) names += " duplicate";
  if (says(packet, "corrupt") || says(packet, "truncat")) names += " damaged";
  const bool went_on = arrow.fate == Fate::delivered;
  if (went_on && (says(packet, "delay") || says(packet, "reorder"))) names += " delayed";
  if (packet != nullptr && packet->flags.find('R') != std::string::npos) names += " reset";
  if (packet != nullptr && packet->protocol != "TCP") names += " other";
  return names;
}

Line line_of(const Scene& scene, const reports::Arrow& arrow, const Place& place,
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

/// The states that its ends came to, outside of their lines.
std::string state_marks(const Scene& scene, const Place& place, const reports::Arrow& arrow) {
  std::string out;
  std::map<std::string, int> rows;
  for (const reports::StateLine& state : arrow.states) {
    const std::size_t index = scene.lane_of(state.host);
    if (index == scene.lanes.size()) continue;
    const Lane& lane = scene.lanes[index];
    const double y = (state.host == arrow.from ? place.tail : place.tip) + 13.0 * rows[state.host];
    ++rows[state.host];
    out +=
        fmt::format("<text class=\"reached{}\" x=\"{}\" y=\"{}\">{}</text>",
                    lane.is_leftward ? " left" : "", number(lane.outer), number(y + kStateBaseline),
                    painted_spans(state.text.fitted(int(lane.room / kCharacter), kStyle)));
  }
  return out;
}

std::string reason(const reports::Arrow& arrow, const Packet* packet) {
  if (!arrow.remark.empty()) return arrow.remark.text();
  return packet == nullptr ? "" : packet->why;
}

}  // namespace

std::string draw_arrow(const ToldRun& told, const Scene& scene, const reports::Step& step,
                       const Place& place, const reports::Arrow& arrow) {
  const Packet* packet = packet_of(told, step);
  const Line line = line_of(scene, arrow, place, packet);
  const double length = std::hypot(line.to.x - line.from.x, line.to.y - line.from.y);
  const bool is_long_way = place.tip - place.tail > 40;
  const double share = is_long_way ? 0.72 : 0.5;
  std::string out = fmt::format("<g class=\"{}\">", classes(arrow, packet));
  out += fmt::format("<path class=\"shaft\" d=\"M{}L{}\"/>", move(line.from), move(line.to));
  out += tip(line, arrow.fate);
  const std::string label = label_for(arrow, length - (length < 150 ? 4 : kAroundLabel));
  if (!label.empty()) out += text_along(line, "label", label, -5, share);
  const std::string why = reason(arrow, packet);
  if (!why.empty())
    out += text_along(line, "why", reports::fit(reports::printable(why), 44, kStyle), 14, share);
  return out + "</g>" + state_marks(scene, place, arrow);
}

}  // namespace tcplab::html
