#include "reports/ladder/lane_layout.hh"

#include <algorithm>
#include <fmt/format.h>

#include "reports/text/text.hh"

namespace tcplab::reports {

namespace {

// In a narrower window most texts would be cut, so a list is used instead.
constexpr int kNarrowest = 72;
constexpr int kNarrowestLane = 24;
constexpr int kShortTimes = 90;
// Enough for "connect(3, kodos:8080) …", "… poll() = 1 IN|ERR|HUP", and the arrow
// "data 22 seq 1 ack 1". Further columns are shared.
constexpr int kUsualText = 28;
constexpr int kUsualWire = 28;
constexpr int kNarrowestWire = 20;

/// Lays out two hosts: text, lifeline, wire, lifeline, text.
void lay_out_pair(std::vector<Lane>& lanes, int left, int width) {
  const int room = width - left - 4;  // without two lifelines and a blank beside each
  const int usual = room - 2 * kUsualText;
  const int wire =
      usual <= kUsualWire ? std::max(usual, kNarrowestWire) : kUsualWire + (usual - kUsualWire) / 4;
  const int text = (room - wire) / 2;
  Lane& first = lanes[0];
  first.begin = left;
  first.end = left + text;
  first.line = first.end + 1;
  first.is_mirrored = true;
  Lane& second = lanes[1];
  second.line = first.line + wire + 1;
  second.begin = second.line + 2;
  second.end = width;
  second.is_mirrored = false;
}

}  // namespace

TimeColumn time_column(const Style& style) {
  return style.width < kShortTimes ? TimeColumn{8, 4} : TimeColumn{10, 6};
}

std::string time_text(capture::Instant at, capture::Instant start, int decimals) {
  return fmt::format("{:.{}f}", base::in_seconds(at - start), decimals);
}

std::string time_text(capture::Instant at, capture::Instant start, const TimeColumn& column) {
  const auto width = static_cast<std::size_t>(column.width);
  std::string text = time_text(at, start, column.decimals);
  for (int decimals = column.decimals; text.size() > width && decimals > 0;)
    text = time_text(at, start, --decimals);
  return text;
}

std::vector<StyledText> lines_of(const StateLine& line, int width) {
  if (!line.is_prose || line.text.columns() <= width || line.text.empty()) return {line.text};
  std::vector<StyledText> lines;
  for (const std::string& part : wrap(line.text.text(), width))
    lines.emplace_back(part, line.text.pieces().front().paint);
  return lines;
}

bool lanes_fit(std::size_t hosts, const Style& style) {
  if (hosts <= 2) return style.width >= kNarrowest;
  return (style.width - time_column(style).width) / int(hosts) >= kNarrowestLane;
}

void lay_out(std::vector<Lane>& lanes, const Style& style) {
  const int left = time_column(style).width + 2;
  if (lanes.size() == 2) {
    lay_out_pair(lanes, left, style.width);
    return;
  }
  int line = left;
  const int width = (style.width - left) / int(std::max<std::size_t>(lanes.size(), 1));
  for (Lane& lane : lanes) {
    lane.line = line;
    lane.begin = line + 2;
    lane.end = line + width;
    lane.is_mirrored = false;
    line += width;
  }
}

}  // namespace tcplab::reports
