#include "reports/text/frame_text.hh"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>

#include "reports/text/judgement_text.hh"
#include "reports/text/prose.hh"
#include "reports/text/text.hh"

namespace tcplab::reports {

namespace {

using capture::Outcome;

void append_conditions(std::string& text, const std::string& word) {
  if (word.empty()) return;
  text += (text.empty() ? "" : " · ") + word;
}

std::string met_text(const Tally& tally) {
  const int all = tally.passed + tally.failed;
  if (all == 0) return tally.unchecked == 0 ? "" : "no expectation met";
  if (tally.failed == 0)
    return all == 1 ? "its expectation was met" : fmt::format("all {} expectations met", all);
  return fmt::format("{} of {} expectations met", tally.passed, all);
}

std::string tally_text(const Tally& tally) {
  if (tally.unchecked == 0) return met_text(tally);
  return fmt::format("{}, {} not checked", met_text(tally), tally.unchecked);
}

}  // namespace

void Tally::count(const capture::Event& event) {
  if (const auto* verdict = std::get_if<capture::Verdict>(&event.body))
    ++(verdict->passed ? passed : failed);
  if (std::holds_alternative<capture::Unchecked>(event.body)) ++unchecked;
}

std::string conditions(const capture::RunStart& run) {
  std::string text;
  append_conditions(text, run.source);
  append_conditions(text, run.family == base::Family::ipv4 ? "IPv4" : "IPv6");
  append_conditions(text, run.timers.empty() ? "" : run.timers + " timers");
  append_conditions(text, run.kernel.empty() ? "" : "Linux " + run.kernel);
  for (const std::string& stack : run.stacks) append_conditions(text, stack);
  return text;
}

std::vector<StyledText> header_lines(const capture::RunStart& run, const Style& style) {
  const int width = std::min(style.width, kWidestProse);
  std::vector<StyledText> lines;
  const std::string title = run.title.empty() ? run.scenario : run.title;
  for (const std::string& line : wrap(title, width)) lines.emplace_back(line, Paint::strong);
  if (!run.asks.empty())
    for (const std::string& line : wrap(run.asks, width)) lines.emplace_back(line);
  for (const std::string& line : wrap(conditions(run), width)) lines.emplace_back(line, Paint::dim);
  lines.emplace_back();
  return lines;
}

StyledText outcome_word(Outcome outcome) {
  switch (outcome) {
    case Outcome::passed:
      return mark(true).add(" passed", Paint::good);
    case Outcome::failed:
      return mark(false).add(" failed", Paint::bad);
    case Outcome::skipped:
      return StyledText("∅ skipped", Paint::action);
    case Outcome::bad_script:
      return mark(false).add(" the script is wrong", Paint::bad);
    case Outcome::broken:
      return mark(false).add(" the lab broke", Paint::bad);
  }
  return {};
}

std::vector<StyledText> outcome_lines(const capture::RunEnd& end, const Tally& tally,
                                      const Style& style) {
  StyledText line = outcome_word(end.outcome);
  const bool has_run = end.outcome == Outcome::passed || end.outcome == Outcome::failed;
  if (has_run) line.add(" in " + base::describe(end.duration));
  const std::string count = has_run ? tally_text(tally) : "";
  const bool is_one_line = line.columns() + columns(count) + 2 <= style.width;
  std::vector<StyledText> lines;
  if (is_one_line && !count.empty()) line.add(": " + count);
  lines.push_back(line);
  if (!is_one_line)
    for (const std::string& part : wrap(count, style.width - 2))
      lines.push_back(StyledText("  ").add(part));
  if (end.reason.empty()) return lines;
  for (const std::string& part : wrap(end.reason, std::min(style.width, kWidestProse) - 2))
    lines.push_back(StyledText("  ").add(part));
  for (const capture::Verdict::LastLines& written : end.last_lines)
    std::ranges::move(written_lines(written, style.width), std::back_inserter(lines));
  return lines;
}

std::string text_about_machine(const capture::RunStart& run) {
  std::string text;
  for (const std::string& fact : run.machine) text += (text.empty() ? "" : " ") + fact;
  return text;
}

std::vector<StyledText> explanation_lines(const capture::RunStart& run, const Style& style) {
  std::vector<StyledText> lines;
  if (run.article.empty() && run.here.empty() && run.why.empty() && run.machine.empty())
    return lines;
  lines.emplace_back();
  add_paragraph(lines, "The article saw", run.article, style);
  add_paragraph(lines, "What Linux does", run.here, style);
  add_paragraph(lines, "Why", run.why, style);
  add_paragraph(lines, "This machine", text_about_machine(run), style);
  return lines;
}

}  // namespace tcplab::reports
