#include "reports/ladder/ladder.hh"

#include <algorithm>
#include <ostream>

#include "reports/ladder/lane_view.hh"
#include "reports/ladder/list_view.hh"

namespace tcplab::reports {

Ladder::Ladder(std::ostream& out, const Style& style, LadderParts parts)
    : out_(out),
      style_(style),
      parts_(parts),
      narrator_([this](const Step& step) { draw(step); }, style) {
  // The layout needs at least 20 columns. A narrower terminal cuts the lines.
  style_.width = std::max(style_.width, 20);
}

Ladder::~Ladder() = default;

void Ladder::event(const capture::Event& event) {
  tally_.count(event);
  if (const auto* run = std::get_if<capture::RunStart>(&event.body)) {
    start_ = event.at;
    begin(*run);
  } else if (const auto* run_end = std::get_if<capture::RunEnd>(&event.body)) {
    finish();
    end(*run_end);
  } else {
    order_.add(event);
    while (order_.is_due()) tell_oldest();
  }
}

void Ladder::flush(capture::Instant until) {
  while (!order_.empty() && order_.oldest() <= until) tell_oldest();
  out_.flush();
}

void Ladder::finish() {
  while (!order_.empty()) tell_oldest();
  if (!view_ && !first_.empty()) make_view(*start_);
  out_.flush();
}

void Ladder::tell_oldest() {
  const capture::Event event = order_.take();
  if (!start_) start_ = event.at;
  narrator_.tell(event, order_);
}

/// Keeps hosts and remarks until another step comes, because the number of hosts determines the
/// layout, and a script may say something before it makes them.
void Ladder::draw(const Step& step) {
  const bool is_early = std::holds_alternative<HostStep>(step.content) ||
                        std::holds_alternative<Remark>(step.content);
  if (!view_ && is_early) {
    first_.push_back(step);
    return;
  }
  if (!view_) make_view(*start_);
  view_->draw(step);
}

void Ladder::make_view(capture::Instant start) {
  LineSink sink = [this](const StyledText& line) { write(line); };
  const auto hosts = static_cast<std::size_t>(std::ranges::count_if(
      first_, [](const Step& step) { return std::holds_alternative<HostStep>(step.content); }));
  if (lanes_fit(hosts, style_))
    view_ = std::make_unique<LaneView>(std::move(sink), style_, start);
  else
    view_ = std::make_unique<ListView>(std::move(sink), style_, start);
  for (const Step& step : first_) view_->draw(step);
  first_.clear();
}

void Ladder::begin(const capture::RunStart& run) {
  run_ = run;
  if (parts_ == LadderParts::rows_only) return;
  for (const StyledText& line : header_lines(run, style_)) write(line);
  out_.flush();
}

void Ladder::end(const capture::RunEnd& end) {
  if (parts_ == LadderParts::rows_only) return;
  write({});
  for (const StyledText& line : outcome_lines(end, tally_, style_)) write(line);
  if (run_)
    for (const StyledText& line : explanation_lines(*run_, style_)) write(line);
  out_.flush();
}

void Ladder::write(const StyledText& line) { out_ << render(line, style_) << '\n'; }

}  // namespace tcplab::reports
