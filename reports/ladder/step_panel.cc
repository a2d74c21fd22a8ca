#include "reports/ladder/step_panel.hh"

#include <algorithm>
#include <fmt/format.h>

#include "reports/ladder/arrow.hh"
#include "reports/ladder/row.hh"
#include "reports/text/socket_text.hh"
#include "reports/text/text.hh"

namespace tcplab::reports {

namespace {

using Lines = std::vector<StyledText>;

constexpr int kTwoColumns = 80;      // in a narrower window, hosts are below each other
constexpr int kLadderLines = 4;      // lines left for the ladder, at least
constexpr std::size_t kBehind = 3;   // frames listed behind the first, at most
constexpr std::size_t kSockets = 2;  // newest sockets shown for each host
constexpr int kLowWindow = 30;       // in a lower window, each host gets fewer lines

const std::string kFrameKeys = "space: deliver · l: lose · ";
const std::string kKeys = "n: to the next state change · r: run · q: quit · ?: help";
const std::string kFewKeys = "n: next state · r: run · q: quit · ?";

std::string seconds(capture::nanoseconds span) {
  return fmt::format("{:.1f} s", base::in_seconds(span));
}

StyledText rule(const std::string& title, const Style& style) {
  Row row(style.width);
  row.fill(0, style.width, "─", Paint::dim);
  if (!title.empty()) row.put(2, StyledText(" " + title + " ", Paint::strong));
  return row.styled();
}

/// Returns "Flags [F.], seq 1, ack 1, win 502, length 0" with and without the TCP options.
std::vector<std::string> labels_of(const HeldFrame& frame) {
  std::string text = frame.summary;
  std::vector<std::string> labels{text};
  if (const auto options = text.find(", options ["); options != std::string::npos) {
    const auto end = text.find(']', options);
    labels.push_back(text.erase(options, end == std::string::npos ? end : end + 1 - options));
  }
  return labels;
}

/// Draws the frame as the ladder draws a held one: an arrow that stops before the receiver.
StyledText arrow_line(const HeldFrame& frame, const StepPanel& panel, const Style& style) {
  const bool is_leftward = panel.hosts.size() == 2 && frame.to == panel.hosts.front().host;
  const std::string& left = is_leftward ? frame.to : frame.from;
  const std::string& right = is_leftward ? frame.from : frame.to;
  Row row(style.width);
  const int begin = 1 + columns(left);
  const int end = style.width - 2 - columns(right);
  row.put(1, left, Paint::strong);
  row.put(style.width - 1 - columns(right), right, Paint::strong);
  const Arrow arrow{.from = frame.from,
                    .to = frame.to,
                    .labels = labels_of(frame),
                    .paint = Paint::strong,
                    .fate = capture::Fate::held};
  put_arrow(row, arrow, is_leftward ? end : begin, is_leftward ? begin : end, style);
  return row.styled();
}

void add_text(Lines& lines, const std::string& text, int width, Paint paint = Paint::plain,
              const std::string& indent = "") {
  if (text.empty()) return;
  for (const std::string& line : wrap(text, width - columns(indent)))
    lines.emplace_back(indent + line, paint);
}

/// Returns what the sender's kernel has done since the frame was stopped.
std::string retransmissions_text(const HeldFrame& frame) {
  const bool is_one = frame.retransmissions == 1;
  return fmt::format("{} has retransmitted it {}: if you deliver it, the {} dropped", frame.from,
                     is_one ? "once" : fmt::format("{} times", frame.retransmissions),
                     is_one ? "copy is" : "copies are");
}

void add_air(Lines& lines, const StepPanel& panel, const Style& style) {
  const std::vector<HeldFrame>& frames = panel.stand.frames;
  if (frames.empty()) {
    lines.push_back(rule("no frame in transit", style));
    return;
  }
  const HeldFrame& first = frames.front();
  const std::string held = fmt::format("frame {} held", first.frame);
  lines.push_back(
      rule(panel.stand.time_stops ? held : held + " for " + seconds(first.held), style));
  lines.push_back(arrow_line(first, panel, style));
  if (!first.why.empty()) lines.push_back(StyledText(" " + first.why, Paint::dim));
  if (first.retransmissions > 0)
    add_text(lines, retransmissions_text(first), style.width, Paint::action, " ");
  for (std::size_t i = 1; i < frames.size() && i <= kBehind; ++i)
    lines.push_back(
        StyledText(fmt::format(" behind it: frame {}, {} > {} {}", frames[i].frame, frames[i].from,
                               frames[i].to, labels_of(frames[i]).back()),
                   Paint::dim));
  if (frames.size() > kBehind + 1)
    lines.push_back(
        StyledText(fmt::format(" and {} more", frames.size() - kBehind - 1), Paint::dim));
}

void add_socket(Lines& lines, const capture::SocketDetail& detail, const StepPanel& panel,
                int width) {
  add_text(lines, ends_text(detail.socket, panel.names), width, Paint::state);
  const std::string queues = queues_text(detail);
  const std::string sending = sending_text(detail);
  const bool fits = columns(queues) + columns(sending) + 4 <= width;
  add_text(lines, fits && !sending.empty() ? queues + "; " + sending : queues, width, Paint::plain,
           "  ");
  if (!fits) add_text(lines, sending, width, Paint::plain, "  ");
  add_text(lines, timer_text(detail.socket), width,
           detail.socket.timer == 0 ? Paint::dim : Paint::action, "  ");
}

Lines host_lines(const HostView& host, const StepPanel& panel, int width) {
  Lines lines{StyledText(host.host, Paint::strong)};
  const auto standing = std::ranges::find(panel.stand.hosts, host.host, &HostSnapshot::host);
  if (standing == panel.stand.hosts.end()) return lines;
  if (!standing->has_power) {
    lines.emplace_back("has no power", Paint::error);
    return lines;
  }
  add_text(lines, host.program, width);
  const auto& sockets = standing->sockets;
  if (sockets.empty()) lines.emplace_back("no connection", Paint::dim);
  const std::size_t shown = std::min(sockets.size(), kSockets);
  for (std::size_t i = sockets.size() - shown; i < sockets.size(); ++i)
    add_socket(lines, sockets[i], panel, width);
  if (sockets.size() > shown)
    lines.emplace_back(fmt::format("and {} more connections", sockets.size() - shown), Paint::dim);
  return lines;
}

void add_two_columns(Lines& lines, const StepPanel& panel, const Style& style) {
  const int middle = style.width / 2;
  const Lines left = host_lines(panel.hosts[0], panel, middle - 3);
  const Lines right = host_lines(panel.hosts[1], panel, style.width - middle - 3);
  for (std::size_t i = 0; i < std::max(left.size(), right.size()); ++i) {
    Row row(style.width);
    if (i < left.size()) row.put(1, left[i].fitted(middle - 3, style));
    row.put(middle, "│", Paint::dim);
    if (i < right.size()) row.put(middle + 2, right[i].fitted(style.width - middle - 3, style));
    lines.push_back(row.styled());
  }
}

void add_hosts(Lines& lines, const StepPanel& panel, const Style& style) {
  if (panel.hosts.size() == 2 && style.width >= kTwoColumns)
    return add_two_columns(lines, panel, style);
  for (const HostView& host : panel.hosts)
    for (const StyledText& line : host_lines(host, panel, style.width - 2))
      lines.push_back(StyledText(" ").add(line));
}

void add_help(Lines& lines, const StepPanel& panel, const Style& style) {
  const std::string help =
      "space, enter: deliver the frame; its receiver's kernel answers at once\n"
      "l: lose the frame; you decide about its retransmission next, as soon as there is one\n"
      "n: deliver frames until the state of a host changes\n"
      "r: let all frames pass; s pauses again\n"
      "q, Ctrl-C: end the run\n"
      "ARP and neighbour discovery pass without a pause. ";
  const std::string clock =
      panel.stand.time_stops
          ? "During a pause time stands still, for the hosts and the script. Between pauses it "
            "jumps to the next timer."
          : "The kernels' timers run during a pause. When you deliver a frame, its retransmissions "
            "are dropped. During a pause kernels never give up; otherwise they do after half a "
            "minute. The script's deadlines stop during a pause, and its expectations of times are "
            "not checked.";
  for (const std::string& line : wrap(help + clock, style.width - 2))
    lines.push_back(StyledText(" ").add(line));
}

const char* clock_line(const Snapshot& stand) {
  if (stand.frames.empty()) return " kernel timers and script deadlines run";
  return stand.time_stops ? " paused: time stands still, for the hosts and the script"
                          : " paused: timers run, kernels never give up; deadlines are stopped";
}

void add_footer(Lines& lines, const StepPanel& panel, const Style& style) {
  lines.push_back(rule("", style));
  if (!panel.waits.empty())
    lines.push_back(StyledText(" the script waits for ", Paint::dim).add(panel.waits));
  const bool is_held = !panel.stand.frames.empty();
  lines.push_back(StyledText(clock_line(panel.stand), Paint::dim));
  const std::string frame_keys = is_held ? kFrameKeys : "";
  const bool fits = columns(frame_keys + kKeys) + 2 <= style.width;
  lines.push_back(StyledText(" ").add(frame_keys + (fits ? kKeys : kFewKeys), Paint::strong));
}

/// Shortens the hosts' lines in a low window, and keeps the frame above and the keys below.
Lines shortened(Lines head, Lines hosts, const Lines& footer, int height) {
  const auto room = std::max(0, height - int(head.size() + footer.size()));
  if (int(hosts.size()) > room) hosts.resize(std::size_t(room));
  head.insert(head.end(), hosts.begin(), hosts.end());
  head.insert(head.end(), footer.begin(), footer.end());
  return head;
}

}  // namespace

std::vector<StyledText> step_panel_lines(const StepPanel& panel, const Style& style) {
  if (!panel.stand.is_stepping)
    return {StyledText(" frames pass without a pause · s: pause again · q: quit", Paint::strong)
                .fitted(style.width, style)};
  Lines head;
  Lines hosts;
  Lines footer;
  add_air(head, panel, style);
  if (panel.shows_help)
    add_help(hosts, panel, style);
  else
    add_hosts(hosts, panel, style);
  add_footer(footer, panel, style);
  const int ladder = panel.height < kLowWindow ? kLadderLines : panel.height / 3;
  Lines lines = shortened(std::move(head), std::move(hosts), footer, panel.height - ladder);
  for (StyledText& line : lines) line = line.fitted(style.width, style);
  return lines;
}

}  // namespace tcplab::reports
