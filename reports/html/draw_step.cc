#include "reports/html/draw_step.hh"

#include <algorithm>
#include <fmt/format.h>

#include "reports/html/draw_arrow.hh"
#include "reports/html/drawn.hh"
#include "reports/html/icons.hh"
#include "reports/html/lanes.hh"
#include "reports/html/markup.hh"
#include "reports/html/words.hh"

namespace tcplab::html {

namespace {

constexpr double kSans = 6.6;  // width of a character in 12 px sans serif, rounded up
constexpr double kBold = 8;    // the same in bold
constexpr double kRemark = 7;  // the same in 13 px
constexpr int kWidestPill = 96;
constexpr double kAroundPill = 46;  // the icon, and the ends
constexpr double kBaseline = 4.5;
constexpr double kZigzag = 9;

struct Drawing {
  const PageRun& page;
  const Scene& scene;
  const reports::Step& step;
  const StepPlace& place;

  Drawn operator()(const reports::HostStep&) const { return {}; }
  Drawn operator()(const reports::DarkStep&) const { return {}; }
  Drawn operator()(const reports::HostLine& line) const {
    return {.text = on_host(line.host, line.text, line.aside)};
  }
  Drawn operator()(const reports::StateLine& line) const {
    return line.is_prose ? Drawn{.text = prose(line)}
                         : Drawn{.text = on_host(line.host, line.text, {})};
  }
  Drawn operator()(const reports::Arrow& arrow) const {
    return draw_arrow(page, scene, step, place, arrow);
  }
  Drawn operator()(const reports::Banner& banner) const;
  Drawn operator()(const reports::Judgement& judgement) const;
  Drawn operator()(const reports::Remark& remark) const {
    const auto room = int((scene.width - kLeft - 16) / kRemark);
    return {.text = piece("remark", kLeft + 8,
                          styled_spans(reports::StyledText(remark.text).fitted(room, kStyle)))};
  }
  Drawn operator()(const reports::Quiet& quiet) const;

  std::string on_host(const std::string& host, reports::StyledText text,
                      const reports::StyledText& aside) const;
  std::string prose(const reports::StateLine& line) const;
  double action_x(const std::string& host) const;
};

/// Returns the text beside a host's lifeline, cut to its room. The tooltip has the whole text.
std::string Drawing::on_host(const std::string& host, reports::StyledText text,
                             const reports::StyledText& aside) const {
  const std::size_t index = scene.lane_of(host);
  if (index == scene.lanes.size()) return "";
  const Lifeline& lane = scene.lanes[index];
  const int room = int(lane.room / kCharacter);
  if (!aside.empty() && text.columns() + 1 + aside.columns() <= room) text.add(" ").add(aside);
  return beside(lane, text);
}

std::string Drawing::prose(const reports::StateLine& line) const {
  const std::size_t index = scene.lane_of(line.host);
  if (index == scene.lanes.size()) return "";
  const std::vector<reports::StyledText> lines = lines_of(scene, line);
  double y = place.tip + kBaseline - kLine * double(lines.size() - 1) / 2;
  std::string text;
  for (const reports::StyledText& part : lines) {
    text += beside(scene.lanes[index], part, y);
    y += kLine;
  }
  return text;
}

double Drawing::action_x(const std::string& host) const {
  const std::size_t lane = scene.lane_of(host);
  if (lane < scene.lanes.size()) return scene.lanes[lane].x;
  if (scene.lanes.empty()) return scene.width / 2;
  return (scene.lanes.front().x + scene.lanes.back().x) / 2;
}

Drawn Drawing::operator()(const reports::Banner& banner) const {
  const capture::Event* event = page.first_event(step);
  const auto* known = event == nullptr ? nullptr : std::get_if<capture::Action>(&event->body);
  const std::string words = known == nullptr ? banner.text : words_of(*known);
  const std::string host = known == nullptr ? "" : known->host;
  const int room = int((scene.width - kLeft - kAroundPill - 8) / kBold);
  const reports::StyledText text =
      reports::StyledText(words).fitted(std::min(kWidestPill, room), kStyle);
  const double width = double(text.columns()) * kBold + kAroundPill;
  const double least = kLeft + width / 2;
  const double most = std::max(least, scene.width - width / 2 - 8);
  const double middle = std::clamp(action_x(host), least, most);
  const double y = place.tip;
  const std::string shapes = fmt::format(
      "<path class=\"rule\" d=\"M{} {}H{}\"/><rect class=\"pill\" x=\"{}\" y=\"{}\" "
      "width=\"{}\" height=\"24\" rx=\"12\"/>",
      number(kLeft), number(y), number(scene.width - 8), number(middle - width / 2), number(y - 12),
      number(width));
  return {.shapes = shapes + icon(known, middle - width / 2 + 9, y - 8),
          .text = piece("pilltext", middle + 10, styled_spans(text))};
}

Drawn Drawing::operator()(const reports::Judgement& judgement) const {
  const capture::Verdict& verdict = judgement.verdict;
  const double left = kLeft + 8;
  const int columns = int((scene.width - left - 60) / kSans);
  const std::string height =
      place.height == kRow ? "" : fmt::format(" height=\"{}\"", number(place.height - 4));
  Drawn drawn{.shapes = fmt::format("<rect class=\"judged{}\"{}/>", verdict.passed ? "" : " failed",
                                    height)};
  if (verdict.passed) {
    const std::string seen = verdict.seen.empty() ? "" : " · " + verdict.seen;
    const reports::StyledText text = reports::StyledText(verdict.expected)
                                         .add(seen, reports::Paint::dim)
                                         .fitted(columns, kStyle);
    drawn.text = piece("met", left, "<tspan>✓</tspan> " + styled_spans(text));
    return drawn;
  }
  const auto line = [&](std::string_view kind, const std::string& text, double y) {
    const reports::StyledText fitted = reports::StyledText(text).fitted(columns, kStyle);
    drawn.text += piece(kind, left + 17, styled_spans(fitted), y);
  };
  drawn.text += piece("missed", left, "✗", 17);
  line("missed", "expected: " + verdict.expected, 17);
  line("seen", "seen: " + (verdict.seen.empty() ? "nothing that matches" : verdict.seen), 36);
  if (!verdict.nearest.empty()) line("seen", "nearest: " + verdict.nearest, 55);
  return drawn;
}

/// Draws torn paper, and the length of the time in which nothing happens.
Drawn Drawing::operator()(const reports::Quiet& quiet) const {
  const double middle =
      scene.lanes.empty() ? scene.width / 2 : (scene.lanes.front().x + scene.lanes.back().x) / 2;
  const std::string text = base::describe(quiet.span) + " · nothing happens";
  const double width = double(text.size()) * kSans + 18;
  const std::string shapes = fmt::format(
      "<use href=\"#torn\" y=\"{}\"/><rect class=\"pause\" x=\"{}\" y=\"{}\" width=\"{}\" "
      "height=\"22\" rx=\"11\"/>",
      number(place.tip), number(middle - width / 2), number(place.tip - 11), number(width));
  return {.shapes = shapes, .text = piece("pausetext", middle, escaped(text))};
}

/// Returns the seconds, with the last three digits in small type.
std::string time_in_row(const PageRun& page, const reports::Step& step) {
  const std::string time = time_of(page, step);
  if (time.size() < 4) return "";
  return fmt::format("{}<tspan>{}</tspan>", time.substr(0, time.size() - 3),
                     time.substr(time.size() - 3));
}

/// Returns the baseline of the row's text. A frame's time is between its tail and its tip.
double baseline(const reports::Step& step, const StepPlace& place) {
  const bool is_arrow = std::holds_alternative<reports::Arrow>(step.content);
  return place.tip + kBaseline - (is_arrow ? 6.5 : 0);
}

}  // namespace

DrawnStep draw_step(const PageRun& page, const Scene& scene, std::size_t index) {
  const reports::Step& step = page.steps[index];
  StepPlace place = scene.places[index];
  if (place.height == 0) return {};
  place.tail -= place.top;
  place.tip -= place.top;
  place.top = 0;
  const std::string height =
      place.height == kRow ? "" : fmt::format(" height=\"{}\"", number(place.height));
  const Drawn drawn = std::visit(Drawing{page, scene, step, place}, step.content);
  return {
      .address = step.events.empty() ? "" : fmt::format(" id=\"event={}\"", step.events.front()),
      .shapes = fmt::format("<title>{}</title><rect class=\"hit\"{}/>{}",
                            escaped(words_of(page, step)), height, drawn.shapes),
      .baseline = baseline(step, place),
      .time = time_in_row(page, step),
      .text = drawn.text};
}

std::string torn_paper(const Scene& scene) {
  std::string upper = fmt::format("M{} -3", number(kLeft));
  std::string lower;
  bool is_up = true;
  for (double x = kLeft; x < scene.width - kZigzag; x += kZigzag, is_up = !is_up) {
    upper += fmt::format("l{} {}", number(kZigzag), is_up ? "-5" : "5");
    lower += fmt::format("l-{} {}", number(kZigzag), is_up ? "5" : "-5");
  }
  return fmt::format("<path id=\"torn\" class=\"tear\" d=\"{}v12{}z\"/>", upper, lower);
}

}  // namespace tcplab::html
