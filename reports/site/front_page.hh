// The front page of a site: a document whose sections with a command are doors, the search over the
// scenarios, and the heat map of clients.
#pragma once

#include <string>
#include <vector>

#include "reports/html/index_page.hh"
#include "reports/html/page_parts.hh"
#include "reports/site/markdown.hh"

namespace tcplab::site {

/// What the front page shows besides its text.
struct FrontParts {
  std::vector<html::IndexEntry> runs;
  std::string run_pages{};          // the folder of their pages: "scenarios"
  std::vector<TableRow> clients{};  // a heading, and a row for each client; empty: no heat map
};

/// Returns the page. The heat map is below the last section, and the search above it.
std::string front_page(const RenderedText& text, const html::SitePlace& place,
                       const FrontParts& parts);

/// Returns the class of a cell's colour: "t0" for the fastest, "hangs", "calm"; empty for none. A
/// cell is a mark, and mostly a time: "! 133 s" (docs/clients.md).
std::string heat_of(const std::string& cell);

}  // namespace tcplab::site
