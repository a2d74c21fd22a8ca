#include "reports/story/story.hh"

#include <algorithm>
#include <fmt/format.h>
#include <ostream>

#include "reports/text/judgement_text.hh"
#include "reports/text/text.hh"

namespace tcplab::reports {

namespace {

constexpr std::size_t kMostEntries = 200;

std::string time_of(capture::Instant at, capture::Instant start) {
  return fmt::format("{:.3f} s", base::in_seconds(at - start));
}

}  // namespace

void Story::event(const capture::Event& event) {
  if (!start_) start_ = event.at;
  if (const auto* run = std::get_if<capture::RunStart>(&event.body)) run_ = *run;
  if (const auto* end = std::get_if<capture::RunEnd>(&event.body)) end_ = *end;
  if (const auto* note = std::get_if<capture::Note>(&event.body);
      note != nullptr && entries_.size() < kMostEntries)
    entries_.push_back({event.at, {.passed = true}, note->text});
  if (const auto* unchecked = std::get_if<capture::Unchecked>(&event.body);
      unchecked != nullptr && entries_.size() < kMostEntries)
    entries_.push_back({event.at, {.passed = true}, unchecked_text(*unchecked)});
  tally_.count(event);
  const auto* verdict = std::get_if<capture::Verdict>(&event.body);
  if (verdict == nullptr) return;
  // Keep failed verdicts, even if there are already many.
  if (entries_.size() < kMostEntries || !verdict->passed) entries_.push_back({event.at, *verdict});
  if (entries_.size() > 2 * kMostEntries) entries_.erase(entries_.begin());
}

void Story::finish() {
  if (run_) write(header_lines(*run_, style_));
  int time_width = 0;
  for (const Entry& entry : entries_)
    time_width = std::max(time_width, int(time_of(entry.at, *start_).size()));
  for (const Entry& entry : entries_) write_entry(entry, time_width);
  if (end_) {
    if (!entries_.empty()) out_ << '\n';
    write(outcome_lines(*end_, tally_, style_));
  }
  if (run_) write(explanation_lines(*run_, style_));
  out_.flush();
}

void Story::write_entry(const Entry& entry, int time_width) {
  const std::string time = fmt::format("{:>{}}  ", time_of(entry.at, *start_), time_width);
  bool is_first = true;
  const int width = std::max(20, style_.width - time_width - 2);
  std::vector<StyledText> lines;
  for (const std::string& line : wrap(printable(entry.note), width)) lines.emplace_back(line);
  if (entry.note.empty()) lines = judgement_lines(entry.verdict, width);
  for (const StyledText& line : lines) {
    const std::string left = is_first ? time : std::string(time.size(), ' ');
    write({StyledText(left, Paint::dim).add(line)});
    is_first = false;
  }
}

void Story::write(const std::vector<StyledText>& lines) {
  for (const StyledText& line : lines) out_ << render(line, style_) << '\n';
}

}  // namespace tcplab::reports
