// Writes transcript.txt: header, ladder, every verdict in full, the outcome and the explanation, in
// 100 columns of UTF-8 without colour.
#pragma once

#include <iosfwd>
#include <optional>
#include <vector>

#include "reports/ladder/ladder.hh"
#include "reports/story/report.hh"

namespace tcplab::reports {

class Transcript : public Report {
public:
  /// The stream must outlive the transcript.
  explicit Transcript(std::ostream& out);

  void event(const capture::Event& event) override;
  void finish() override;

private:
  void write(const std::vector<StyledText>& lines);
  void write_verdicts();
  void write_end(const capture::RunEnd& end);

  std::ostream& out_;
  Style style_;
  Ladder ladder_;
  std::optional<capture::RunStart> run_;
  std::vector<capture::Verdict> verdicts_;
  std::uint64_t more_verdicts_ = 0;  // verdicts beyond kMostVerdicts
  Tally tally_;
};

}  // namespace tcplab::reports
