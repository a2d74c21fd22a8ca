#include "reports/html/index_page.hh"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <set>

#include "capture/event/event_words.hh"
#include "reports/html/assets.hh"
#include "reports/html/diagram.hh"
#include "reports/html/markup.hh"
#include "reports/html/page_parts.hh"
#include "reports/suite/run_result.hh"

namespace tcplab::html {

namespace {

using capture::Outcome;

std::string edge_key(const StatePair& edge) {
  return fmt::format("{} {}", capture::name(edge.first), capture::name(edge.second));
}

std::string family_name(const capture::RunStart& run) {
  return run.family == base::Family::ipv4 ? "IPv4" : "IPv6";
}

std::string tag_list(const capture::RunStart& run) {
  std::string out;
  for (const std::string& tag : run.tags)
    out += fmt::format("<span class=\"tag\">{}</span> ", escaped(tag));
  return out;
}

std::string edge_list(const IndexEntry& entry) {
  std::string out;
  for (const StatePair& edge : entry.edges.all()) out += (out.empty() ? "" : ",") + edge_key(edge);
  return out;
}

std::string outcome_cell(const IndexEntry& entry) {
  if (!entry.end) return "<span class=\"badge skipped\">unfinished</span>";
  return badge(entry.end->outcome);
}

std::string_view outcome_word(const IndexEntry& entry) {
  return entry.end ? capture::word(entry.end->outcome) : "broken";
}

std::string row(const IndexEntry& entry) {
  const std::string reason =
      entry.end && !entry.end->reason.empty()
          ? fmt::format("<p class=\"why\">{}</p>", escaped(entry.end->reason))
          : "";
  const std::string took = entry.end ? base::describe(entry.end->duration) : "";
  return fmt::format(
      "<tr data-topic=\"{}\" data-outcome=\"{}\" data-edges=\"{}\" data-tags=\"{}\"><td>{}</td>"
      "<td><a href=\"{}\">{}</a><p class=\"question\">{}</p>{}<p class=\"tags\">{}</p></td>"
      "<td>{}</td><td class=\"number\">{}/{}</td><td class=\"number\">{}</td></tr>\n",
      escaped(entry.topic()), outcome_word(entry), edge_list(entry),
      escaped(fmt::format("{}", fmt::join(entry.run.tags, ","))), outcome_cell(entry),
      link_to(entry.page), escaped(entry.run.title.empty() ? entry.run.scenario : entry.run.title),
      escaped(entry.run.asks), reason, tag_list(entry.run), family_name(entry.run), entry.passed,
      entry.passed + entry.failed, took);
}

std::vector<std::string> topics_of(const std::vector<IndexEntry>& entries) {
  std::vector<std::string> topics;
  for (const IndexEntry& entry : entries)
    if (std::ranges::find(topics, entry.topic()) == topics.end()) topics.push_back(entry.topic());
  return topics;
}

std::string topic_table(const std::vector<IndexEntry>& entries, const std::string& topic) {
  std::string rows;
  for (const IndexEntry& entry : entries)
    if (entry.topic() == topic) rows += row(entry);
  return fmt::format(
      "<section class=\"topic\" aria-label=\"{0}\"><h2 id=\"topic={0}\">{0}</h2>\n<table>"
      "<thead><tr><th scope=\"col\">result</th><th scope=\"col\">scenario</th>"
      "<th scope=\"col\">family</th><th scope=\"col\">checks</th><th scope=\"col\">time</th></tr>"
      "</thead>\n<tbody>\n{1}</tbody></table></section>\n",
      escaped(topic), rows);
}

std::string summary(const std::vector<IndexEntry>& entries) {
  reports::Counts counts;
  for (const IndexEntry& entry : entries)
    counts.count({.outcome = entry.end ? entry.end->outcome : Outcome::broken});
  std::string text =
      fmt::format("{} passed, {} failed, {} skipped", counts.passed, counts.failed, counts.skipped);
  if (counts.bad_script != 0)
    text += fmt::format(", {} bad script{}", counts.bad_script, counts.bad_script == 1 ? "" : "s");
  if (counts.broken != 0) text += fmt::format(", {} broken", counts.broken);
  std::set<std::string> kernels;
  for (const IndexEntry& entry : entries)
    if (!entry.run.kernel.empty()) kernels.insert("Linux " + entry.run.kernel);
  return fmt::format("<p class=\"outcome\">{}</p><p class=\"conditions\">{}</p>", text,
                     escaped(fmt::format("{}", fmt::join(kernels, ", "))));
}

/// Returns the scenarios that showed an edge, for its tooltip.
std::string scenarios_along(const std::vector<IndexEntry>& entries, const StatePair& edge) {
  constexpr std::size_t kMost = 12;
  std::set<std::string> names;
  for (const IndexEntry& entry : entries)
    if (entry.edges.contains(edge)) names.insert(entry.run.scenario);
  std::string text;
  std::size_t count = 0;
  for (const std::string& name : names) {
    if (++count > kMost) return text + fmt::format(" and {} more", names.size() - kMost);
    text += (text.empty() ? "" : ", ") + name;
  }
  return text;
}

std::string coverage(const std::vector<IndexEntry>& entries) {
  EdgeSet all;
  for (const IndexEntry& entry : entries) all.add(entry.edges);
  const EdgeNote note = [&entries](const StatePair& edge) {
    return scenarios_along(entries, edge);
  };
  return "<aside aria-label=\"Coverage\"><section class=\"diagram\">" + diagram(all, note) +
         "<p class=\"caption\">RFC 9293, figure 5. Highlighted: transitions of these runs.</p>"
         "</section></aside>\n";
}

}  // namespace

std::string IndexEntry::topic() const {
  const auto slash = run.file.rfind('/');
  if (slash == std::string::npos) return "scenarios";
  const std::string folder = run.file.substr(0, slash);
  const auto before = folder.rfind('/');
  return before == std::string::npos ? folder : folder.substr(before + 1);
}

IndexEntry index_entry(const ToldRun& told, const std::string& page) {
  return {.page = page,
          .run = told.run.value_or(capture::RunStart{}),
          .end = told.end,
          .passed = told.passed,
          .failed = told.failed,
          .edges = told.edges};
}

std::string index_page(const std::vector<IndexEntry>& entries) {
  std::string out = page_begin("Scenario results · tcplab", "index", kIndexScript) +
                    "<main>\n<header><h1>Scenario results</h1>\n" + summary(entries) +
                    "</header>\n" + std::string(kFilters) +
                    "<div class=\"stage\"><div class=\"suite\">\n";
  for (const std::string& topic : topics_of(entries)) out += topic_table(entries, topic);
  return out + "</div>\n" + coverage(entries) + "</div></main>\n" + page_end(kIndexScript);
}

}  // namespace tcplab::html
