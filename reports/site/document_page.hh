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

/// Returns links to all entries, relative to `page`. The first entry is the name of the site. If no
/// entry leads to `page`, the one that leads to `section` is marked.
std::string navigation_bar(const std::vector<NavigationEntry>& entries, const std::string& page,
                           const std::string& section);

/// Returns the title of a document's page.
std::string title_of(const RenderedText& text);

/// Returns a page. `picture` is markup to insert below the document's first paragraph.
std::string document_page(const RenderedText& text, const html::SitePlace& place,
                          std::string_view picture = "");

struct ListedDocument {
  std::string title{};
  std::string address{};
  std::string introduction{};
};

/// Returns a page with a link to each document.
std::string documents_page(const std::vector<ListedDocument>& documents,
                           const html::SitePlace& place);

/// Returns a page that is not ours, with the navigation on top.
std::string with_navigation(const std::string& page, const std::string& navigation);

/// Returns a page that shows a file as it is.
std::string source_page(const std::string& path, const std::string& text,
                        const html::SitePlace& place);

}  // namespace tcplab::site
