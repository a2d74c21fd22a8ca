// The pages that show text: a document with its table of contents, and the source of a file.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "reports/html/page_parts.hh"
#include "reports/site/markdown.hh"

namespace tcplab::site {

struct NavigationEntry {
  std::string label;
  std::string page;
};

/// Returns links to all entries, relative to `page`. The first entry is the name of the site.
std::string navigation_bar(const std::vector<NavigationEntry>& entries, const std::string& page);

/// Returns a page. `picture` is markup to insert below the document's first paragraph.
std::string document_page(const RenderedText& text, const html::SitePlace& place,
                          std::string_view picture = "");

/// Returns a page that shows a file as it is.
std::string source_page(const std::string& path, const std::string& text,
                        const html::SitePlace& place);

}  // namespace tcplab::site
