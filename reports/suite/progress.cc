#include "reports/suite/progress.hh"

#include <algorithm>
#include <fmt/format.h>
#include <ostream>

#include "reports/text/frame_text.hh"
#include "reports/text/judgement_text.hh"
#include "reports/text/text.hh"

namespace tcplab::reports {

namespace {

using capture::Outcome;

// A region higher than the window cannot be redrawn, because lines that scrolled away cannot be
// erased.
constexpr int kMostRunningLines = 10;
constexpr std::size_t kMostTrouble = 20;
constexpr int kTimeWidth = 8;  // a longer time moves what follows it

StyledText outcome_mark(Outcome outcome) {
  switch (outcome) {
    case Outcome::passed:
      return mark(true);
    case Outcome::failed:
    case Outcome::bad_script:
    case Outcome::broken:
      return mark(false);
    case Outcome::skipped:
      return StyledText("∅", Paint::action);
  }
  return {};
}

std::string left_aligned(const std::string& text, int width, const Style& style) {
  std::string column = fit(printable(text), width, style);
  column.append(std::size_t(std::max(0, width - columns(column))), ' ');
  return column;
}

std::string full_name(const RunResult& result) {
  return result.name + (result.variant.empty() ? "" : " (" + result.variant + ")");
}

std::string right_aligned(const std::string& text, int width) {
  return std::string(std::size_t(std::max(0, width - columns(text))), ' ') + text;
}

}  // namespace

Progress::Progress(std::ostream& out, const Style& style, bool is_terminal, const Runs& runs)
    : out_(out), style_(style), is_terminal_(is_terminal), runs_(runs) {}

void Progress::started(int run, const std::string& name, const std::string& variant, Time now) {
  running_[run] = {name, variant, now, ""};
  if (is_terminal_) redraw("", now);
}

void Progress::waits(int run, const std::string& what) {
  const auto found = running_.find(run);
  if (found != running_.end()) found->second.what = what;
}

void Progress::finished(int run, const RunResult& result, Time now) {
  running_.erase(run);
  counts_.count(result);
  if (is_trouble(result) && trouble_.size() < kMostTrouble) {
    trouble_.push_back(result);
    trouble_.back().verdicts.clear();
  }
  for (const std::string& what : result.findings)
    if (findings_.size() < kMostTrouble) findings_.push_back(result.name + ": " + what);
  if (!result.stalled.empty() && stalled_.size() < kMostTrouble)
    stalled_.push_back(full_name(result) + ": " + result.stalled);
  redraw(line(finished_line(result)), now);
}

void Progress::tick(Time now) {
  if (is_terminal_) redraw("", now);
}

StyledText Progress::name_columns(const std::string& name, const std::string& variant) const {
  StyledText text(left_aligned(name, runs_.name_width, style_) + " ");
  return text.add(left_aligned(variant, runs_.variant_width, style_), Paint::dim);
}

StyledText Progress::finished_line(const RunResult& result) const {
  StyledText text = outcome_mark(result.outcome);
  text.add(" ").add(name_columns(result.name, result.variant));
  const bool has_run = result.duration > Time(0);
  text.add(" ").add(right_aligned(has_run ? base::describe(result.duration) : "", kTimeWidth));
  if (!result.reason.empty())
    text.add("  ").add(result.reason, is_trouble(result) ? Paint::error : Paint::dim);
  else if (!result.unchecked.empty())
    text.add("  ").add(unchecked_summary(result), Paint::dim);
  return text;
}

StyledText Progress::running_line(const Running& run, Time now) const {
  StyledText text("· ", Paint::action);
  text.add(name_columns(run.name, run.variant));
  text.add(" ").add(right_aligned(base::describe(now - run.since), kTimeWidth));
  if (!run.what.empty()) text.add("  " + run.what, Paint::dim);
  return text;
}

/// Cuts the line on a terminal, because a line that wraps would break erased().
std::string Progress::line(const StyledText& text) const {
  return render(is_terminal_ ? text.fitted(style_.width - 1, style_) : text, style_) + "\n";
}

std::string Progress::region(Time now) {
  std::string out;
  int shown = 0;
  for (const auto& [number, run] : running_) {
    if (shown == kMostRunningLines) break;
    out += line(running_line(run, now));
    ++shown;
  }
  const int hidden = int(running_.size()) - shown;
  std::string state = fmt::format("{} of {} done", counts_.all(), runs_.total);
  if (hidden > 0) state += fmt::format(", {} more running", hidden);
  out += line(StyledText(state + ", " + base::describe(now), Paint::strong));
  region_lines_ = shown + 1;
  return out;
}

/// Returns the sequences that erase the region (ECMA-48: CUU moves up, ED erases to the end of the
/// window).
std::string Progress::erased() const {
  return region_lines_ == 0 ? "" : fmt::format("\x1b[{}A\x1b[J", region_lines_);
}

void Progress::redraw(const std::string& above, Time now) {
  std::string text = erased();
  region_lines_ = 0;
  text += above;
  if (is_terminal_) text += region(now);
  out_ << text << std::flush;
}

void Progress::summary(Time now, int not_run) {
  std::string text = erased();
  region_lines_ = 0;
  for (const RunResult& result : trouble_) {
    text += "\n" + line(outcome_word(result.outcome).add(": " + full_name(result), Paint::strong));
    const std::string& full = result.failure_text.empty() ? result.reason : result.failure_text;
    for (const std::string& part : wrap(full, std::max(style_.width, 100)))
      text += line(StyledText(part));
    if (!result.directory.empty())
      text += line(StyledText("Files: " + result.directory, Paint::dim));
  }
  for (const std::string& finding : findings_)
    text += "\n" + line(StyledText("finding: ", Paint::bad).add(finding));
  for (const std::string& stalled : stalled_)
    text += "\n" + line(StyledText("run a second time, alone: ", Paint::bad).add(stalled));
  const int all_trouble = counts_.trouble();
  if (all_trouble > int(trouble_.size()))
    text += fmt::format("\nand {} more failures\n", all_trouble - int(trouble_.size()));
  const Paint paint = all_trouble == 0 ? Paint::good : Paint::bad;
  counts_.not_run = not_run;
  text += "\n" + line(StyledText(summary_text(counts_, now), paint));
  out_ << text << std::flush;
}

}  // namespace tcplab::reports
