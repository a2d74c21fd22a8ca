// Writes a run as one HTML file. It needs no network and, outside a site, no other file. It can be
// read without JavaScript.
#pragma once

#include <string>
#include <vector>

#include "reports/html/page_parts.hh"
#include "reports/html/page_run.hh"

namespace tcplab::html {

/// A link to another file of the run.
struct PageLink {
  std::string name;  // "capture.pcapng"
  std::string address;
};

/// Returns the page. `index` is the address of the suite's page; empty if there is none.
std::string run_page(const PageRun& page, const std::string& index,
                     const std::vector<PageLink>& files = {},
                     const std::optional<SitePlace>& site = {});

}  // namespace tcplab::html
