// Writes a run as one HTML file. It needs no network, and it can be read without JavaScript.
#pragma once

#include <string>
#include <vector>

#include "reports/html/page_run.hh"

namespace tcplab::html {

/// A link to another file of the run.
struct PageLink {
  std::string name;  // "capture.pcapng"
  std::string address;
};

/// Returns the page. `index` is the address of the suite's page; empty if there is none.
/// `navigation` is markup for the top of the page, if it is part of a site.
std::string run_page(const PageRun& page, const std::string& index,
                     const std::vector<PageLink>& files = {}, const std::string& navigation = "");

}  // namespace tcplab::html
