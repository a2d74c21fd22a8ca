// A Coverage in rows, as every report of it shows them: what there is to see, who showed it, and
// why nobody can. Values; coverage_text.hh and its kin write them.
#pragma once

#include <string>
#include <vector>

#include "reports/coverage/coverage.hh"

namespace tcplab::reports {

struct CoverageRow {
  std::string name;    // "SYN_SENT to ESTABLISHED", "ECONNREFUSED"
  std::string detail;  // "rcv SYN,ACK / snd ACK"
  std::string source;  // of edges: "RFC 9293 figure 5"
  Scenarios seen;
  std::string unseen;  // why nobody can see it

  bool is_seen() const { return !seen.empty(); }
  bool is_open() const { return seen.empty() && unseen.empty(); }
};

struct CoverageSection {
  std::string kind;   // "edges", "answers" or "jumps", for programs
  std::string title;  // "Figure 5", "connect"
  std::vector<CoverageRow> rows;
};

struct CoverageCounts {
  std::size_t seen = 0;
  std::size_t open = 0;  // could be seen, and was not
  std::size_t impossible = 0;

  std::size_t all() const { return seen + open + impossible; }
};

CoverageCounts count(const CoverageSection& section);

/// "20 of 21 seen, 1 cannot be".
std::string describe(const CoverageCounts& counts);

/// "power-off, warmup and 3 more": the first `most` of them.
std::string some_of(const Scenarios& scenarios, std::size_t most);

/// Edges by where they come from, answers by call, and what was seen besides.
std::vector<CoverageSection> coverage_sections(const Coverage& coverage);

}  // namespace tcplab::reports
