// Which page of a site shows which file of the source tree, so that a link between files becomes a
// link between pages. Paths are relative: to the source tree, and to the site.
#pragma once

#include <map>
#include <string>

namespace tcplab::site {

/// Returns the address of a page from another page: "../docs/dnc.html". Encodes what a URL must not
/// contain.
std::string address_between(const std::string& from_page, const std::string& page);

/// Returns the way from a page to the site's folder: "../" from docs/dnc.html.
std::string way_to_root(const std::string& page);

class SiteMap {
public:
  /// Says that `page` shows the file or folder of the source tree. A page may have a fragment.
  void add(const std::string& file, const std::string& page) { pages_[file] = page; }
  /// Says that `page` is about this name of a scenario. The first one counts.
  void add_name(const std::string& name, const std::string& page) { names_.emplace(name, page); }

  /// Returns where a link in `document`, shown on the page of the document, leads. An address with
  /// a scheme stays as it is. Empty if the site does not have the file.
  std::string address_of_link(const std::string& document, const std::string& link) const;
  /// Returns the address of the page about a scenario; empty if there is none.
  std::string address_of_name(const std::string& document, const std::string& name) const;

  /// Returns the page of a file; empty if there is none.
  std::string page_of(const std::string& file) const;

private:
  std::map<std::string, std::string> pages_;
  std::map<std::string, std::string> names_;
};

/// Returns the path of the file that a link in `document` names: "docs/dnc.md" for "../docs/dnc.md"
/// in docs/shell.md. Empty for a link with a scheme, one within the document, and one that leaves
/// the source tree.
std::string linked_file(const std::string& document, const std::string& link);

}  // namespace tcplab::site
