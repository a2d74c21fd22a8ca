#include "reports/suite/tap.hh"

#include <fmt/format.h>

#include "base/split.hh"
#include "capture/event/event_words.hh"
#include "reports/text/text.hh"

namespace tcplab::reports {

namespace {

using capture::Outcome;

/// Escapes '#', which begins a directive.
std::string description(std::string_view text) {
  std::string out;
  for (const char letter : printable(text)) {
    if (letter == '#' || letter == '\\') out += '\\';
    out += letter;
  }
  return out;
}

std::string test_line(bool is_good, std::size_t number, const RunResult& result) {
  return fmt::format("{} {} - {} ({})", is_good ? "ok" : "not ok", number, description(result.name),
                     description(result.variant));
}

std::string in_quotes(std::string_view text) {  // YAML 1.2, 7.3.2: only quotes must be doubled
  std::string out = "'";
  for (const char letter : printable(text)) out += letter == '\'' ? "''" : std::string(1, letter);
  return out + "'";
}

std::string block(const std::string& text) {
  std::string out;
  for (const std::string& line : base::split(text, '\n')) out += "      " + printable(line) + "\n";
  return out;
}

std::string diagnostics(const RunResult& result) {
  const double milliseconds = std::chrono::duration<double, std::milli>(result.duration).count();
  std::string out = fmt::format("  ---\n  duration_ms: {:.3f}\n", milliseconds);
  const bool is_good = result.outcome == Outcome::passed;
  if (!is_good) out += fmt::format("  outcome: {}\n", capture::word(result.outcome));
  if (!result.reason.empty()) out += "  message: " + in_quotes(result.reason) + "\n";
  if (!result.failure_text.empty()) out += "  account: |2\n" + block(result.failure_text);
  return out + "  ...\n";
}

}  // namespace

std::string tap(const SuiteRecord& suite) {
  const std::size_t all = suite.results.size() + suite.not_run.size();
  std::string out =
      fmt::format("TAP version 13\n1..{}{}\n", all, all == 0 ? " # SKIP no runs" : "");
  if (suite.seed) out += fmt::format("# to repeat this order: --shuffle --seed {}\n", *suite.seed);
  if (suite.perturbation)
    out += fmt::format("# to repeat these delays: --perturb={}\n", *suite.perturbation);
  std::size_t number = 0;
  for (const RunResult& result : suite.results) {
    const bool skipped = result.outcome == Outcome::skipped;
    out += test_line(skipped || result.outcome == Outcome::passed, ++number, result);
    out += skipped ? " # SKIP " + printable(result.reason) + "\n" : "\n" + diagnostics(result);
  }
  for (const RunResult& result : suite.not_run)
    out +=
        test_line(true, ++number, result) + " # SKIP not run, " + printable(result.reason) + "\n";
  return out;
}

}  // namespace tcplab::reports
