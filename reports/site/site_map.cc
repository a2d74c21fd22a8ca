#include "reports/site/site_map.hh"

#include <algorithm>
#include <filesystem>
#include <regex>

#include "reports/html/markup.hh"

namespace tcplab::site {

namespace {

namespace fs = std::filesystem;

/// RFC 3986 section 3.1. "//host" has the scheme of the page.
bool has_scheme(const std::string& link) {
  static const std::regex kScheme("([A-Za-z][A-Za-z0-9+.-]*:|//).*");
  return std::regex_match(link, kScheme);
}

std::string before_fragment(const std::string& link) { return link.substr(0, link.find('#')); }

std::string fragment_of(const std::string& link) {
  const auto hash = link.find('#');
  return hash == std::string::npos ? "" : link.substr(hash);
}

}  // namespace

std::string address_between(const std::string& from_page, const std::string& page) {
  const fs::path target =
      fs::path(before_fragment(page)).lexically_relative(fs::path(from_page).parent_path());
  std::string address;
  for (const fs::path& part : target) {
    if (!address.empty()) address += '/';
    address += part == ".." ? std::string("..") : html::link_to(part.string()).substr(2);
  }
  return address + fragment_of(page);
}

std::string way_to_root(const std::string& page) {
  std::string way;
  for (auto folders = std::ranges::count(page, '/'); folders > 0; --folders) way += "../";
  return way;
}

std::string linked_file(const std::string& document, const std::string& link) {
  const std::string path = before_fragment(link);
  if (path.empty() || path.front() == '/' || has_scheme(link)) return "";
  std::string file = (fs::path(document).parent_path() / path).lexically_normal().string();
  if (file.ends_with('/')) file.pop_back();
  return file.starts_with("..") ? "" : file;
}

std::string SiteMap::page_of(const std::string& file) const {
  const auto found = pages_.find(file);
  return found == pages_.end() ? "" : found->second;
}

std::string SiteMap::address_of_link(const std::string& document, const std::string& link) const {
  if (has_scheme(link) || link.starts_with('#')) return link;
  const std::string page = page_of(linked_file(document, link));
  if (page.empty()) return "";
  const std::string fragment = fragment_of(link);
  return address_between(page_of(document),
                         fragment.empty() ? page : before_fragment(page) + fragment);
}

std::string SiteMap::address_of_name(const std::string& document, const std::string& name) const {
  const auto found = names_.find(name);
  return found == names_.end() ? "" : address_between(page_of(document), found->second);
}

}  // namespace tcplab::site
