#include "reports/html/run_page.hh"

#include <algorithm>
#include <fmt/format.h>
#include <set>

#include "reports/html/assets.hh"
#include "reports/html/diagram.hh"
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

namespace tcplab::html {

namespace {

std::string written_text(const capture::Verdict::LastLines& written) {
  return definition(escaped(written.stream + " of " + written.host + "'s " + written.program),
                    written.text);
}

using capture::Outcome;

std::string outcome_sentence(const ToldRun& told) {
  if (!told.end) return "<span class=\"badge skipped\">unfinished</span>";
  std::string text = badge(told.end->outcome);
  const int all = told.passed + told.failed;
  const bool has_run = told.end->outcome == Outcome::passed || told.end->outcome == Outcome::failed;
  if (has_run)
    text +=
        fmt::format(" <span class=\"count\">{} of {} expectations met{}, in {}</span>", told.passed,
                    all, told.unchecked == 0 ? "" : fmt::format(", {} not checked", told.unchecked),
                    escaped(base::describe(told.end->duration)));
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

std::string header(const ToldRun& told, const std::string& index,
                   const std::vector<PageLink>& files) {
  const capture::RunStart run = told.run.value_or(capture::RunStart{});
  std::string out = "<header>\n";
  out += links(index, told.is_capture ? "All connections" : "All scenarios", files);
  out += fmt::format("<h1>{}</h1>\n", escaped(run.title.empty() ? run.scenario : run.title));
  if (!run.asks.empty()) out += fmt::format("<p class=\"asks\">{}</p>\n", escaped(run.asks));
  if (!told.is_capture) out += fmt::format("<p class=\"outcome\">{}</p>\n", outcome_sentence(told));
  out += fmt::format("<p class=\"conditions\">{}</p>\n", escaped(reports::conditions(run)));
  if (told.end && !told.end->reason.empty() && told.failed == 0)
    out += fmt::format("<p class=\"reason\">{}</p>\n", escaped(told.end->reason));
  if (told.end)
    for (const capture::Verdict::LastLines& written : told.end->last_lines)
      out += fmt::format("<dl>{}</dl>\n", written_text(written));
  if (told.is_cut_off)
    out +=
        "<p class=\"reason\">The last line of events.jsonl is incomplete: the run was "
        "interrupted.</p>\n";
  if (told.left_out != 0)
    out += fmt::format(
        "<p class=\"reason\">{} more events are not drawn; events.jsonl has them."
        "</p>\n",
        told.left_out);
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
std::string failures(const ToldRun& told) {
  std::string list;
  for (const reports::Step& step : told.steps)
    if (const auto* judgement = std::get_if<reports::Judgement>(&step.content))
      if (!judgement->verdict.passed) list += failure(step, judgement->verdict);
  if (list.empty()) return "";
  return "<section class=\"failures\" aria-label=\"Failed expectations\">\n"
         "<h2>Failed expectations</h2>\n<ol>\n" +
         list + "</ol>\n</section>\n";
}

std::string explanation(const ToldRun& told) {
  if (!told.run) return "";
  const std::string list =
      definition("The article saw", told.run->article) +
      definition(escaped(reports::kernel_here(told.run->kernel)), told.run->here) +
      definition(told.is_capture ? "Probably" : "Why", told.run->why);
  if (list.empty()) return "";
  return "<section class=\"explanation\" aria-label=\"Explanation\">\n<dl>\n" + list +
         "</dl>\n</section>\n";
}

/// A table of the steps as text, which the script fills from the titles of the picture.
constexpr std::string_view kTable =
    "<details class=\"words\" hidden><summary>All steps as text</summary>\n<table>\n<thead><tr>"
    "<th scope=\"col\">step</th><th scope=\"col\">seconds</th><th scope=\"col\">what happens</th>"
    "</tr></thead>\n<tbody></tbody></table></details>\n";

constexpr std::size_t kMostWithoutScript = 200;

/// Returns a table of the steps for a browser without JavaScript. That of a long run has only the
/// steps that matter most.
std::string plain_table(const ToldRun& told, const Scene& scene) {
  std::vector<std::size_t> indices = highlights(told);
  const bool is_folded = told.steps.size() > kMostWithoutScript;
  indices.resize(std::min(indices.size(), kMostWithoutScript));
  const std::set<std::size_t> chosen(indices.begin(), indices.end());
  std::string rows;
  int number = 0;
  for (std::size_t index = 0; index < told.steps.size(); ++index) {
    number += scene.places[index].height == 0 ? 0 : 1;
    if (scene.places[index].height == 0 || (is_folded && !chosen.contains(index))) continue;
    const reports::Step& step = told.steps[index];
    rows += fmt::format("<tr><td>{}<td>{}<td>{}\n", number, time_of(told, step),
                        escaped(words_of(told, step)));
  }
  return fmt::format(
      "<noscript><section class=\"plain\"><h2>{}</h2><table><thead><tr><th scope=\"col\">step"
      "<th scope=\"col\">seconds<th scope=\"col\">what happens</thead>\n<tbody>{}</tbody></table>"
      "</section></noscript>\n",
      is_folded ? "The steps that matter most, as text" : "All steps as text", rows);
}

std::string latency_cell(const ToldRun& told, base::nanoseconds span, std::uint64_t event) {
  const std::string text = escaped(base::describe(span));
  if (!told.events.contains(event)) return "<td>" + text;
  return fmt::format("<td><a href=\"#event={}\">{}</a>", event, text);
}

std::string latency_rows(const ToldRun& told, const reports::ProgramLatency& latency) {
  const std::string name = escaped(latency.host + "'s " + latency.program);
  std::string rows;
  for (const reports::OpenCall& call : latency.open)
    rows += fmt::format("<tr><td>{}<td>{}<td>has not returned<td>1<td><td>{}\n", name,
                        escaped(call.call), latency_cell(told, call.span, call.event));
  for (const reports::LatencyTable::Row& row : latency.table.rows())
    rows += fmt::format(
        "<tr><td>{}<td>{}<td>{}, {}<td>{}<td>{}<td>{}{}\n", name, escaped(row.key.call),
        escaped(row.key.result), row.key.has_blocked ? "blocked" : "at once", row.sorted.size(),
        escaped(base::describe(row.percentile(0.5))), escaped(base::describe(row.percentile(0.99))),
        latency_cell(told, row.slowest().span, row.slowest().event));
  return rows;
}

/// Returns a table of how long calls took; each slowest call is a link to its step. Empty without
/// calls.
std::string latencies(const ToldRun& told) {
  std::string rows;
  for (const reports::ProgramLatency& each : told.latencies) rows += latency_rows(told, each);
  if (rows.empty()) return "";
  return "<details class=\"latency\"><summary>How long system calls took</summary>\n"
         "<table>\n<thead><tr><th scope=\"col\">program</th><th scope=\"col\">call</th>"
         "<th scope=\"col\">result</th><th scope=\"col\">calls</th><th scope=\"col\">median</th>"
         "<th scope=\"col\">p99</th><th scope=\"col\">slowest</th></tr></thead>\n<tbody>" +
         rows + "</tbody></table></details>\n";
}

/// Returns the text of the script; empty if the run did not record it.
std::string source(const ToldRun& told) {
  if (!told.run || told.run->script.empty()) return "";
  std::string lines;
  const std::string_view text = told.run->script;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    lines += fmt::format("<li>{}\n", escaped(text.substr(begin, end - begin)));
    begin = end + 1;
  }
  return fmt::format(
      "<section class=\"source\" aria-label=\"Script\" data-pane=\"Script\">"
      "<h2>{}</h2><ol tabindex=\"0\">{}</ol></section>\n",
      escaped(told.run->file), lines);
}

/// Returns the place where the script draws the plots; empty if no connection moves data.
std::string plot_pane(const ToldRun& told) {
  if (told.plots.empty()) return "";
  return "<section class=\"plots\" aria-label=\"Plots\" data-pane=\"Plots\" hidden></section>\n";
}

std::string data(const ToldRun& told, const Scene& scene) {
  return "<script type=\"text/plain\" id=\"run\">" + packed(run_data(told, scene)) + "</script>\n";
}

/// Returns what the page is about.
std::string_view subject(const ToldRun& told) { return told.is_capture ? "connection" : "run"; }

std::string aside(const ToldRun& told) {
  return "<aside aria-label=\"This step\">\n" + std::string(kPlayer) +
         "<section class=\"diagram\" aria-label=\"State diagram\" data-pane=\"States\">\n" +
         diagram(told.edges) +
         "<p class=\"caption\">RFC 9293, figure 5. Highlighted: transitions of this " +
         std::string(subject(told)) + ".</p></section>\n" + plot_pane(told) + source(told) +
         "<section class=\"knowledge\" aria-label=\"What each host knows\" hidden></section>\n"
         "<section class=\"details\" aria-label=\"Details\" hidden></section>\n</aside>\n";
}

}  // namespace

std::string run_page(const ToldRun& told, const std::string& index,
                     const std::vector<PageLink>& files, const std::string& navigation) {
  const Scene scene = lay_out(told);
  const std::string title = told.run ? told.run->title : "A run";
  return page_begin(title + " · tcplab", told.is_capture ? "run capture" : "run", kReportScript) +
         navigation + "<main>\n" + header(told, index, files) + failures(told) + explanation(told) +
         "<div class=\"stage\">\n<div class=\"told\">" + std::string(kView) +
         "<div class=\"ladder\" tabindex=\"0\" role=\"group\" aria-label=\"The " +
         std::string(subject(told)) + ", step by step\">\n" +
         fmt::format("<div class=\"scroll{}\" style=\"--w:{}\">\n", scene.is_long() ? " long" : "",
                     number(scene.times + scene.width)) +
         picture_head(scene) + picture(told, scene) + "</div>\n</div>\n" + std::string(kTable) +
         plain_table(told, scene) + latencies(told) + "</div>\n" + aside(told) +
         "</div>\n</main>\n" + std::string(kLegend) + data(told, scene) + page_end(kReportScript);
}

}  // namespace tcplab::html
