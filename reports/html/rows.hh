// The rows of the picture as markup. In a long run what many rows have alike (words, shapes, text:
// all but the time and the place) is drawn once, and used by each of them.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "reports/html/draw_step.hh"

namespace tcplab::html {

class Rows {
public:
  Rows(const ToldRun& told, const Scene& scene);

  /// What the rows use; empty where each has its own. Stands before them.
  std::string shared() const;
  std::string markup(std::size_t step) const;

private:
  const Scene& scene_;
  std::vector<DrawnStep> rows_;                // one a step
  std::map<std::string, std::size_t> shared_;  // drawings, numbered
};

}  // namespace tcplab::html
