#include "reports/html/index_page.hh"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
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

constexpr const char* kAbout =
    "What TCP does when hosts, networks and programs fail: each scenario with its question, and a "
    "page for each of its runs, with every call, state and packet of both ends.";

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

using Entries = std::vector<IndexEntry>;

/// The runs of one scenario: both families, and repetitions.
using Group = std::vector<const IndexEntry*>;

std::string edge_list(const Group& group) {
  EdgeSet edges;
  for (const IndexEntry* entry : group) edges.add(entry->edges);
  std::string out;
  for (const StatePair& edge : edges.all()) out += (out.empty() ? "" : ",") + edge_key(edge);
  return out;
}

Outcome outcome_of(const IndexEntry& entry) {
  return entry.end ? entry.end->outcome : Outcome::broken;
}

/// Returns the runs' outcomes, each once.
std::string outcome_list(const Group& group) {
  std::set<std::string_view> words;
  for (const IndexEntry* entry : group) words.insert(capture::word(outcome_of(*entry)));
  return fmt::format("{}", fmt::join(words, ","));
}

/// Returns the outcome that a reader must see first.
const IndexEntry& worst(const Group& group) {
  constexpr std::array kWorstFirst = {Outcome::broken, Outcome::bad_script, Outcome::failed,
                                      Outcome::skipped, Outcome::passed};
  return **std::ranges::min_element(group, {}, [&](const IndexEntry* entry) {
    return std::ranges::find(kWorstFirst, outcome_of(*entry)) - kWorstFirst.begin();
  });
}

std::string outcome_cell(const IndexEntry& entry) {
  if (!entry.end) return "<span class=\"badge skipped\">unfinished</span>";
  return badge(entry.end->outcome);
}

/// Returns links to the pages of the runs: "IPv4 IPv6", each with its mark. Repetitions are
/// numbered.
std::string run_links(const Group& group) {
  std::string out;
  std::map<std::string, int> counts;
  for (const IndexEntry* entry : group) {
    const std::string family = family_name(entry->run);
    const int number = ++counts[family];
    const bool is_good = outcome_of(*entry) == Outcome::passed;
    out +=
        fmt::format("<a class=\"of-family{}\" href=\"{}\">{}{}</a> ", is_good ? "" : " not-passed",
                    link_to(entry->page), family, number == 1 ? "" : fmt::format(" #{}", number));
  }
  return out;
}

/// Returns why runs did not pass, each reason once.
std::string reasons(const Group& group) {
  std::set<std::string> seen;
  std::string out;
  for (const IndexEntry* entry : group)
    if (entry->end && !entry->end->reason.empty() && seen.insert(entry->end->reason).second)
      out += fmt::format("<p class=\"why\">{}</p>", escaped(entry->end->reason));
  return out;
}

std::string row(const Group& group) {
  const IndexEntry& first = worst(group);
  int passed = 0;
  int all = 0;
  base::nanoseconds longest{};
  for (const IndexEntry* entry : group) {
    passed += entry->passed;
    all += entry->passed + entry->failed;
    if (entry->end) longest = std::max(longest, entry->end->duration);
  }
  return fmt::format(
      "<tr data-topic=\"{}\" data-outcome=\"{}\" data-edges=\"{}\" data-tags=\"{}\"><td>{}</td>"
      "<td><a href=\"{}\">{}</a><p class=\"question\">{}</p>{}<p class=\"tags\">{}</p></td>"
      "<td class=\"runs\">{}</td><td class=\"number\">{}/{}</td><td "
      "class=\"number\">{}</td></tr>\n",
      escaped(first.topic()), outcome_list(group), edge_list(group),
      escaped(fmt::format("{}", fmt::join(first.run.tags, ","))), outcome_cell(first),
      link_to(first.page), escaped(first.run.title.empty() ? first.run.scenario : first.run.title),
      escaped(first.run.asks), reasons(group), tag_list(first.run), run_links(group), passed, all,
      longest.count() == 0 ? "" : base::describe(longest));
}

std::vector<std::string> topics_of(const Entries& entries) {
  std::vector<std::string> topics;
  for (const IndexEntry& entry : entries)
    if (std::ranges::find(topics, entry.topic()) == topics.end()) topics.push_back(entry.topic());
  return topics;
}

/// Returns the runs of a topic by scenario, in the order in which the scenarios come.
std::vector<Group> groups_of(const Entries& entries, const std::string& topic) {
  std::vector<Group> groups;
  for (const IndexEntry& entry : entries) {
    if (entry.topic() != topic) continue;
    const auto found = std::ranges::find_if(groups, [&entry](const Group& group) {
      return group.front()->run.scenario == entry.run.scenario &&
             group.front()->run.file == entry.run.file;
    });
    if (found == groups.end())
      groups.push_back({&entry});
    else
      found->push_back(&entry);
  }
  return groups;
}

/// `slides` is the address of the topic's slides; empty if there are none.
std::string topic_table(const Entries& entries, const std::string& topic,
                        const std::string& slides) {
  const std::string link =
      slides.empty() ? ""
                     : fmt::format("<p class=\"slides-link\"><a href=\"{}\">Slides of {}</a></p>",
                                   escaped(slides), escaped(topic));
  std::string rows;
  for (const Group& group : groups_of(entries, topic)) rows += row(group);
  return fmt::format(
      "<section class=\"topic\" aria-label=\"{0}\"><h2 id=\"topic={0}\">{0}</h2>\n{2}<table>"
      "<thead><tr><th scope=\"col\">result</th><th scope=\"col\">scenario</th>"
      "<th scope=\"col\">runs</th><th scope=\"col\">checks</th><th scope=\"col\">time</th></tr>"
      "</thead>\n<tbody>\n{1}</tbody></table></section>\n",
      escaped(topic), rows, link);
}

std::string summary(const std::vector<IndexEntry>& entries) {
  reports::Counts counts;
  for (const IndexEntry& entry : entries) counts.count({.outcome = outcome_of(entry)});
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

}  // namespace

std::string IndexEntry::topic() const {
  const auto slash = run.file.rfind('/');
  if (slash == std::string::npos) return "scenarios";
  const std::string folder = run.file.substr(0, slash);
  const auto before = folder.rfind('/');
  return before == std::string::npos ? folder : folder.substr(before + 1);
}

IndexEntry index_entry(const PageRun& run, const std::string& page) {
  return {.page = page,
          .run = run.run.value_or(capture::RunStart{}),
          .end = run.end,
          .passed = run.passed,
          .failed = run.failed,
          .edges = run.edges};
}

std::string coverage_diagram(const std::vector<IndexEntry>& entries) {
  EdgeSet all;
  for (const IndexEntry& entry : entries) all.add(entry.edges);
  const EdgeNote note = [&entries](const StatePair& edge) {
    return scenarios_along(entries, edge);
  };
  return "<section class=\"diagram\">" + diagram(all, note) +
         "<p class=\"caption\">RFC 9293, figure 5. Highlighted: transitions of these runs.</p>"
         "</section>";
}

std::string index_page(const std::vector<IndexEntry>& entries, const std::optional<SitePlace>& site,
                       const SlideAddresses& slides) {
  std::string out = page_begin({"Scenario results · tcplab", kAbout, site}, "index", kIndexScript) +
                    "<main>\n<header><h1>Scenario results</h1>\n" + summary(entries) +
                    "</header>\n" + std::string(kFilters) +
                    "<div class=\"stage\"><div class=\"suite\">\n";
  for (const std::string& topic : topics_of(entries)) {
    const auto found = slides.find(topic);
    out += topic_table(entries, topic, found == slides.end() ? "" : found->second);
  }
  return out + "</div>\n<aside aria-label=\"Coverage\">" + coverage_diagram(entries) +
         "</aside>\n</div></main>\n" + page_end(kIndexScript, site);
}

}  // namespace tcplab::html
