// Draws a run as a ladder in text: the time, the calls and states of each host, and the frames as
// arrows between them. It streams: it writes a line as soon as the line is complete.
#pragma once

#include <iosfwd>
#include <memory>
#include <optional>
#include <vector>

#include "reports/story/narrator.hh"
#include "reports/story/report.hh"
#include "reports/story/time_order.hh"
#include "reports/text/frame_text.hh"

namespace tcplab::reports {

enum class LadderParts : std::uint8_t { whole, rows_only };

class Ladder : public Report {
public:
  /// The stream must outlive the ladder. `whole` includes header and footer.
  Ladder(std::ostream& out, const Style& style, LadderParts parts = LadderParts::whole);
  ~Ladder() override;
  Ladder(const Ladder&) = delete;
  Ladder& operator=(const Ladder&) = delete;

  void event(const capture::Event& event) override;
  /// Begins in the middle of a run, after these events.
  void know(const EarlierEvents& earlier) { narrator_.know(earlier); }
  /// Draws the events up to `until`. The caller promises that no older event will come.
  void flush(capture::Instant until);
  /// Draws the remaining events. Further calls have no effect.
  void finish() override;
  /// Returns the number of events that are not drawn yet.
  std::size_t waiting() const { return order_.size(); }

private:
  void draw(const Step& step);
  void tell_oldest();
  void begin(const capture::RunStart& run);
  void end(const capture::RunEnd& end);
  void make_view(capture::Instant start);
  void write(const StyledText& line);

  std::ostream& out_;
  Style style_;
  LadderParts parts_;
  TimeOrder order_;
  Narrator narrator_;
  std::unique_ptr<StepRenderer> view_;
  std::vector<Step> first_;  // hosts and remarks before the first other step
  std::optional<capture::Instant> start_;
  std::optional<capture::RunStart> run_;
  Tally tally_;
};

}  // namespace tcplab::reports
