// Draws a run as a list, for a window that is too narrow for a ladder.
#pragma once

#include "reports/ladder/lane_view.hh"

namespace tcplab::reports {

class ListView : public StepRenderer {
public:
  ListView(LineSink sink, const Style& style, capture::Instant start)
      : sink_(std::move(sink)), style_(style), start_(start) {}

  void draw(const Step& step) override;

private:
  void draw(const Step& step, const Arrow& arrow);
  void draw(const Step& step, const StateLine& line);
  void emit(const Step& step, const StyledText& text);

  LineSink sink_;
  Style style_;
  capture::Instant start_;
};

}  // namespace tcplab::reports
