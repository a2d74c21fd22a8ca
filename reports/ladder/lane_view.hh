// Draws the ladder: time on the left, a lifeline for each host, frames as arrows between them. Two
// hosts have their texts on the outside. More hosts have them on the right of their lifelines.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "reports/ladder/lane_layout.hh"
#include "reports/ladder/row.hh"
#include "reports/story/step.hh"

namespace tcplab::reports {

/// Takes one line, without its line feed.
using LineSink = std::function<void(const StyledText&)>;

class LaneView : public StepRenderer {
public:
  LaneView(LineSink sink, const Style& style, capture::Instant start)
      : sink_(std::move(sink)), style_(style), start_(start) {}

  void draw(const Step& step) override;

private:
  void draw_content(const Step& step, const HostStep& host);
  void draw_content(const Step& step, const DarkStep& dark);
  void draw_content(const Step& step, const HostLine& line);
  void draw_content(const Step& step, const StateLine& line);
  void draw_content(const Step& step, const Arrow& arrow);
  void draw_content(const Step& step, const Banner& banner);
  void draw_content(const Step& step, const Judgement& judgement);
  void draw_content(const Step& step, const Remark& remark);
  void draw_content(const Step& step, const Quiet& quiet);

  void draw_heading();
  void draw_rest_of_states(const std::vector<StateLine>& states);
  Row new_row(const Step& step);
  std::size_t lane_of(const std::string& host);
  std::size_t other_lane(std::size_t lane) const;
  void put_states(Row& row, std::vector<StateLine>& states, int busy_begin, int busy_end);
  StyledText with_aside(const Lane& lane, const StyledText& text, const StyledText& aside) const;
  void put_state(Row& row, const Lane& lane, const StyledText& text);
  void emit(const Row& row) { sink_(row.styled()); }

  LineSink sink_;
  Style style_;
  capture::Instant start_;
  std::vector<Lane> lanes_;
  bool needs_heading_ = true;
};

}  // namespace tcplab::reports
