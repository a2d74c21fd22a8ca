// What changed between two runs, in terms of behaviour: lines that only one of them has, in place.
#pragma once

#include <iosfwd>
#include <optional>

#include "reports/diff/behaviour.hh"
#include "reports/text/style.hh"

namespace tcplab::reports {

/// Tells it, and whether the two behave alike.
bool tell_difference(std::ostream& out, const Style& style, const Behaviour& one,
                     const Behaviour& other);

/// A step from the one list of lines to the other.
struct Edit {
  enum class Kind : std::uint8_t { same, removed, added };
  Kind kind = Kind::same;
  std::size_t one = 0;    // where in the one; of what is added: before which
  std::size_t other = 0;  // likewise in the other
};

/// The fewest removals and additions (by longest common subsequence). Nothing where what lies
/// between the lists' like beginnings and like ends is some thousand lines of both: that is too
/// much memory.
std::optional<std::vector<Edit>> edits(const std::vector<std::string>& one,
                                       const std::vector<std::string>& other);

}  // namespace tcplab::reports
