// A run as one HTML file that needs nothing else: no network, and to be read no JavaScript either.
#pragma once

#include <string>

#include "reports/html/told_run.hh"

namespace tcplab::html {

/// `index`: the address of the suite's page beside it; empty where there is none.
std::string run_page(const ToldRun& told, const std::string& index);

}  // namespace tcplab::html
