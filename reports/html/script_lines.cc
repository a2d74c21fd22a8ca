#include "reports/html/script_lines.hh"

namespace tcplab::html {

namespace {

/// A line that an event names.
struct Mark {
  int line = 0;
  bool is_awaited = false;  // an expectation: the script was at its line before it was met
  std::optional<capture::Instant> until{};  // a wait: when it ends
};

Mark mark_of(const PageRun& page, const reports::Step& step) {
  const capture::Event* event = page.first_event(step);
  if (event == nullptr) return {};
  if (const auto* action = std::get_if<capture::Action>(&event->body)) {
    const bool waits = action->span.count() > 0;
    return {action->line, false, waits ? std::optional(event->at + action->span) : std::nullopt};
  }
  const auto* verdict = std::get_if<capture::Verdict>(&event->body);
  if (verdict == nullptr) return {};
  const bool is_elsewhere =
      page.run && !verdict->script.empty() && verdict->script != page.run->file;
  return is_elsewhere ? Mark{} : Mark{verdict->line, true, {}};
}

}  // namespace

std::vector<int> script_lines(const PageRun& page) {
  std::vector<Mark> marks;
  for (const reports::Step& step : page.steps) marks.push_back(mark_of(page, step));
  std::vector<int> lines(marks.size(), 0);
  std::vector<bool> waits(marks.size(), false);
  Mark before;
  for (std::size_t index = 0; index < marks.size(); ++index) {
    if (marks[index].line != 0) before = marks[index];
    const auto& at = page.steps[index].at;
    lines[index] = before.line;
    waits[index] = before.until && (!at || *at < *before.until);
  }
  // What happens before an expectation is met happens while the script waits for it.
  int awaited = 0;
  for (std::size_t index = marks.size(); index-- > 0;) {
    if (marks[index].line != 0) awaited = marks[index].is_awaited ? marks[index].line : 0;
    if (awaited != 0 && !waits[index]) lines[index] = awaited;
  }
  return lines;
}

}  // namespace tcplab::html
