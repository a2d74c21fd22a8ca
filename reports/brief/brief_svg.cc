#include "reports/brief/brief_svg.hh"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <utility>

#include "reports/brief/brief_style.hh"
#include "reports/html/draw_step.hh"
#include "reports/html/drawn.hh"
#include "reports/html/layout.hh"
#include "reports/html/markup.hh"
#include "reports/html/picture.hh"
#include "reports/html/words.hh"
#include "reports/text/text.hh"

namespace tcplab::reports {

namespace {

using html::escaped;
using html::number;

const html::Measures kMeasures{
    .text = 228, .wire = 254, .long_wire = 290, .bare_wire = 200, .heights = {}};
constexpr double kTimes = 58;   // width of the times
constexpr double kMargin = 16;  // of the whole picture
constexpr double kTitle = 24;   // height of a line of the title
constexpr double kAsks = 19;    // of a line of the question
constexpr double kHead = 46;    // of the hosts' names
constexpr double kFoot = 30;
constexpr double kGapLine = 15;
constexpr double kGapAround = 14;
constexpr double kAroundWords = 40;
constexpr double kSans = 6.6;  // width of a character in 12 px sans serif, rounded up

std::string text_at(std::string_view kind, double x, double y, std::string_view markup) {
  return fmt::format("<text class=\"{}\" x=\"{}\" y=\"{}\">{}</text>\n", kind, number(x), number(y),
                     markup);
}

using Lines = std::vector<std::string>;

double height_of(const Lines& lines) { return double(lines.size()) * kGapLine + kGapAround; }

class Picture {
public:
  explicit Picture(const Brief& brief)
      : brief_(brief), scene_(html::lay_out(brief.page, measures())) {}

  std::string svg() {
    const std::string above = title();
    const double width = kTimes + scene_.width + 2 * kMargin;
    const double bottom = below_ + scene_.height + kFoot;
    std::string out = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" "
        "viewBox=\"{2} 0 {0} {1}\" role=\"img\" aria-labelledby=\"brief-title brief-steps\">\n"
        "<title id=\"brief-title\">{3}</title>\n<desc id=\"brief-steps\">{4}</desc>\n"
        "<style>{5}.judged {{ x: {6}px; y: 2px; width: {7}px; }}\n"
        ".judged:not([height]) {{ height: 19px; }}\n</style>\n{8}\n",
        number(width), number(bottom), number(left()), escaped(title_of(brief_)), description(),
        kBriefStyle, number(html::kLeft), number(scene_.width - html::kLeft),
        html::definitions(scene_));
    out += fmt::format(
        "<rect class=\"paper\" x=\"{}\" y=\"0.5\" width=\"{}\" height=\"{}\" rx=\"10\"/>\n",
        number(left() + 0.5), number(width - 1), number(bottom - 1));
    out += above + fmt::format("<g transform=\"translate(0 {})\">\n", number(below_));
    out += html::background(brief_.page, scene_) + "\n";
    for (std::size_t index = 0; index < brief_.page.steps.size(); ++index) out += row(index);
    out += "</g>\n" + text_at("foot", left() + kMargin, bottom - 14, escaped(foot_of(brief_)));
    return out + "</svg>\n";
  }

private:
  static double left() { return -kTimes - kMargin; }

  /// The sizes of the picture, with the heights of the gaps.
  html::Measures measures() {
    html::Measures sizes = kMeasures;
    // The room for texts is known before the steps have places.
    html::Standing standing = html::stand(brief_.page, sizes);
    const html::Scene wide{.width = standing.width, .lanes = std::move(standing.lanes)};
    for (const auto& [index, gap] : brief_.gaps) {
      const html::Span room = room_of(wide, gap);
      gaps_[index] = wrap("⋯ " + gap.text, int((room.to - room.from - kAroundWords) / kSans));
      sizes.heights[index] = height_of(gaps_[index]);
    }
    return sizes;
  }

  /// Where the words of a gap stand: between the outer hosts, but beside the texts of the others.
  static html::Span room_of(const html::Scene& scene, const Gap& gap) {
    if (scene.lanes.size() < 2) return {html::kLeft, scene.width};
    const bool is_free = std::ranges::all_of(gap.states, [&scene](const StateLine& state) {
      return state.host == scene.lanes.front().host || state.host == scene.lanes.back().host;
    });
    return {scene.lanes.front().x, is_free ? scene.lanes.back().x : scene.lanes[1].x};
  }

  /// Writes title, question and the names of the hosts; below_ is where they end.
  std::string title() {
    std::string out;
    double y = kMargin;
    const double width = kTimes + scene_.width;
    for (const std::string& line : wrap(title_of(brief_), int(width / 11)))
      out += text_at("title", left() + kMargin, (y += kTitle) - 6, escaped(line));
    if (brief_.page.run && !brief_.page.run->asks.empty())
      for (const std::string& line : wrap(brief_.page.run->asks, int(width / 7.6)))
        out += text_at("asks", left() + kMargin, (y += kAsks) - 3, escaped(line));
    y += 12;
    for (const html::Lifeline& lane : scene_.lanes)
      out += fmt::format("<g class=\"host h{}\">{}{}</g>\n", lane.color,
                         text_at("name", lane.x, y + 17, escaped(lane.host)),
                         text_at("address", lane.x, y + 34, escaped(lane.address)));
    below_ = y + kHead;
    return out;
  }

  /// Returns all steps in words, for readers who do not see the picture.
  std::string description() const {
    std::string out = brief_.page.run ? escaped(brief_.page.run->asks) + "\n" : "";
    for (std::size_t index = 0; index < brief_.page.steps.size(); ++index)
      if (scene_.places[index].height != 0) out += escaped(words(index)) + "\n";
    return out + escaped(foot_of(brief_));
  }

  std::string words(std::size_t index) const {
    const auto gap = brief_.gaps.find(index);
    if (gap == brief_.gaps.end()) return html::words_of(brief_.page, brief_.page.steps[index]);
    std::string text = "Left out: " + gap->second.text;
    for (const StateLine& state : gap->second.states)
      text += ". " + state.host + ": " + state.text.text();
    return text;
  }

  std::string row(std::size_t index) const {
    const html::StepPlace& place = scene_.places[index];
    if (place.height == 0) return "";
    const std::string begin =
        fmt::format("<g class=\"step\" transform=\"translate(0 {})\">", number(place.top));
    if (const auto gap = brief_.gaps.find(index); gap != brief_.gaps.end())
      return begin + draw_gap(gaps_.at(index), gap->second, place.top) + "</g>\n";
    const html::DrawnStep drawn = html::draw_step(brief_.page, scene_, index);
    const auto& at = brief_.page.steps[index].at;
    std::string text;
    if (at && brief_.page.start)
      text += text_at("time", 0, drawn.baseline,
                      fmt::format("{:.3f} s", base::in_seconds(*at - *brief_.page.start)));
    if (!drawn.text.empty())
      text += fmt::format("<text y=\"{}\">{}</text>", number(drawn.baseline), drawn.text);
    return begin + drawn.shapes + text + "</g>\n";
  }

  /// Whether a band covers the lifeline in a row.
  bool has_state(const std::string& host, double top, double height) const {
    return std::ranges::any_of(scene_.bands, [&](const html::Band& band) {
      return scene_.lanes[band.lane].host == host && band.column == 0 &&
             band.begin < top + height && band.end > top;
    });
  }

  std::string draw_gap(const Lines& lines, const Gap& gap, double top) const {
    const double height = height_of(lines);
    std::string out;
    for (const html::Lifeline& lane : scene_.lanes)
      if (!has_state(lane.host, top, height))
        out +=
            fmt::format("<path class=\"cut\" d=\"M{} 6V{}\"/>", number(lane.x), number(height - 4));
    const html::Span room = room_of(scene_, gap);
    const double middle = (room.from + room.to) / 2;
    double y = (height - double(lines.size() - 1) * kGapLine) / 2 + 4;
    for (const std::string& line : lines) {
      out += text_at("gap", middle, y, escaped(line));
      y += kGapLine;
    }
    for (const StateLine& state : gap.states)
      if (const std::size_t lane = scene_.lane_of(state.host); lane != scene_.lanes.size())
        out += fmt::format("<text y=\"{}\">{}</text>", number(height / 2 + 4),
                           html::beside(scene_.lanes[lane], state.text));
    return out;
  }

  const Brief& brief_;
  std::map<std::size_t, Lines> gaps_;
  html::Scene scene_;
  double below_ = 0;
};

}  // namespace

std::string brief_svg(const Brief& brief) { return Picture(brief).svg(); }

}  // namespace tcplab::reports
