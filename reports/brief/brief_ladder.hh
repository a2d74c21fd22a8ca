// The ladder of a brief run as SVG: the rows of its steps, and of what is left out between them.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "reports/brief/brief.hh"
#include "reports/html/lanes.hh"
#include "reports/html/scene.hh"

namespace tcplab::reports {

inline constexpr double kBriefTimes = 58;  // width of the times, which end at x = 0

/// Returns a text element. `kind` is its class.
std::string text_at(std::string_view kind, double x, double y, std::string_view markup);

class BriefLadder {
public:
  /// `brief` must live longer. The ladder sets the heights of the sizes.
  BriefLadder(const Brief& brief, const html::Measures& sizes);

  const html::Scene& scene() const { return scene_; }
  /// Returns the row of a step or a gap, in its place; empty if it has none. `kind` is more
  /// classes.
  std::string row(std::size_t index, std::string_view kind = "") const;
  /// Returns the step in words, for readers who do not see the picture. Not escaped.
  std::string words(std::size_t index) const;

private:
  html::Measures with_gaps(html::Measures sizes);
  bool has_state(const std::string& host, double top, double height) const;
  std::string draw_gap(const std::vector<std::string>& lines, const Gap& gap, double top) const;

  const Brief& brief_;
  std::map<std::size_t, std::vector<std::string>> gaps_;
  html::Scene scene_;
};

}  // namespace tcplab::reports
