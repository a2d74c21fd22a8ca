// A Coverage as rows, for all its reports. A row is an edge or a result, with the scenarios that
// showed it, or with the reason why it cannot be seen. Values; coverage_text.hh writes them.
#pragma once

#include <string>
#include <vector>

#include "reports/coverage/coverage.hh"

namespace tcplab::reports {

struct CoverageRow {
  std::string name;    // "SYN_SENT to ESTABLISHED", "ECONNREFUSED"
  std::string detail;  // "rcv SYN,ACK / snd ACK"
  std::string source;  // for edges: "RFC 9293 figure 5"
  Scenarios seen;
  std::string unseen;  // why it cannot be seen; empty if it can

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
  std::size_t open = 0;  // possible, but not seen
  std::size_t impossible = 0;

  std::size_t all() const { return seen + open + impossible; }
};

CoverageCounts count(const CoverageSection& section);

/// Returns "20 of 21 seen, 1 impossible here".
std::string describe(const CoverageCounts& counts);

/// Returns the first `most` names: "power-off, warmup and 3 more".
std::string some_of(const Scenarios& scenarios, std::size_t most);

/// Returns edges by origin, results by call, and what was seen but is not known.
std::vector<CoverageSection> coverage_sections(const Coverage& coverage);

}  // namespace tcplab::reports
