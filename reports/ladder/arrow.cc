#include "reports/ladder/arrow.hh"

#include <algorithm>

#include "reports/text/text.hh"

namespace tcplab::reports {

namespace {

using capture::Fate;

// Columns around the label: a dash and a blank on each side, and the tip.
constexpr int kAroundLabel = 5;

std::string label_for(const Arrow& arrow, int room, const Style& style) {
  for (const std::string& label : arrow.labels)
    if (columns(printable(label)) <= room) return printable(label);
  return arrow.labels.empty() ? "" : fit(printable(arrow.labels.back()), std::max(room, 0), style);
}

std::string_view tip_glyph(const Arrow& arrow, bool is_rightward) {
  if (arrow.fate == Fate::lost) return "╳";
  if (arrow.fate == Fate::held || arrow.fate == Fate::delayed) return is_rightward ? "┤" : "├";
  return is_rightward ? "▶" : "◀";
}

std::string_view dash_glyph(const Arrow& arrow) {
  if (arrow.is_flood) return "═";
  return arrow.fate == Fate::forged ? "╌" : "─";
}

Paint dash_paint(const Arrow& arrow) {
  if (arrow.fate == Fate::lost || arrow.fate == Fate::held) return Paint::bad;
  return arrow.paint;
}

bool stops_short(const Arrow& arrow) {
  return arrow.fate == Fate::lost || arrow.fate == Fate::held || arrow.fate == Fate::delayed;
}

}  // namespace

void put_arrow(Row& row, const Arrow& arrow, int tail, int tip, const Style& style) {
  const bool is_rightward = tail < tip;
  const int direction = is_rightward ? 1 : -1;
  int first = tail + direction;
  int last = tip - direction;
  const int length = direction * (last - first) + 1;
  // A forged frame begins away from a lifeline, because no host sent it.
  if (arrow.from.empty() || arrow.fate == Fate::forged) first += direction * length / 5;
  if (stops_short(arrow)) last -= direction * length / 5;
  const int begin = std::min(first, last);
  const int end = std::max(first, last) + 1;

  row.fill(begin, end, dash_glyph(arrow), dash_paint(arrow));
  row.put(last, tip_glyph(arrow, is_rightward), dash_paint(arrow));
  const std::string label = label_for(arrow, end - begin - kAroundLabel, style);
  if (label.empty()) return;
  const int tip_room = is_rightward ? 0 : 1;
  const int from = begin + tip_room + (end - begin - 1 - columns(label) - 2) / 2;
  row.put(from, StyledText(" ").add(label, arrow.paint).add(" "));
}

}  // namespace tcplab::reports
