// Writes the rows of the picture. In a long run, equal drawings (all but time and place) are
// written once, and rows refer to them.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "reports/html/draw_step.hh"

namespace tcplab::html {

class Rows {
public:
  Rows(const PageRun& page, const Scene& scene);

  /// Returns the shared drawings, to be written before the rows; empty if none.
  std::string shared() const;
  std::string markup(std::size_t step) const;

private:
  const Scene& scene_;
  std::vector<DrawnStep> rows_;                // one for each step
  std::map<std::string, std::size_t> shared_;  // drawing -> number
};

}  // namespace tcplab::html
