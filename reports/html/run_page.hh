// Writes a run as one HTML file. It needs no network, and it can be read without JavaScript.
#pragma once

#include <string>

#include "reports/html/told_run.hh"

namespace tcplab::html {

/// Returns the page. `index` is the address of the suite's page; empty if there is none.
std::string run_page(const ToldRun& told, const std::string& index);

}  // namespace tcplab::html
