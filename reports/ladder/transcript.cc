#include "reports/ladder/transcript.hh"

#include <fmt/format.h>
#include <ostream>

#include "reports/text/judgement_text.hh"

namespace tcplab::reports {

namespace {

constexpr Style kTranscriptStyle{.width = 100};
// A script may check in a loop for hours. Further verdicts are only in the ladder.
constexpr std::size_t kMostVerdicts = 1000;

}  // namespace

Transcript::Transcript(std::ostream& out)
    : out_(out), style_(kTranscriptStyle), ladder_(out, kTranscriptStyle, LadderParts::rows_only) {}

void Transcript::event(const capture::Event& event) {
  if (const auto* run = std::get_if<capture::RunStart>(&event.body)) {
    run_ = *run;
    write(header_lines(*run, style_));
  }
  tally_.count(event);
  if (const auto* verdict = std::get_if<capture::Verdict>(&event.body)) {
    if (verdicts_.size() < kMostVerdicts)
      verdicts_.push_back(*verdict);
    else
      ++more_verdicts_;
  }
  ladder_.event(event);
  if (const auto* end = std::get_if<capture::RunEnd>(&event.body)) write_end(*end);
}

void Transcript::finish() {
  ladder_.finish();
  out_.flush();
}

void Transcript::write_end(const capture::RunEnd& end) {
  out_ << '\n';
  write_verdicts();
  write(outcome_lines(end, tally_, style_));
  if (run_) write(explanation_lines(*run_, style_));
}

void Transcript::write_verdicts() {
  for (const capture::Verdict& verdict : verdicts_) {
    std::vector<StyledText> lines = script_lines(verdict, style_);
    if (lines.empty()) lines.emplace_back("expectation");
    lines.front() = mark(verdict.passed).add(" ").add(lines.front());
    write(lines);
    write(judgement_details(verdict, style_.width));
    out_ << '\n';
  }
  if (more_verdicts_ != 0) out_ << fmt::format("and {} more expectations\n\n", more_verdicts_);
}

void Transcript::write(const std::vector<StyledText>& lines) {
  for (const StyledText& line : lines) out_ << render(line, style_) << '\n';
}

}  // namespace tcplab::reports
