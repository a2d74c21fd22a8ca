#include "reports/ladder/lane_view.hh"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "reports/ladder/arrow.hh"
#include "reports/ladder/lane_layout.hh"
#include "reports/text/judgement_text.hh"
#include "reports/text/text.hh"

namespace tcplab::reports {

namespace {

/// Puts the text so that it ends at `end`.
void put_before(Row& row, int end, const StyledText& text) { row.put(end - text.columns(), text); }

}  // namespace

void LaneView::draw(const Step& step) {
  std::visit([this, &step](const auto& content) { draw_content(step, content); }, step.content);
}

std::size_t LaneView::lane_of(const std::string& host) {
  const auto found = std::ranges::find(lanes_, host, &Lane::host);
  if (found != lanes_.end()) return std::size_t(found - lanes_.begin());
  lanes_.push_back({.host = host});
  lay_out(lanes_, style_);
  needs_heading_ = true;
  return lanes_.size() - 1;
}

std::size_t LaneView::other_lane(std::size_t lane) const {
  return lane + 1 == lanes_.size() ? 0 : lanes_.size() - 1;
}

Row LaneView::new_row(const Step& step) {
  if (needs_heading_) draw_heading();
  Row row(style_.width);
  const TimeColumn time = time_column(style_);
  if (step.at)
    put_before(row, time.width, StyledText(time_text(*step.at, start_, time), Paint::dim));
  for (const Lane& lane : lanes_) row.put(lane.line, lane.has_power ? "│" : "┊", Paint::dim);
  return row;
}

void LaneView::draw_heading() {
  needs_heading_ = false;
  if (lanes_.empty()) return;
  Row row(style_.width);
  put_before(row, time_column(style_).width, StyledText("seconds", Paint::dim));
  for (const Lane& lane : lanes_) {
    StyledText name(lane.host, Paint::strong);
    if (!lane.address.empty()) name.add(" " + lane.address, Paint::dim);
    put_state(row, lane, name);
    row.put(lane.line, "│", Paint::dim);
  }
  emit(row);
}

void LaneView::put_state(Row& row, const Lane& lane, const StyledText& text) {
  const StyledText fitted = text.fitted(lane.end - lane.begin, style_);
  if (lane.is_mirrored)
    put_before(row, lane.end, fitted);
  else
    row.put(lane.begin, fitted);
}

StyledText LaneView::with_aside(const Lane& lane, const StyledText& text,
                                const StyledText& aside) const {
  const int width = lane.end - lane.begin;
  if (aside.empty() || text.columns() + 1 + aside.columns() > width)
    return text.fitted(width, style_);
  return StyledText(text).add(" ").add(aside);
}

void LaneView::draw_content(const Step&, const HostStep& host) {
  Lane& lane = lanes_[lane_of(host.host)];
  lane.address = host.address;
  lane.has_power = true;
}

void LaneView::draw_content(const Step&, const DarkStep& dark) {
  lanes_[lane_of(dark.host)].has_power = false;
}

void LaneView::draw_content(const Step& step, const HostLine& line) {
  const Lane& lane = lanes_[lane_of(line.host)];
  Row row = new_row(step);
  row.put(lane.begin, with_aside(lane, line.text, line.aside));
  emit(row);
}

void LaneView::draw_content(const Step& step, const StateLine& line) {
  const Lane& lane = lanes_[lane_of(line.host)];
  Step at = step;
  for (const StyledText& text : lines_of(line, lane.end - lane.begin)) {
    Row row = new_row(at);
    put_state(row, lane, text);
    emit(row);
    at.at.reset();  // only the first line shows the time
  }
}

/// Puts the first state of each host beside the arrow, if the arrow leaves room there, and removes
/// it from `states`.
void LaneView::put_states(Row& row, std::vector<StateLine>& states, int busy_begin, int busy_end) {
  std::vector<std::string> done;
  std::erase_if(states, [&](const StateLine& state) {
    const Lane& lane = lanes_[lane_of(state.host)];
    const bool is_free = lane.end <= busy_begin || lane.begin >= busy_end;
    if (!is_free || std::ranges::find(done, state.host) != done.end()) return false;
    done.push_back(state.host);
    if (state.is_prose && state.text.columns() > lane.end - lane.begin) return false;
    put_state(row, lane, state.text);
    return true;
  });
}

void LaneView::draw_rest_of_states(const std::vector<StateLine>& states) {
  for (const StateLine& state : states) draw({std::nullopt, state});
}

void LaneView::draw_content(const Step& step, const Arrow& arrow) {
  if (!arrow.from.empty()) lane_of(arrow.from);
  if (!arrow.to.empty()) lane_of(arrow.to);
  const std::size_t from = arrow.from.empty() ? other_lane(lane_of(arrow.to)) : lane_of(arrow.from);
  const std::size_t to =
      arrow.to.empty() || arrow.to == arrow.from ? other_lane(from) : lane_of(arrow.to);
  Row row = new_row(step);
  const int tail = lanes_[from].line;
  const int tip = from == to ? style_.width : lanes_[to].line;
  put_arrow(row, arrow, tail, tip, style_);
  std::vector<StateLine> states = arrow.states;
  const bool has_prose = std::ranges::any_of(states, &StateLine::is_prose);
  if (!arrow.remark.empty() && from != to)  // a remark on the frame goes before a kernel's text
    states.insert(has_prose ? states.begin() : states.end(), {lanes_[to].host, arrow.remark});
  put_states(row, states, std::min(tail, tip), std::max(tail, tip));
  emit(row);
  draw_rest_of_states(states);
}

void LaneView::draw_content(const Step& step, const Banner& banner) {
  if (needs_heading_) draw_heading();
  const TimeColumn time = time_column(style_);
  const int left = time.width + 2;
  Row row(style_.width);
  if (step.at)
    put_before(row, time.width, StyledText(time_text(*step.at, start_, time), Paint::dim));
  row.fill(left, style_.width, "═", Paint::action);
  const std::string text = fit(printable(banner.text), style_.width - left - 6, style_);
  row.put(left + 2, " " + text + " ", Paint::action);
  emit(row);
}

void LaneView::draw_content(const Step& step, const Judgement& judgement) {
  const TimeColumn time = time_column(style_);
  const int left = time.width + 2;
  bool is_first = true;
  for (const StyledText& line : judgement_lines(judgement.verdict, style_.width - left)) {
    Row row(style_.width);
    if (step.at && is_first)
      put_before(row, time.width, StyledText(time_text(*step.at, start_, time), Paint::dim));
    row.put(left, line);
    emit(row);
    is_first = false;
  }
}

void LaneView::draw_content(const Step&, const Remark& remark) {
  const int left = time_column(style_).width + 2;
  for (const std::string& line : wrap(remark.text, style_.width - left)) {
    Row row(style_.width);
    row.put(left, line, Paint::note);
    emit(row);
  }
}

void LaneView::draw_content(const Step& step, const Quiet& quiet) {
  Row row = new_row(step);
  for (const Lane& lane : lanes_) row.put(lane.line, "⋮", Paint::dim);
  put_before(row, time_column(style_).width, StyledText("⋮", Paint::dim));
  const StyledText text(base::describe(quiet.span) + ": nothing happens", Paint::dim);
  const bool is_pair = lanes_.size() == 2;
  const int wire = is_pair ? lanes_[1].line - lanes_[0].line - 1 : 0;
  if (wire > text.columns())
    row.put(lanes_[0].line + 1 + (wire - text.columns()) / 2, text);
  else if (!lanes_.empty())
    row.put(lanes_[0].is_mirrored ? lanes_[0].line + 2 : lanes_[0].begin, text);
  emit(row);
}

}  // namespace tcplab::reports
