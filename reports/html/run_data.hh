// The data of a run for the page's script: the steps, their events, and what each host knew after
// each step.
#pragma once

#include <string>

#include "reports/html/page_run.hh"
#include "reports/html/scene.hh"

namespace tcplab::html {

/// Returns JSON, for report.js.
std::string run_data(const PageRun& page, const Scene& scene);

}  // namespace tcplab::html
