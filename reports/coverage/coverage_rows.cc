#include "reports/coverage/coverage_rows.hh"

#include <algorithm>
#include <fmt/format.h>

namespace tcplab::reports {

namespace {

std::string between(TcpState from, TcpState to) {
  return fmt::format("{} to {}", capture::name(from), capture::name(to));
}

CoverageSection edges(const Coverage& coverage, Origin origin, const std::string& title) {
  CoverageSection section{"edges", title, {}};
  for (const Edge& edge : state_diagram()) {
    if (edge.origin != origin) continue;
    // An end by loss of power is possible in any state, so it is not missing if not seen.
    if (origin == Origin::power && coverage.seen(edge).empty()) continue;
    section.rows.push_back({between(edge.from, edge.to), std::string(edge.event),
                            std::string(edge.source), coverage.seen(edge),
                            std::string(edge.unseen)});
  }
  return section;
}

/// Returns the transitions that took several edges at once, or one of several possible edges.
CoverageSection jumps(const Coverage& coverage) {
  CoverageSection section{"jumps", "Several transitions seen as one", {}};
  for (const auto& [jump, scenarios] : coverage.jumps())
    section.rows.push_back({between(jump.first, jump.second), "", "", scenarios, ""});
  return section;
}

CoverageSection answers(const Coverage& coverage, const std::string& call) {
  CoverageSection section{"answers", call, {}};
  for (const KnownOutcome& answer : known_outcomes()) {
    if (answer.call != call) continue;
    const Scenarios& seen = coverage.seen(CallOutcome{call, std::string(answer.value)});
    section.rows.push_back({std::string(answer.value), std::string(answer.meaning), "", seen,
                            std::string(answer.unseen)});
  }
  for (const auto& [answer, scenarios] : coverage.answers()) {
    const std::string& value = answer.value;
    const bool is_known =
        std::ranges::find(section.rows, value, &CoverageRow::name) != section.rows.end();
    if (answer.call == call && !is_known)
      section.rows.push_back({value, "seen, but not in the man pages", "", scenarios, ""});
  }
  return section;
}

}  // namespace

CoverageCounts count(const CoverageSection& section) {
  CoverageCounts counts;
  for (const CoverageRow& row : section.rows)
    ++(row.is_seen() ? counts.seen : row.is_open() ? counts.open : counts.impossible);
  return counts;
}

std::string describe(const CoverageCounts& counts) {
  std::string text = fmt::format("{} of {} seen", counts.seen, counts.all());
  if (counts.impossible != 0) text += fmt::format(", {} impossible here", counts.impossible);
  return text;
}

std::string some_of(const Scenarios& scenarios, std::size_t most) {
  std::string text;
  std::size_t named = 0;
  for (const std::string& scenario : scenarios) {
    if (named++ == most) return text + fmt::format(" and {} more", scenarios.size() - most);
    text += (text.empty() ? "" : ", ") + scenario;
  }
  return text;
}

std::vector<CoverageSection> coverage_sections(const Coverage& coverage) {
  std::vector<CoverageSection> sections = {
      edges(coverage, Origin::figure, "RFC 9293 figure 5"),
      edges(coverage, Origin::section, "RFC 9293 notes and section 3.10"),
      edges(coverage, Origin::extra, "Linux only"),
      edges(coverage, Origin::power, "Loss of power"),
      jumps(coverage),
  };
  std::string call;
  for (const KnownOutcome& answer : known_outcomes()) {
    if (answer.call == call) continue;
    call = answer.call;
    sections.push_back(answers(coverage, call));
  }
  std::erase_if(sections, [](const CoverageSection& section) { return section.rows.empty(); });
  return sections;
}

}  // namespace tcplab::reports
