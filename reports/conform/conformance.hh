// A table of requirements and TCP stacks (tcplab conform): a cell has the verdicts of a
// requirement's runs on a stack. Values only.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reports/suite/run_result.hh"
#include "reports/text/rfc_requirement.hh"

namespace tcplab::reports {

enum class Conformity : std::uint8_t {
  met,
  not_met,         // by the requirement's own check, nothing else
  does_not_arise,  // the stack never does what the requirement is about
  not_seen,        // the run could not show it; there is a reason
};

/// "met", "not met", "does not arise" or "not seen".
std::string_view word(Conformity verdict);
std::optional<Conformity> conformity(std::string_view word);
/// "✓", "✗", "–" or "?".
std::string_view mark_of(Conformity verdict);

struct ConformRun {
  std::string family{};  // "IPv4"
  Conformity verdict = Conformity::not_seen;
  std::string reason{};     // unless it is met: one line
  std::string directory{};  // the folder of the run
  std::string page{};       // relative to the page of the table; empty if there is none
};

/// Returns "not met: it answers with a RST"; "met" without a reason.
std::string text_of(const ConformRun& run);

/// Returns what a run says about its requirement. It is met or not met only if lab:require has
/// judged: a run that fails before that, or passes without it, has not shown anything.
ConformRun conform_run(const RunResult& result, const std::string& family);

struct ConformCell {
  std::vector<ConformRun> runs{};

  /// The verdict of all runs together: the first of not met, not seen, met, does not arise that a
  /// run has. Without a run, it is not seen.
  Conformity verdict() const;
  /// Returns "not met: it answers with a RST", with the families if they differ.
  std::string text() const;
};

struct ConformRow {
  RfcRequirement requirement{};
  std::string scenario{};
  std::vector<ConformCell> cells{};  // one for each stack

  /// Returns whether two stacks have different verdicts.
  bool differs() const;
  /// Returns whether the second stack meets it, and the first one does not: it is not met, or does
  /// not arise.
  bool is_worse() const;
};

struct Conformance {
  std::vector<std::string> stacks{};  // the tested stack, then what it is compared with
  std::vector<ConformRow> rows{};     // in the order of comes_before()
};

/// How many rows have that verdict, on the stack of that column. A requirement that two scenarios
/// test has two rows.
struct ConformCounts {
  int met = 0;
  int not_met = 0;
  int must_not_met = 0;  // of these
  int does_not_arise = 0;
  int not_seen = 0;
};
ConformCounts counts_of(const Conformance& table, std::size_t column);

/// Returns "lwip: 31 met, 6 not met (2 of them MUST), 1 does not arise, 2 not seen".
std::string conform_totals(const Conformance& table, std::size_t column);
/// Returns "5 verdicts differ; of these requirements, linux meets 2 that lwip does not meet"; empty
/// with one stack.
std::string difference_totals(const Conformance& table);

}  // namespace tcplab::reports
