#include "reports/site/document_page.hh"

#include <algorithm>
#include <fmt/format.h>

#include "base/split.hh"
#include "reports/html/assets.hh"
#include "reports/html/markup.hh"
#include "reports/site/site_map.hh"

namespace tcplab::site {

namespace {

using html::escaped;

constexpr int kDeepest = 3;                 // level of the headings in the table of contents
constexpr std::ptrdiff_t kFewHeadings = 3;  // a page with fewer needs no table of contents

std::string contents_list(const std::vector<Heading>& headings) {
  std::string list;
  for (const Heading& heading : headings)
    if (heading.level > 1 && heading.level <= kDeepest)
      list += fmt::format("<li class=\"level-{}\"><a href=\"#{}\">{}</a></li>\n", heading.level,
                          escaped(heading.anchor), escaped(heading.text));
  return "<ul>\n" + list + "</ul>\n";
}

/// Returns the table of contents twice: beside the text for wide windows, closed above the text for
/// narrow ones. The style hides one of them.
std::string contents(const std::vector<Heading>& headings) {
  const auto is_listed = [](const Heading& heading) {
    return heading.level > 1 && heading.level <= kDeepest;
  };
  if (std::ranges::count_if(headings, is_listed) < kFewHeadings) return "";
  const std::string list = contents_list(headings);
  return "<nav class=\"contents\" aria-label=\"On this page\">\n" + list +
         "</nav>\n<details class=\"contents\"><summary>On this page</summary>\n" + list +
         "</details>\n";
}

std::string page(const html::PageHead& head, const std::string& body) {
  return html::page_begin(head, "site", html::kNoScript) + "<main>\n" + body + "</main>\n" +
         html::page_end(html::kNoScript, head.site);
}

}  // namespace

std::string title_of(const RenderedText& text) {
  return text.headings.empty() ? "tcplab" : text.headings.front().text + " · tcplab";
}

std::string navigation_bar(const std::vector<NavigationEntry>& entries, const std::string& page,
                           const std::string& section) {
  const bool has_page = std::ranges::find(entries, page, &NavigationEntry::page) != entries.end();
  const auto mark = [&](const NavigationEntry& entry) {
    if (entry.page == page) return " aria-current=\"page\"";
    return !has_page && entry.page == section ? " aria-current=\"true\"" : "";
  };
  std::string links;
  for (const NavigationEntry& entry : entries)
    links += fmt::format("<a href=\"{}\"{}>{}</a>\n", escaped(address_between(page, entry.page)),
                         mark(entry), escaped(entry.label));
  return "<nav class=\"site\" aria-label=\"Site\">\n" + links + "</nav>\n";
}

std::string document_page(const RenderedText& text, const html::SitePlace& place,
                          std::string_view picture) {
  constexpr std::string_view kIntroductionEnd = "</p>\n";
  std::string article = text.html;
  const auto end = article.find(kIntroductionEnd);
  article.insert(end == std::string::npos ? 0 : end + kIntroductionEnd.size(), picture);
  return page({title_of(text), text.introduction, place},
              contents(text.headings) + "<article>\n" + article + "</article>\n");
}

std::string documents_page(const std::vector<ListedDocument>& documents,
                           const html::SitePlace& place) {
  std::string list;
  for (const ListedDocument& document : documents)
    list += fmt::format("<div><dt><a href=\"{}\">{}</a></dt><dd>{}</dd></div>\n",
                        escaped(document.address), escaped(document.title),
                        escaped(document.introduction));
  return page(
      {"Documents · tcplab", "", place},
      "<article>\n<h1>Documents</h1>\n<dl class=\"documents\">\n" + list + "</dl>\n</article>\n");
}

std::string with_navigation(const std::string& page, const std::string& navigation) {
  constexpr std::string_view kHeadEnd = "</head>";
  constexpr std::string_view kBody = "<body>\n";
  const auto head_end = page.find(kHeadEnd);
  const auto body = page.find(kBody);
  if (head_end == std::string::npos || body == std::string::npos) return page;
  std::string with = page;
  with.insert(body + kBody.size(), navigation);
  with.insert(head_end, fmt::format("<style>\n{}</style>\n", html::kBarStyle));
  return with;
}

std::string source_page(const std::string& path, const std::string& text,
                        const html::SitePlace& place) {
  std::string lines;
  for (const std::string& line : base::split(text, '\n')) lines += escaped(line) + "\n";
  return page({path + " · tcplab", "", place},
              fmt::format("<article>\n<h1>{}</h1>\n<pre tabindex=\"0\"><code>{}</code></pre>\n"
                          "</article>\n",
                          escaped(path), lines));
}

}  // namespace tcplab::site
