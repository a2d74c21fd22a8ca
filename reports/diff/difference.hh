// Compares the behaviour of two runs: finds the lines that only one of them has, and shows them in
// place.
#pragma once

#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "reports/diff/behaviour.hh"
#include "reports/text/style.hh"

namespace tcplab::reports {

/// One line of a difference. `gap` stands for equal lines that are left out, `unknown` for lists
/// that are too long to compare.
struct DifferenceLine {
  enum class Kind : std::uint8_t { same, removed, added, gap, unknown };
  Kind kind = Kind::same;
  std::string text;
};

/// What differs in one list of both runs, with equal lines around it.
struct ListDifference {
  std::string title;  // "calls of kang's dnc"
  std::vector<DifferenceLine> lines;
};

struct Difference {
  std::vector<ListDifference> lists;
  std::vector<std::string> notes;  // about what was not compared
  bool is_one_cut_off = false;     // one of the runs has no end

  bool is_none() const { return lists.empty() && !is_one_cut_off; }
};

Difference find_difference(const Behaviour& one, const Behaviour& other);

/// Writes the difference of two runs for people.
void write_difference(std::ostream& out, const Style& style, const Behaviour& one,
                      const Behaviour& other, const Difference& difference);

/// A step from one list of lines to the other.
struct Edit {
  enum class Kind : std::uint8_t { same, removed, added };
  Kind kind = Kind::same;
  std::size_t one = 0;    // position in the one list; for `added`, the line after it
  std::size_t other = 0;  // position in the other list; for `removed`, the line after it
};

/// Returns the fewest removals and additions (longest common subsequence). Returns none if the
/// lists differ in thousands of lines: that would take too much memory.
std::optional<std::vector<Edit>> edits(const std::vector<std::string>& one,
                                       const std::vector<std::string>& other);

}  // namespace tcplab::reports
