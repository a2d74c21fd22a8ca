#include "reports/audit/audit_junit.hh"

#include <fmt/format.h>
#include <ostream>

#include "reports/audit/audit_words.hh"
#include "reports/audit/requirement_words.hh"
#include "reports/suite/xml_text.hh"

namespace tcplab::reports {

namespace {

bool did_not_work(const audit::Cell& cell) { return !cell.trouble.empty() || !cell.is_judged; }

bool is_skipped(const audit::Cell& cell) {
  return !did_not_work(cell) && cell.outcome == capture::AuditOutcome::not_reached;
}

bool is_hanging(const audit::Cell& cell) {
  return !did_not_work(cell) && cell.outcome == capture::AuditOutcome::hangs;
}

/// What a reader of the test's report wants to see first.
std::string account(const audit::Cell& cell) {
  std::string text = outcome_label(cell) + "\n";
  if (cell.noticed)
    text += base::describe(cell.noticed->after) + ": " + noticed_words(*cell.noticed) + "\n";
  for (const std::string& words :
       {reaction_words(cell), reason_words(cell), repeat_words(cell), server_words(cell)})
    if (!words.empty()) text += words + "\n";
  if (!cell.text.empty()) text += "the user saw: " + cell.text + "\n";
  for (const std::string& words : advice_words(cell)) text += "what to change: " + words + "\n";
  if (!cell.page.empty()) text += "page: " + cell.page + "\n";
  return text;
}

std::string verdict_of(const audit::Cell& cell, const std::string& misses) {
  if (did_not_work(cell))
    return fmt::format(
        "      <error type=\"lab\" message=\"{}\"/>\n",
        xml_attribute(cell.trouble.empty() ? "the run ended before it was judged" : cell.trouble));
  if (is_skipped(cell))
    return fmt::format("      <skipped message=\"{}\"/>\n",
                       xml_attribute("the moment never came: " + cell.text));
  if (misses.empty())
    return fmt::format("      <system-out>{}</system-out>\n", xml_text(account(cell)));
  return fmt::format("      <failure type=\"requirement\" message=\"{}\">{}</failure>\n",
                     xml_attribute(misses), xml_text(account(cell)));
}

std::string misses_of(const audit::Cell& cell, const std::vector<audit::Miss>& misses,
                      const audit::Requirements& requirements) {
  std::string words;
  for (const audit::Miss& miss : misses)
    if (miss.cell == &cell) words += (words.empty() ? "" : "; ") + miss_words(miss, requirements);
  return words;
}

}  // namespace

void write_junit(std::ostream& out, const audit::Audit& audit,
                 const audit::Requirements& requirements) {
  const std::vector<audit::Miss> misses = audit::missed(audit, requirements);
  std::string cases;
  int failures = 0;
  int errors = 0;
  int skipped = 0;
  for (const audit::Cell& cell : audit.cells) {
    const std::string words = misses_of(cell, misses, requirements);
    failures += words.empty() ? 0 : 1;
    errors += did_not_work(cell) ? 1 : 0;
    skipped += is_skipped(cell) ? 1 : 0;
    cases += fmt::format(
        "    <testcase classname=\"{}\" name=\"{}\" time=\"{:.3f}\">\n{}    </testcase>\n",
        xml_attribute(failure_label(cell)),
        xml_attribute(cell.failure.empty() ? "baseline" : cell.moment_title),
        base::in_seconds(cell.took.value_or(is_hanging(cell) ? cell.limit : base::nanoseconds{})),
        verdict_of(cell, words));
  }
  const std::string totals =
      fmt::format("name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\"",
                  xml_attribute("audit: " + audit.title), audit.cells.size(), failures, errors);
  out << "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      << fmt::format("<testsuites {}>\n  <testsuite {} skipped=\"{}\">\n", totals, totals, skipped)
      << cases << "  </testsuite>\n</testsuites>\n";
}

}  // namespace tcplab::reports
