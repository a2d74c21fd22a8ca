// The view of this project: a run as a ladder in text. Time, what kang does and its state, the
// frames as arrows, kodos's state and what it does. Streams: a line is written as soon as it is
// clear what belongs on it.
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
  /// The stream outlives the ladder. `whole` has the header and the footer.
  Ladder(std::ostream& out, const Style& style, LadderParts parts = LadderParts::whole);
  ~Ladder() override;
  Ladder(const Ladder&) = delete;
  Ladder& operator=(const Ladder&) = delete;

  void event(const capture::Event& event) override;
  /// For a ladder that begins in the middle of a run.
  void know(const Segments& before) { narrator_.know(before); }
  /// Nothing older than this will come any more: a live view draws it now.
  void flush(capture::Instant until);
  /// Draws what is left. May be called again, for nothing.
  void finish() override;
  /// How many events have come and are not drawn yet.
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
  std::vector<Step> hosts_;  // those that came up before there was anything to draw
  std::optional<capture::Instant> start_;
  std::optional<capture::RunStart> run_;
  Tally tally_;
};

}  // namespace tcplab::reports
