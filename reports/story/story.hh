// Summarizes a run in a few lines, for the end of `tcplab run NAME`: the question, what was seen
// and when, what the article saw, what this kernel does, and why.
#pragma once

#include <iosfwd>
#include <optional>
#include <vector>

#include "reports/story/report.hh"
#include "reports/text/frame_text.hh"

namespace tcplab::reports {

class Story : public Report {
public:
  /// The stream must outlive the story. finish() writes it.
  Story(std::ostream& out, const Style& style) : out_(out), style_(style) {}

  void event(const capture::Event& event) override;
  void finish() override;

private:
  struct Entry {
    capture::Instant at;
    capture::Verdict verdict;
    std::string note{};  // instead of a verdict, if it is not empty
  };

  void write(const std::vector<StyledText>& lines);
  void write_entry(const Entry& entry, int time_width);

  std::ostream& out_;
  Style style_;
  std::optional<capture::Instant> start_;
  std::optional<capture::RunStart> run_;
  std::vector<Entry> entries_;
  std::optional<capture::RunEnd> end_;
  Tally tally_;
};

}  // namespace tcplab::reports
