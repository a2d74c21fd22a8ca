// The steps of a ladder as JSON, without a layout. docs/schema/ladder.schema.json describes it.
#pragma once

#include <iosfwd>
#include <optional>

#include "reports/story/narrator.hh"
#include "reports/story/report.hh"
#include "reports/story/time_order.hh"

namespace tcplab::reports {

/// Writes one document, with one step on each line. "at" counts from the first event.
class LadderJson : public Report {
public:
  /// `verbose`: every call and every frame. The stream must outlive the report.
  LadderJson(std::ostream& out, bool verbose);

  void event(const capture::Event& event) override;
  void finish() override;

private:
  void begin(const capture::Event& first);
  void tell_oldest();
  void write(const Step& step);

  std::ostream& out_;
  TimeOrder order_;
  Narrator narrator_;
  capture::Instant start_{};
  bool has_begun_ = false;
  bool has_steps_ = false;
  std::optional<capture::RunEnd> end_;
};

}  // namespace tcplab::reports
