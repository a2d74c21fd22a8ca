#include "reports/html/run_page.hh"

#include <fmt/format.h>

#include "reports/html/assets.hh"
#include "reports/html/diagram.hh"
#include "reports/html/lanes.hh"
#include "reports/html/layout.hh"
#include "reports/html/markup.hh"
#include "reports/html/packed.hh"
#include "reports/html/page_parts.hh"
#include "reports/html/picture.hh"
#include "reports/html/run_data.hh"
#include "reports/text/frame_text.hh"

namespace tcplab::html {

namespace {

std::string stderr_of(const capture::Verdict::Errors& errors) {
  return definition("stderr of " + escaped(errors.host + "'s " + errors.program), errors.text);
}

using capture::Outcome;

std::string outcome_sentence(const ToldRun& told) {
  if (!told.end) return "<span class=\"badge skipped\">unfinished</span>";
  std::string text = badge(told.end->outcome);
  const int all = told.passed + told.failed;
  const bool has_run = told.end->outcome == Outcome::passed || told.end->outcome == Outcome::failed;
  if (has_run)
    text += fmt::format(" <span class=\"count\">{} of {} expectations met, in {}</span>",
                        told.passed, all, escaped(base::describe(told.end->duration)));
  return text;
}

std::string header(const ToldRun& told, const std::string& index) {
  const capture::RunStart run = told.run.value_or(capture::RunStart{});
  std::string out = "<header>\n";
  if (!index.empty())
    out += fmt::format("<nav><a href=\"{}\">All {}</a></nav>\n", escaped(index),
                       told.is_capture ? "connections" : "scenarios");
  out += fmt::format("<h1>{}</h1>\n", escaped(run.title.empty() ? run.scenario : run.title));
  if (!run.asks.empty()) out += fmt::format("<p class=\"asks\">{}</p>\n", escaped(run.asks));
  if (!told.is_capture) out += fmt::format("<p class=\"outcome\">{}</p>\n", outcome_sentence(told));
  out += fmt::format("<p class=\"conditions\">{}</p>\n", escaped(reports::conditions(run)));
  if (told.end && !told.end->reason.empty() && told.failed == 0)
    out += fmt::format("<p class=\"reason\">{}</p>\n", escaped(told.end->reason));
  if (told.end)
    for (const capture::Verdict::Errors& errors : told.end->errors)
      out += fmt::format("<dl>{}</dl>\n", stderr_of(errors));
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
  for (const capture::Verdict::Errors& errors : verdict.errors) out += stderr_of(errors);
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
    "<th scope=\"col\">seconds</th><th scope=\"col\">step</th></tr></thead>\n"
    "<tbody></tbody></table></details>\n";

std::string data(const ToldRun& told, const Scene& scene) {
  return "<script type=\"text/plain\" id=\"run\">" + packed(run_data(told, scene)) + "</script>\n";
}

std::string aside(const ToldRun& told) {
  return "<aside aria-label=\"This step\">\n" + std::string(kPlayer) +
         "<section class=\"diagram\" aria-label=\"State diagram\">\n" + diagram(told.edges) +
         "<p class=\"caption\">RFC 9293, figure 5. Highlighted: transitions of this run.</p>"
         "</section>\n"
         "<section class=\"knowledge\" aria-label=\"What each host knows\" hidden></section>\n"
         "<section class=\"details\" aria-label=\"Details\" hidden></section>\n</aside>\n";
}

}  // namespace

std::string run_page(const ToldRun& told, const std::string& index) {
  const Scene scene = lay_out(told);
  const std::string title = told.run ? told.run->title : "A run";
  return page_begin(title + " · tcplab", "run", kReportScript) + "<main>\n" + header(told, index) +
         failures(told) + explanation(told) +
         "<div class=\"stage\">\n<div class=\"told\"><div class=\"ladder\" "
         "tabindex=\"0\" role=\"group\" aria-label=\"The run, step by step\">\n" +
         fmt::format("<div class=\"scroll{}\" style=\"--w:{}\">\n", scene.is_long() ? " long" : "",
                     number(kTimes + scene.width)) +
         picture_head(scene) + picture(told, scene) + "</div>\n</div>\n" + std::string(kTable) +
         "</div>\n" + aside(told) + "</div>\n</main>\n" + std::string(kLegend) + data(told, scene) +
         page_end(kReportScript);
}

}  // namespace tcplab::html
