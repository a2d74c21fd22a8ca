// What the page's script needs of a run, as JSON: the moments, the events that they tell, and what
// everybody knew at each of them.
#pragma once

#include <string>

#include "reports/html/told_run.hh"

namespace tcplab::html {

/// May stand in a <script> element.
std::string run_data(const ToldRun& told);

}  // namespace tcplab::html
