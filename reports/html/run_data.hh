// The data of a run for the page's script: the steps, their events, and what each host knew after
// each step.
#pragma once

#include <string>

#include "reports/html/scene.hh"
#include "reports/html/told_run.hh"

namespace tcplab::html {

/// Returns JSON, for report.js.
std::string run_data(const ToldRun& told, const Scene& scene);

}  // namespace tcplab::html
