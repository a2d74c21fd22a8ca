// The pages of a static site: the documents of the source tree, the coverage, and the text of other
// files that documents link to. The pages of runs are made elsewhere; the site links to them.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "reports/html/index_page.hh"
#include "reports/site/markdown.hh"
#include "reports/site/site_map.hh"

namespace tcplab::site {

/// Where the pages of runs are, below the site's folder.
inline constexpr const char* kRunPages = "scenarios";

using SiteFile = html::SharedFile;

class Site {
public:
  /// Returns the content of a file of the source tree; nothing if there is no such file.
  using ReadFile = std::function<std::optional<std::string>(const std::string& path)>;

  /// `documents` are the paths of Markdown files. docs/front.md becomes the front page; without it,
  /// README.md does. The text of README.md gives the order of the documents: the order in which it
  /// mentions them.
  /// `address` is where the site will be published, such as "https://example.org/"; empty if that
  /// is not known. Then links to its pages have no picture: Open Graph has no relative addresses.
  Site(std::vector<std::string> documents, ReadFile read, const std::string& address = "");

  /// Adds the pages of runs, so that documents can link to them. `coverage` is the coverage of the
  /// runs as Markdown.
  void add_runs(const std::vector<html::IndexEntry>& runs, const std::string& coverage);

  /// Returns the place of the index of the runs. Their pages are in the same folder.
  html::SitePlace place_of_runs() const;

  /// Returns all pages but those of the runs, and the files that all pages need.
  std::vector<SiteFile> files();

private:
  struct Document {
    std::string path;
    std::string text;
    std::string page;
    std::string label;  // in the list of documents
  };

  html::SitePlace place_of(const std::string& page) const;
  void add_linked_files(const Document& document);
  AddressRules rules_of(const std::string& document) const;
  std::string front() const;
  std::string list_of_documents() const;
  std::string page_with_contents(const Document& document, const std::string& picture) const;
  SiteFile source_page(const std::string& path, const std::string& text) const;

  ReadFile read_;
  bool has_front_ = false;
  std::string picture_;  // of links to the pages: an address
  std::vector<Document> documents_;
  Document coverage_;
  std::string diagram_;
  std::vector<html::IndexEntry> runs_;
  SiteMap map_;
  std::map<std::string, std::string> sources_;  // of linked files, by their paths
  std::map<std::string, std::string> copies_;   // what browsers show, by their paths
};

}  // namespace tcplab::site
