#include "reports/site/site.hh"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fmt/format.h>

#include "reports/site/document_page.hh"
#include "reports/site/front_page.hh"
#include "reports/site/markdown.hh"

namespace tcplab::site {

namespace {

namespace fs = std::filesystem;

constexpr const char* kReadme = "README.md";
constexpr const char* kFront = "docs/front.md";
constexpr const char* kPicture = "docs/pictures/page.png";  // 1280 x 1036
constexpr const char* kFrontPage = "index.html";
constexpr const char* kDocumentsPage = "documents.html";
// The coverage of the site's runs replaces this document.
constexpr const char* kCoverage = "docs/coverage.md";
constexpr const char* kCoveragePage = "coverage.html";

const std::string kCoverageTitle =
    "# Coverage\n\nWhich transitions of RFC 9293's state diagram the runs of this site have shown, "
    "and which results each system call returned.\n\n";

std::string runs_index() { return fmt::format("{}/index.html", kRunPages); }

// The entries of the navigation that are documents.
constexpr const char* kPuzzlers = "docs/puzzlers.md";
constexpr const char* kClients = "docs/clients.md";

/// Returns the page of a document: "docs/dnc.html".
std::string page_of_document(const std::string& path, bool has_front) {
  if (path == (has_front ? kFront : kReadme)) return kFrontPage;
  return fs::path(path).replace_extension(".html").string();
}

/// Returns the first heading, up to a colon or a comma: "Scenarios: the interface" is Scenarios.
std::string label_of(const std::string& path, const std::string& text) {
  const auto begin = text.find("# ");
  if (begin == std::string::npos || (begin != 0 && text[begin - 1] != '\n'))
    return fs::path(path).stem().string();
  return text.substr(begin + 2, text.find_first_of(":,\n", begin) - begin - 2);
}

/// Whether a browser shows the file itself: a picture, or a page that is complete.
bool is_for_browsers(const std::string& path) {
  constexpr std::array<std::string_view, 3> kEndings = {".svg", ".png", ".html"};
  return std::ranges::any_of(kEndings, [&](std::string_view end) { return path.ends_with(end); });
}

/// Returns the path of a scenario's file in the source tree: "scenarios/puzzlers/power-cycle.lua".
std::string source_of(const html::IndexEntry& run) {
  const auto folder = run.run.file.rfind("scenarios/");
  return folder == std::string::npos ? run.run.file : run.run.file.substr(folder);
}

/// Returns the addresses that a document links to.
std::vector<std::string> links_of(const std::string& markdown) {
  std::vector<std::string> links;
  rendered(markdown, {.of_link =
                          [&links](const std::string& link) {
                            links.push_back(link);
                            return link;
                          },
                      .of_code = [](const std::string&) { return std::string(); }});
  return links;
}

}  // namespace

Site::Site(std::vector<std::string> documents, ReadFile read, const std::string& address)
    : read_(std::move(read)), has_front_(std::ranges::count(documents, kFront) != 0) {
  const std::string readme = read_(kReadme).value_or("");
  std::ranges::stable_sort(documents, {}, [&readme](const std::string& path) {
    return std::pair(path != kReadme, readme.find(path));
  });
  for (const std::string& path : documents) {
    const std::optional<std::string> text = read_(path);
    if (!text || path == kCoverage) continue;
    documents_.push_back({path, *text, page_of_document(path, has_front_), label_of(path, *text)});
    map_.add(path, documents_.back().page);
  }
  const std::optional<std::string> picture = address.empty() ? std::nullopt : read_(kPicture);
  if (picture) {
    copies_[kPicture] = *picture;
    map_.add(kPicture, kPicture);
    picture_ = address + (address.ends_with('/') ? "" : "/") + kPicture;
  }
  map_.add(kCoverage, kCoveragePage);
  map_.add("scenarios", runs_index());
  coverage_ = {kCoverage, "", kCoveragePage, "Coverage"};
}

void Site::add_runs(const std::vector<html::IndexEntry>& runs, const std::string& coverage) {
  coverage_.text = kCoverageTitle + coverage;
  diagram_ = html::coverage_diagram(runs);
  runs_ = runs;
  for (const html::IndexEntry& run : runs) {
    const std::string page = fmt::format("{}/{}", kRunPages, run.page);
    const std::string source = source_of(run);
    if (map_.page_of(source).empty()) map_.add(source, page);
    map_.add("scenarios/" + run.topic(), runs_index() + "#topic=" + run.topic());
    // A name without a hyphen may be a word of another kind, such as a system call.
    if (run.run.scenario.find('-') != std::string::npos) map_.add_name(run.run.scenario, page);
  }
}

html::SitePlace Site::place_of_runs() const { return place_of(kRunPages + std::string("/")); }

/// Returns the way from a page to the site's folder, and the navigation for its top. It is the same
/// on all pages, except for the mark of the current page.
html::SitePlace Site::place_of(const std::string& page) const {
  std::vector<NavigationEntry> entries = {{"tcplab", kFrontPage},
                                          {"Scenarios", runs_index()},
                                          {"Puzzlers", map_.page_of(kPuzzlers)},
                                          {"Clients", map_.page_of(kClients)},
                                          {coverage_.label, coverage_.page},
                                          {"Documents", kDocumentsPage}};
  std::erase_if(entries, [](const NavigationEntry& entry) { return entry.page.empty(); });
  const bool is_run = page.starts_with(std::string(kRunPages) + "/");
  return {way_to_root(page), navigation_bar(entries, page, is_run ? runs_index() : kDocumentsPage),
          picture_};
}

/// Finds the files that a document links to and that have no page yet.
void Site::add_linked_files(const Document& document) {
  for (const std::string& link : links_of(document.text)) {
    const std::string path = linked_file(document.path, link);
    if (path.empty() || !map_.page_of(path).empty()) continue;
    const std::optional<std::string> content = read_(path);
    if (!content) continue;
    const bool is_shown = is_for_browsers(path);
    (is_shown ? copies_ : sources_)[path] = *content;
    map_.add(path, is_shown ? path : "source/" + path + ".html");
  }
}

/// Returns where the links of a document lead.
AddressRules Site::rules_of(const std::string& document) const {
  return {.of_link = [this, document](
                         const std::string& link) { return map_.address_of_link(document, link); },
          .of_code = [this, document](
                         const std::string& code) { return map_.address_of_name(document, code); }};
}

std::string Site::page_with_contents(const Document& document, const std::string& picture) const {
  return document_page(rendered(document.text, rules_of(document.path)), place_of(document.page),
                       picture);
}

std::string Site::front() const {
  FrontParts parts{.runs = runs_, .run_pages = kRunPages};
  if (const std::optional<std::string> clients = read_(kClients)) {
    parts.clients = first_table(*clients, {.of_link = [this](const std::string& link) {
      const std::string page = map_.page_of(linked_file(kClients, link));
      return page.empty() ? "" : address_between(kFrontPage, page);
    }});
  }
  return front_page(rendered(read_(kFront).value_or(""), rules_of(kFront)), place_of(kFrontPage),
                    parts);
}

std::string Site::list_of_documents() const {
  const AddressRules no_links{.of_link = [](const std::string&) { return std::string(); },
                              .of_code = [](const std::string&) { return std::string(); }};
  std::vector<ListedDocument> list;
  for (const Document& document : documents_)
    if (document.path != kFront)
      list.push_back({document.label, address_between(kDocumentsPage, document.page),
                      rendered(document.text, no_links).introduction});
  return documents_page(list, place_of(kDocumentsPage));
}

SiteFile Site::source_page(const std::string& path, const std::string& text) const {
  const std::string page = map_.page_of(path);
  return {page, site::source_page(path, text, place_of(page))};
}

std::vector<SiteFile> Site::files() {
  std::vector<SiteFile> files = html::shared_files();
  for (const Document& document : documents_) add_linked_files(document);
  for (const Document& document : documents_)
    files.push_back(
        {document.page, document.path == kFront ? front() : page_with_contents(document, "")});
  files.push_back({kDocumentsPage, list_of_documents()});
  files.push_back({coverage_.page, page_with_contents(coverage_, diagram_)});
  for (const auto& [path, text] : sources_) files.push_back(source_page(path, text));
  for (const auto& [path, content] : copies_)
    files.push_back({path, path.ends_with(".html")
                               ? with_navigation(content, place_of(path).navigation)
                               : content});
  return files;
}

}  // namespace tcplab::site
