// The index page of a suite: a row for each scenario with links to its runs, filters, and the state
// diagram with all edges that were seen. It needs only a summary of each run.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "reports/html/page_parts.hh"
#include "reports/html/page_run.hh"

namespace tcplab::html {

struct IndexEntry {
  std::string page;  // the file name of the run's page
  capture::RunStart run{};
  std::optional<capture::RunEnd> end{};
  int passed = 0;
  int failed = 0;
  EdgeSet edges{};

  /// Returns the name of the folder of the scenario's file: "puzzlers".
  std::string topic() const;
};

IndexEntry index_entry(const PageRun& run, const std::string& page);

/// Addresses of slides, relative to the index, by topic.
using SlideAddresses = std::map<std::string, std::string>;

std::string index_page(const std::vector<IndexEntry>& entries,
                       const std::optional<SitePlace>& site = {},
                       const SlideAddresses& slides = {});

/// Returns the state diagram with the edges of these runs. The tooltip of an edge names scenarios.
std::string coverage_diagram(const std::vector<IndexEntry>& entries);

}  // namespace tcplab::html
