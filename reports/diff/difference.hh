// Compares the behaviour of two runs: shows the lines that only one of them has, in place.
#pragma once

#include <iosfwd>
#include <optional>

#include "reports/diff/behaviour.hh"
#include "reports/text/style.hh"

namespace tcplab::reports {

/// Writes the difference. Returns true if the two behave alike.
bool tell_difference(std::ostream& out, const Style& style, const Behaviour& one,
                     const Behaviour& other);

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
