// What the page's script needs of a run, as JSON: the moments, the events that they tell, and what
// everybody knew at each of them.
#pragma once

#include <string>

#include "reports/html/scene.hh"
#include "reports/html/told_run.hh"

namespace tcplab::html {

/// JSON, for report.js.
std::string run_data(const ToldRun& told, const Scene& scene);

}  // namespace tcplab::html
