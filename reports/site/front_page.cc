#include "reports/site/front_page.hh"

#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <sstream>

#include "reports/html/markup.hh"
#include "reports/html/packed.hh"
#include "reports/site/document_page.hh"

namespace tcplab::site {

namespace {

using html::escaped;

/// Returns the seconds of a unit of time; nullopt if it is none.
std::optional<double> seconds_of_unit(const std::string& unit) {
  if (unit == "ms") return 0.001;
  if (unit == "s") return 1;
  if (unit == "min") return 60;
  return unit == "h" ? std::optional<double>(3600) : std::nullopt;
}

/// Returns the seconds of a cell: 0.012 for "! 12 ms", 7920 for "✓ 2 h 12 min", 0.001 for "! < 1
/// ms".
std::optional<double> seconds_of(const std::string& cell) {
  std::istringstream words(cell);
  std::string mark;
  std::string unit;
  double number = 0;
  words >> mark;
  if ((words >> std::ws).peek() == '<') words.get();
  std::optional<double> seconds;
  while (words >> number >> unit) {
    const std::optional<double> length = seconds_of_unit(unit);
    if (!length) return std::nullopt;
    seconds = seconds.value_or(0) + number * *length;
  }
  return seconds;
}

/// Divides a page at its headings of the second level. The first part is the introduction.
std::vector<std::string> sections_of(const std::string& page) {
  constexpr std::string_view kHeading = "<h2>";
  std::vector<std::string> sections;
  std::size_t at = 0;
  while (at != std::string::npos) {
    const auto next = page.find(kHeading, at == 0 ? 0 : at + kHeading.size());
    sections.push_back(page.substr(at, next == std::string::npos ? next : next - at));
    at = next;
  }
  return sections;
}

/// Returns what the search needs of each scenario, once for both families.
std::string search_data(const FrontParts& parts) {
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  std::set<std::pair<std::string, std::string>> seen;
  for (const html::IndexEntry& entry : parts.runs) {
    if (!seen.emplace(entry.run.scenario, entry.run.file).second) continue;
    const std::string& title = entry.run.title.empty() ? entry.run.scenario : entry.run.title;
    all.push_back({{"title", title},
                   {"name", entry.run.scenario},
                   {"asks", entry.run.asks},
                   {"tags", fmt::format("{} {}", entry.topic(), fmt::join(entry.run.tags, " "))},
                   {"page", parts.run_pages + html::link_to(entry.page).substr(1)}});
  }
  return html::packed(all.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
}

std::string search(const FrontParts& parts) {
  return fmt::format(
      "<section aria-label=\"Search\">\n<form class=\"find\" role=\"search\" data-all=\"{0}\" "
      "hidden>\n<label for=\"text\">Search the scenarios</label>\n"
      "<input type=\"search\" id=\"text\" name=\"text\" autocomplete=\"off\" "
      "placeholder=\"keepalive, RST, half-close\">\n"
      "<output for=\"text\"></output>\n</form>\n<ol class=\"found\"></ol>\n"
      "<p><a href=\"{0}\">All scenarios, by topic, tag and result</a></p>\n</section>\n"
      "<script type=\"text/plain\" id=\"scenarios\">{1}</script>\n",
      escaped(parts.run_pages + "/index.html"), search_data(parts));
}

constexpr std::string_view kKey =
    "<ul class=\"heat-key\" aria-label=\"Colours and marks\"><li class=\"calm\">= unaffected</li>"
    "<li class=\"t0\">under 0.1 s</li><li class=\"t1\">under 1 s</li><li class=\"t2\">under 10 s"
    "</li><li class=\"t3\">under 60 s</li><li class=\"t4\">longer</li><li class=\"hangs\">∞ hangs"
    "</li><li>✓ recovered</li><li>! error</li><li>✗ wrong data, exit status 0</li></ul>\n";

std::string heading_row(const TableRow& row) {
  std::string cells;
  for (const TableCell& cell : row) cells += "<th scope=\"col\">" + escaped(cell.text) + "</th>";
  return "<thead><tr>" + cells + "</tr></thead>\n";
}

std::string client_row(const TableRow& row) {
  std::string cells;
  for (const TableCell& cell : row)
    if (cells.empty())
      cells = "<th scope=\"row\">" +
              (cell.address.empty() ? escaped(cell.text)
                                    : fmt::format("<a href=\"{}\">{}</a>", escaped(cell.address),
                                                  escaped(cell.text))) +
              "</th>";
    else
      cells += fmt::format("<td class=\"{}\">{}</td>", heat_of(cell.text), escaped(cell.text));
  return "<tr>" + cells + "</tr>\n";
}

std::string heat_map(const std::vector<TableRow>& clients) {
  if (clients.empty()) return "";
  std::string rows;
  for (std::size_t index = 1; index < clients.size(); ++index) rows += client_row(clients[index]);
  return std::string(kKey) +
         "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"Heat map of clients\">"
         "<table class=\"heat\">\n" +
         heading_row(clients.front()) + "<tbody>\n" + rows + "</tbody></table></div>\n";
}

}  // namespace

std::string heat_of(const std::string& cell) {
  constexpr std::array kSteps = {0.1, 1.0, 10.0, 60.0};  // seconds, as in clients-map.html
  if (cell.empty() || cell == "-" || cell == "?") return "";
  if (cell == "∞") return "hangs";
  const std::optional<double> seconds = seconds_of(cell);
  if (!seconds) return "calm";
  int step = 0;
  for (const double limit : kSteps) step += *seconds >= limit ? 1 : 0;
  return fmt::format("t{}", step);
}

std::string front_page(const RenderedText& text, const html::SitePlace& place,
                       const FrontParts& parts) {
  const std::vector<std::string> sections = sections_of(text.html);
  std::string doors;
  std::string others;
  for (std::size_t index = 1; index < sections.size(); ++index) {
    const bool is_door = sections[index].find("<pre") != std::string::npos;
    (is_door ? doors : others) +=
        fmt::format("<section{}>\n{}{}</section>\n", is_door ? " class=\"door\"" : "",
                    sections[index], index + 1 == sections.size() ? heat_map(parts.clients) : "");
  }
  return html::page_begin({title_of(text), text.introduction, place}, "site front",
                          html::kFrontScript) +
         "<main>\n" + sections.front() + "<div class=\"doors\">\n" + doors + "</div>\n" +
         search(parts) + others + "</main>\n" + html::page_end(html::kFrontScript, place);
}

}  // namespace tcplab::site
