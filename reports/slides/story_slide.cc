#include "reports/slides/story_slide.hh"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "reports/html/markup.hh"
#include "reports/html/page_parts.hh"
#include "reports/html/picture.hh"
#include "reports/html/words.hh"

namespace tcplab::reports {

namespace {

using html::escaped;
using html::number;

constexpr double kNames = 22;  // height of the hosts' names
// Sizes of a picture that fills a slide with large type, with two hosts and with more.
const html::Measures kOfTwo{.text = 172, .wire = 182, .heights = {}};
const html::Measures kOfMore{
    .text = 150, .wire = 190, .long_wire = 205, .bare_wire = 150, .heights = {}};

std::string paragraph(std::string_view kind, const std::string& text) {
  return text.empty() ? "" : fmt::format("<p class=\"{}\">{}</p>\n", kind, escaped(text));
}

/// Returns the hosts that have a program or a connection, or lose power.
std::vector<std::string> hosts_of(const Brief& brief) {
  std::vector<std::string> hosts;
  for (const std::vector<HostView>& views : brief.page.views)
    for (const HostView& view : views)
      if ((!view.program.empty() || !view.truth.empty() || !view.states.empty()) &&
          std::ranges::find(hosts, view.host) == hosts.end())
        hosts.push_back(view.host);
  return hosts;
}

}  // namespace

StorySlide::StorySlide(Brief brief)
    : brief_(std::move(brief)),
      ladder_(brief_, html::stand(brief_.page, {}).lanes.size() > 2 ? kOfMore : kOfTwo),
      hosts_(hosts_of(brief_)) {}

std::vector<StorySlide::Stop> StorySlide::stops() const {
  std::vector<Stop> stops;
  std::string before;
  for (std::size_t index = 0; index < brief_.page.steps.size(); ++index) {
    const html::StepPlace& place = scene().places[index];
    const Step& step = brief_.page.steps[index];
    if (place.height == 0) continue;
    if (const auto gap = brief_.gaps.find(index); gap != brief_.gaps.end())
      before += (before.empty() ? "⋯ " : "; ") + gap->second.text;
    else if (!std::holds_alternative<Quiet>(step.content))
      stops.push_back({index, std::exchange(before, ""), "", place.top + place.height});
  }
  if (stops.empty()) return stops;
  stops.back().after = before;
  stops.back().bottom = scene().height;
  return stops;
}

std::string StorySlide::markup(const std::string& id) const {
  const std::vector<Stop> all = stops();
  if (all.empty()) return "";
  std::string list;
  for (std::size_t index = 0; index < all.size(); ++index)
    list += fmt::format(
        "<li id=\"{}/{}\" data-bottom=\"{}\">\n<p class=\"count\">step {} of {}</p>\n{}</li>\n",
        escaped(id), index + 1, number(all[index].bottom), index + 1, all.size(), told(all[index]));
  return "<ol class=\"told\">\n" + list + "</ol>\n" + picture(all);
}

std::string StorySlide::told(const Stop& stop) const {
  const Step& step = brief_.page.steps[stop.step];
  std::string time;
  if (step.at && brief_.page.start)
    time = fmt::format("<span class=\"when\">{:.3f} s</span> ",
                       base::in_seconds(*step.at - *brief_.page.start));
  return "<div class=\"tell\">\n" + paragraph("gap", stop.before) +
         fmt::format("<p class=\"headline\">{}{}</p>\n", time,
                     escaped(html::headline_of(brief_.page, step))) +
         paragraph("gap", stop.after) + "</div>\n" + knowledge(stop.step);
}

std::string StorySlide::knowledge(std::size_t step) const {
  if (step >= brief_.page.views.size()) return "";
  std::string cards;
  for (const HostView& view : brief_.page.views[step])
    if (std::ranges::find(hosts_, view.host) != hosts_.end()) cards += card(view);
  return "<div class=\"knowledge\">\n" + cards + "</div>\n";
}

std::string StorySlide::card(const HostView& view) const {
  const std::size_t lane = scene().lane_of(view.host);
  std::string chips;
  for (const capture::TcpState state : view.states)
    if (state != capture::TcpState::listen)
      chips += fmt::format(" <span class=\"chip s-{0}\">{0}</span>", capture::name(state));
  if (view.is_mistaken) chips += " <span class=\"mistaken\">its kernel is out of date</span>";
  return fmt::format(
      "<div class=\"knows k{}{}\"><h3>{}{}</h3><dl>{}{}{}</dl></div>\n",
      lane < scene().lanes.size() ? scene().lanes[lane].color : 2, view.is_mistaken ? " wrong" : "",
      escaped(view.host), chips, html::definition("program", view.program),
      html::definition("kernel", view.kernel.empty() ? "no connection" : view.kernel),
      html::definition("truth", view.truth));
}

/// Returns the names of the hosts, and the ladder. A row has the class of its stop: "stop-3".
std::string StorySlide::picture(const std::vector<Stop>& stops) const {
  const double width = scene().width;  // without the times: the sentences have them
  std::string names;
  for (const html::Lifeline& lane : scene().lanes)
    names += fmt::format("<g class=\"h{}\">{}</g>", lane.color,
                         text_at("name", lane.x, kNames - 7, escaped(lane.host)));
  std::string rows;
  std::size_t stop = 0;
  for (std::size_t index = 0; index < brief_.page.steps.size(); ++index) {
    rows += ladder_.row(index, index == stops[stop].step ? fmt::format(" stop-{}", stop + 1) : "");
    if (index == stops[stop].step && stop + 1 < stops.size()) ++stop;
  }
  return fmt::format(
      "<div class=\"ladder\" aria-hidden=\"true\" style=\"--w:{0};--tall:{6}\">"
      "<svg class=\"names\" viewBox=\"0 0 {0} {1}\">{2}</svg><div class=\"rows-seen\">"
      "<svg class=\"sheet\" viewBox=\"0 0 {0} {3}\" style=\"--h:{3}\">{4}\n{5}</svg></div></div>"
      "\n",
      number(width), number(kNames), names, number(scene().height),
      html::background(brief_.page, scene()), rows, number(scene().height + kNames));
}

}  // namespace tcplab::reports
