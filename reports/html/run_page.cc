#include "reports/html/run_page.hh"

#include <algorithm>
#include <fmt/format.h>
#include <set>

#include "base/split.hh"
#include "reports/html/assets.hh"
#include "reports/html/diagram.hh"
#include "reports/html/flame.hh"
#include "reports/html/highlights.hh"
#include "reports/html/lanes.hh"
#include "reports/html/layout.hh"
#include "reports/html/markup.hh"
#include "reports/html/packed.hh"
#include "reports/html/page_parts.hh"
#include "reports/html/picture.hh"
#include "reports/html/run_data.hh"
#include "reports/html/words.hh"
#include "reports/text/frame_text.hh"
#include "reports/text/text.hh"

namespace tcplab::html {

namespace {

std::string written_text(const capture::Verdict::LastLines& written) {
  return definition(escaped(written.stream + " of " + written.host + "'s " + written.program),
                    written.text);
}

using capture::Outcome;

std::string outcome_sentence(const PageRun& page) {
  if (!page.end) return "<span class=\"badge skipped\">unfinished</span>";
  std::string text = badge(page.end->outcome);
  const int all = page.passed + page.failed;
  const bool has_run = page.end->outcome == Outcome::passed || page.end->outcome == Outcome::failed;
  if (has_run)
    text +=
        fmt::format(" <span class=\"count\">{} of {} expectations met{}, in {}</span>", page.passed,
                    all, page.unchecked == 0 ? "" : fmt::format(", {} not checked", page.unchecked),
                    escaped(base::describe(page.end->duration)));
  return text;
}

std::string links(const std::string& index, std::string_view index_name,
                  const std::vector<PageLink>& files) {
  std::string out;
  const auto add = [&out](const std::string& address, std::string_view name) {
    out += fmt::format("{}<a href=\"{}\">{}</a>", out.empty() ? "" : " · ", escaped(address),
                       escaped(name));
  };
  if (!index.empty()) add(index, index_name);
  for (const PageLink& file : files) add(file.address, file.name);
  return out.empty() ? out : "<nav aria-label=\"Files\">" + out + "</nav>\n";
}

std::string header(const PageRun& page, const std::string& index,
                   const std::vector<PageLink>& files) {
  const capture::RunStart run = page.run.value_or(capture::RunStart{});
  std::string out = "<header>\n";
  out += links(index, page.is_capture ? "All connections" : "All scenarios", files);
  out += fmt::format("<h1>{}</h1>\n", escaped(run.title.empty() ? run.scenario : run.title));
  if (!run.asks.empty()) out += fmt::format("<p class=\"asks\">{}</p>\n", escaped(run.asks));
  if (!page.is_capture) out += fmt::format("<p class=\"outcome\">{}</p>\n", outcome_sentence(page));
  out += fmt::format("<p class=\"conditions\">{}</p>\n", escaped(reports::conditions(run)));
  if (page.end && !page.end->reason.empty() && page.failed == 0)
    out += fmt::format("<p class=\"reason\">{}</p>\n", escaped(page.end->reason));
  if (page.end)
    for (const capture::Verdict::LastLines& written : page.end->last_lines)
      out += fmt::format("<dl>{}</dl>\n", written_text(written));
  if (page.is_cut_off)
    out +=
        "<p class=\"reason\">The last line of events.jsonl is incomplete: the run was "
        "interrupted.</p>\n";
  if (page.left_out != 0)
    out += fmt::format(
        "<p class=\"reason\">{} more events are not drawn; events.jsonl has them."
        "</p>\n",
        page.left_out);
  return out + "</header>\n";
}

std::string failure(const reports::Step& step, const capture::Verdict& verdict) {
  std::string out = "<li>";
  const std::string link = step.events.empty() ? "" : fmt::format("#event={}", step.events.front());
  out += fmt::format("<a href=\"{}\">{}</a>", link, escaped(verdict.expected));
  out += fmt::format("<dl><div><dt>seen</dt><dd>{}</dd></div>",
                     verdict.seen.empty() ? "nothing that matches" : escaped(verdict.seen));
  out += definition("nearest", verdict.nearest);
  for (const capture::Verdict::LastLines& written : verdict.last_lines)
    out += written_text(written);
  if (!verdict.script.empty())
    out += fmt::format("<div><dt>script</dt><dd>{}, line {}<br><code>{}</code></dd></div>",
                       escaped(verdict.script), verdict.line, escaped(verdict.code));
  return out + "</dl></li>\n";
}

/// Returns the list of failed expectations, each with a link to its step.
std::string failures(const PageRun& page) {
  std::string list;
  for (const reports::Step& step : page.steps)
    if (const auto* judgement = std::get_if<reports::Judgement>(&step.content))
      if (!judgement->verdict.passed) list += failure(step, judgement->verdict);
  if (list.empty()) return "";
  return "<section class=\"failures\" aria-label=\"Failed expectations\">\n"
         "<h2>Failed expectations</h2>\n<ol>\n" +
         list + "</ol>\n</section>\n";
}

std::string explanation(const PageRun& page) {
  if (!page.run) return "";
  const std::string list = definition("The article saw", page.run->article) +
                           definition("What Linux does", page.run->here) +
                           definition(page.is_capture ? "Probably" : "Why", page.run->why);
  if (list.empty()) return "";
  return "<section class=\"explanation\" aria-label=\"Explanation\">\n<dl>\n" + list +
         "</dl>\n</section>\n";
}

std::string about_machine(const PageRun& page) {
  const std::string text = page.run ? reports::text_about_machine(*page.run) : "";
  return text.empty() ? "" : "<p class=\"conditions\">" + escaped(text) + "</p>\n";
}

/// A table of the steps as text, which the script fills from the titles of the picture.
constexpr std::string_view kTable =
    "<details class=\"words\" hidden><summary>All steps as text</summary>\n<table>\n<thead><tr>"
    "<th scope=\"col\">step</th><th scope=\"col\">seconds</th><th scope=\"col\">what happens</th>"
    "</tr></thead>\n<tbody></tbody></table></details>\n";

constexpr std::size_t kMostWithoutScript = 200;
constexpr std::size_t kMostGraphs = 20;

/// Returns a table of the steps for a browser without JavaScript. That of a long run has only the
/// steps that matter most.
std::string plain_table(const PageRun& page, const Scene& scene) {
  std::vector<std::size_t> indices = highlights(page);
  const bool is_folded = page.steps.size() > kMostWithoutScript;
  indices.resize(std::min(indices.size(), kMostWithoutScript));
  const std::set<std::size_t> chosen(indices.begin(), indices.end());
  std::string rows;
  int number = 0;
  for (std::size_t index = 0; index < page.steps.size(); ++index) {
    number += scene.places[index].height == 0 ? 0 : 1;
    if (scene.places[index].height == 0 || (is_folded && !chosen.contains(index))) continue;
    const reports::Step& step = page.steps[index];
    rows += fmt::format("<tr><td>{}<td>{}<td>{}\n", number, time_of(page, step),
                        escaped(words_of(page, step)));
  }
  return fmt::format(
      "<noscript><section class=\"plain\"><h2>{}</h2><table><thead><tr><th scope=\"col\">step"
      "<th scope=\"col\">seconds<th scope=\"col\">what happens</thead>\n<tbody>{}</tbody></table>"
      "</section></noscript>\n",
      is_folded ? "The steps that matter most, as text" : "All steps as text", rows);
}

std::string latency_cell(const PageRun& page, base::nanoseconds span, std::uint64_t event) {
  const std::string text = escaped(base::describe(span));
  if (!page.events.contains(event)) return "<td>" + text;
  return fmt::format("<td><a href=\"#event={}\">{}</a>", event, text);
}

std::string latency_rows(const PageRun& page, const reports::ProgramLatency& latency) {
  const std::string name = escaped(latency.host + "'s " + latency.program);
  std::string rows;
  for (const reports::OpenCall& call : latency.open)
    rows += fmt::format("<tr><td>{}<td>{}<td>has not returned<td>1<td><td>{}\n", name,
                        escaped(call.call), latency_cell(page, call.span, call.event));
  for (const reports::LatencyTable::Row& row : latency.table.rows())
    rows += fmt::format(
        "<tr><td>{}<td>{}<td>{}, {}<td>{}<td>{}<td>{}{}\n", name, escaped(row.key.call),
        escaped(row.key.result), row.key.has_blocked ? "blocked" : "at once", row.sorted.size(),
        escaped(base::describe(row.percentile(0.5))), escaped(base::describe(row.percentile(0.99))),
        latency_cell(page, row.slowest().span, row.slowest().event));
  return rows;
}

/// Returns a table of how long calls took; each slowest call is a link to its step. Empty without
/// calls.
std::string latencies(const PageRun& page) {
  std::string rows;
  for (const reports::ProgramLatency& each : page.latencies) rows += latency_rows(page, each);
  if (rows.empty()) return "";
  return "<details class=\"latency\"><summary>How long system calls took</summary>\n"
         "<table>\n<thead><tr><th scope=\"col\">program</th><th scope=\"col\">call</th>"
         "<th scope=\"col\">result</th><th scope=\"col\">calls</th><th scope=\"col\">median</th>"
         "<th scope=\"col\">p99</th><th scope=\"col\">slowest</th></tr></thead>\n<tbody>" +
         rows + "</tbody></table></details>\n";
}

std::string wait_graph(const PageRun& page, const reports::ProgramWaits& waits) {
  const std::string name = waits.host + "'s " + waits.program;
  return fmt::format(
      "<details class=\"waited\"><summary>Where {} waited: {}</summary>\n{}</details>\n",
      escaped(name), escaped(base::describe(waits.sums.time())),
      flame(waits.sums, {.label = "Time that " + name + " waited in calls on TCP sockets",
                         .start = page.start.value_or(base::Instant{}),
                         .has_threads = false,
                         .has_links = true}));
}

/// Returns a folded flame graph of each program that waited, but at most of the kMostGraphs that
/// waited longest: a run may have a thousand programs.
std::string wait_graphs(const PageRun& page) {
  std::vector<const reports::ProgramWaits*> programs;
  programs.reserve(page.waits.size());
  for (const reports::ProgramWaits& each : page.waits) programs.push_back(&each);
  const std::size_t all = programs.size();
  if (all > kMostGraphs) {
    std::ranges::stable_sort(programs, std::greater{},
                             [](const auto* each) { return each->sums.time(); });
    programs.resize(kMostGraphs);
  }
  std::string out;
  for (const reports::ProgramWaits* each : programs) out += wait_graph(page, *each);
  if (all > kMostGraphs)
    out += fmt::format("<p class=\"conditions\">{} waited, for less time.</p>\n",
                       reports::counted(all - kMostGraphs, "more program"));
  return out;
}

/// Returns the text of the script; empty if the run did not record it.
std::string source(const PageRun& page) {
  if (!page.run || page.run->script.empty()) return "";
  std::string lines;
  for (const std::string& line : base::split(page.run->script, '\n'))
    lines += fmt::format("<li>{}\n", escaped(line));
  return fmt::format(
      "<section class=\"source\" aria-label=\"Script\" data-pane=\"Script\">"
      "<h2>{}</h2><ol tabindex=\"0\">{}</ol></section>\n",
      escaped(page.run->file), lines);
}

/// Returns the place where the script draws the plots; empty if no connection moves data.
std::string plot_pane(const PageRun& page) {
  if (page.plots.empty()) return "";
  return "<section class=\"plots\" aria-label=\"Plots\" data-pane=\"Plots\" hidden></section>\n";
}

std::string data(const PageRun& page, const Scene& scene) {
  return "<script type=\"text/plain\" id=\"run\">" + packed(run_data(page, scene)) + "</script>\n";
}

/// Returns what the page is about.
std::string_view subject(const PageRun& page) { return page.is_capture ? "connection" : "run"; }

std::string aside(const PageRun& page) {
  return "<aside aria-label=\"This step\">\n" + std::string(kPlayer) +
         "<section class=\"diagram\" aria-label=\"State diagram\" data-pane=\"States\">\n" +
         diagram(page.edges) +
         "<p class=\"caption\">RFC 9293, figure 5. Highlighted: transitions of this " +
         std::string(subject(page)) + ".</p></section>\n" + plot_pane(page) + source(page) +
         "<section class=\"knowledge\" aria-label=\"What each host knows\" hidden></section>\n"
         "<section class=\"details\" aria-label=\"Details\" hidden></section>\n</aside>\n";
}

}  // namespace

std::string run_page(const PageRun& page, const std::string& index,
                     const std::vector<PageLink>& files, const std::optional<SitePlace>& site) {
  const Scene scene = lay_out(page);
  const std::string title = page.run ? page.run->title : "A run";
  return page_begin({title + " · tcplab", page.run ? page.run->asks : "", site},
                    page.is_capture ? "run capture" : "run", kReportScript) +
         "<main>\n" + header(page, index, files) + failures(page) + explanation(page) +
         "<div class=\"stage\">\n<div class=\"ladder-column\">" + std::string(kView) +
         "<div class=\"ladder\" tabindex=\"0\" role=\"group\" aria-label=\"The " +
         std::string(subject(page)) + ", step by step\">\n" +
         fmt::format("<div class=\"scroll{}\" style=\"--w:{}\">\n", scene.is_long() ? " long" : "",
                     number(scene.times + scene.width)) +
         picture_head(scene) + picture(page, scene) + "</div>\n</div>\n" + std::string(kTable) +
         plain_table(page, scene) + latencies(page) + wait_graphs(page) + "</div>\n" + aside(page) +
         "</div>\n" + about_machine(page) + "</main>\n" + std::string(kLegend) + data(page, scene) +
         page_end(kReportScript, site);
}

}  // namespace tcplab::html
