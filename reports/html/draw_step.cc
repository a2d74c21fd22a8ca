#include "reports/html/draw_step.hh"

#include <algorithm>
#include <fmt/format.h>

#include "reports/html/draw_arrow.hh"
#include "reports/html/icons.hh"
#include "reports/html/lanes.hh"
#include "reports/html/markup.hh"
#include "reports/html/words.hh"

namespace tcplab::html {

namespace {

constexpr reports::Style kStyle{};
constexpr double kSans = 6.6;  // a character of the pictures' 12 px sans serif, generously
constexpr double kBold = 8;    // one of its bold ones
constexpr double kBaseline = 4;
constexpr double kZigzag = 9;

std::string text_at(std::string_view kind, double x, double y, const std::string& content) {
  return fmt::format("<text class=\"{}\" x=\"{}\" y=\"{}\">{}</text>", kind, number(x), number(y),
                     content);
}

struct Drawing {
  const ToldRun& told;
  const Scene& scene;
  const reports::Step& step;
  const Place& place;

  std::string operator()(const reports::HostStep&) const { return ""; }
  std::string operator()(const reports::DarkStep&) const { return ""; }
  std::string operator()(const reports::HostLine& line) const {
    return on_host(line.host, "call", line.text, line.aside);
  }
  std::string operator()(const reports::StateLine& line) const {
    return on_host(line.host, "change", line.text, {});
  }
  std::string operator()(const reports::Arrow& arrow) const {
    return draw_arrow(told, scene, step, place, arrow);
  }
  std::string operator()(const reports::Banner& banner) const;
  std::string operator()(const reports::Judgement& judgement) const;
  std::string operator()(const reports::Remark& remark) const {
    return text_at("remark", kTimeColumn + 8, place.tip + kBaseline, escaped(remark.text));
  }
  std::string operator()(const reports::Quiet& quiet) const;

  std::string on_host(const std::string& host, std::string_view kind, reports::Painted text,
                      const reports::Painted& aside) const;
  double action_x(const capture::Action& action) const;
};

/// What a host did, beside its line, cut to its room; the tooltip has all of it.
std::string Drawing::on_host(const std::string& host, std::string_view kind, reports::Painted text,
                             const reports::Painted& aside) const {
  const std::size_t index = scene.lane_of(host);
  if (index == scene.lanes.size()) return "";
  const Lane& lane = scene.lanes[index];
  const int room = int(lane.room / kCharacter);
  if (!aside.empty() && text.columns() + 1 + aside.columns() <= room) text.add(" ").add(aside);
  const std::string side = lane.is_leftward ? " left" : "";
  return text_at(std::string(kind) + side, lane.outer, place.tip + kBaseline,
                 painted_spans(text.fitted(room, kStyle)));
}

double Drawing::action_x(const capture::Action& action) const {
  const std::size_t lane = scene.lane_of(action.host);
  if (lane < scene.lanes.size()) return scene.lanes[lane].x;
  if (scene.lanes.empty()) return scene.width / 2;
  return (scene.lanes.front().x + scene.lanes.back().x) / 2;
}

std::string Drawing::operator()(const reports::Banner& banner) const {
  const capture::Event* event = told.first_event(step);
  const auto* known = event == nullptr ? nullptr : std::get_if<capture::Action>(&event->body);
  const capture::Action action = known == nullptr ? capture::Action{} : *known;
  std::string words = known == nullptr ? banner.text : verb_words(action.verb);
  if (action.detail.starts_with(words)) words.clear();  // a fault's description says it, too
  if (!action.detail.empty()) words += (words.empty() ? "" : " ") + action.detail;
  if (!action.host.empty()) words = action.host + ": " + words;
  const reports::Painted text = reports::Painted(words).fitted(96, kStyle);
  const double width = double(text.columns()) * kBold + 46;
  const double least = kTimeColumn + width / 2;
  const double most = std::max(least, scene.width - width / 2 - 8);
  const double middle = std::clamp(action_x(action), least, most);
  const double y = place.tip;
  return fmt::format(
             "<path class=\"rule\" d=\"M{} {}H{}\"/><rect class=\"pill\" x=\"{}\" y=\"{}\" "
             "width=\"{}\" height=\"24\" rx=\"12\"/>",
             number(kTimeColumn), number(y), number(scene.width - 8), number(middle - width / 2),
             number(y - 12), number(width)) +
         icon(action.verb, middle - width / 2 + 9, y - 8) +
         text_at("pilltext", middle + 10, y + kBaseline, painted_spans(text));
}

std::string Drawing::operator()(const reports::Judgement& judgement) const {
  const capture::Verdict& verdict = judgement.verdict;
  const double left = kTimeColumn + 8;
  const double room = scene.width - left - 60;
  const int columns = int(room / kSans);
  const auto line = [&](const std::string& text) {
    return painted_spans(reports::Painted(text).fitted(columns, kStyle));
  };
  std::string out =
      fmt::format("<rect class=\"judged\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"4\"/>",
                  number(kTimeColumn), number(place.top + 1.5),
                  number(scene.width - kTimeColumn - 8), number(place.height - 3));
  out += text_at("mark", left, place.top + 16, verdict.passed ? "✓" : "✗");
  if (verdict.passed) {
    const std::string seen = verdict.seen.empty() ? "" : " · " + verdict.seen;
    const reports::Painted text =
        reports::Painted(verdict.expected).add(seen, reports::Paint::dim).fitted(columns, kStyle);
    return out + text_at("expected", left + 17, place.top + 16, painted_spans(text));
  }
  const std::string seen = verdict.seen.empty() ? "nothing of the kind" : verdict.seen;
  out += text_at("expected", left + 17, place.top + 17, line("expected: " + verdict.expected));
  out += text_at("seen", left + 17, place.top + 36, line("seen: " + seen));
  if (!verdict.nearest.empty())
    out += text_at("seen", left + 17, place.top + 55, line("nearest: " + verdict.nearest));
  return out;
}

/// Torn paper: two ragged edges with a gap between them, and how long the gap is.
std::string Drawing::operator()(const reports::Quiet& quiet) const {
  std::string upper = fmt::format("M{} {}", number(kTimeColumn), number(place.tip - 3));
  std::string lower;
  bool is_up = true;
  double x = kTimeColumn;
  for (; x < scene.width - kZigzag; x += kZigzag, is_up = !is_up) {
    upper += fmt::format("l{} {}", number(kZigzag), is_up ? "-5" : "5");
    lower += fmt::format("l-{} {}", number(kZigzag), is_up ? "5" : "-5");
  }
  const double middle =
      scene.lanes.empty() ? scene.width / 2 : (scene.lanes.front().x + scene.lanes.back().x) / 2;
  const std::string text = base::describe(quiet.span) + " · nothing happens";
  const double width = double(text.size()) * kSans + 18;
  return fmt::format(
             "<path class=\"tear\" d=\"{}{}{}z\"/><rect class=\"pause\" x=\"{}\" y=\"{}\" "
             "width=\"{}\" height=\"22\" rx=\"11\"/>",
             upper, "v12", lower, number(middle - width / 2), number(place.tip - 11),
             number(width)) +
         text_at("pausetext", middle, place.tip + kBaseline, escaped(text));
}

std::string fate_class(const reports::Step& step) {
  if (const auto* judgement = std::get_if<reports::Judgement>(&step.deed))
    return judgement->verdict.passed ? " passed" : " failed";
  return "";
}

std::string time_column(const ToldRun& told, const reports::Step& step, const Place& place) {
  const std::string time = time_of(told, step);
  if (time.size() < 4) return "";
  const bool is_arrow = std::holds_alternative<reports::Arrow>(step.deed);
  const double y = is_arrow ? place.tip - 6.5 : place.tip;
  return fmt::format("<text class=\"time\" x=\"64\" y=\"{}\">{}<tspan>{}</tspan></text>",
                     number(y + kBaseline), time.substr(0, time.size() - 3),
                     time.substr(time.size() - 3));
}

}  // namespace

std::string draw_step(const ToldRun& told, const Scene& scene, std::size_t index) {
  const reports::Step& step = told.steps[index];
  const Place& place = scene.places[index];
  if (place.height == 0) return "";
  const std::string id =
      step.events.empty() ? "" : fmt::format(" id=\"event={}\"", step.events.front());
  std::string out = fmt::format("<g class=\"step{}\"{} role=\"listitem\"><title>{}</title>",
                                fate_class(step), id, escaped(words_of(told, step)));
  out += fmt::format("<rect class=\"hit\" x=\"0\" y=\"{}\" width=\"{}\" height=\"{}\"/>",
                     number(place.top), number(scene.width), number(place.height));
  out += time_column(told, step, place);
  out += std::visit(Drawing{told, scene, step, place}, step.deed);
  return out + "</g>\n";
}

}  // namespace tcplab::html
