// Which line of the script a run is carrying out at each step.
#pragma once

#include <vector>

#include "reports/html/page_run.hh"

namespace tcplab::html {

/// Returns a line number for each step; 0 before the first line that is known. Lines of other
/// files, which a script includes, are not counted.
std::vector<int> script_lines(const PageRun& page);

}  // namespace tcplab::html
