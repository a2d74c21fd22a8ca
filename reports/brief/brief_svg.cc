#include "reports/brief/brief_svg.hh"

#include <fmt/format.h>

#include "reports/brief/brief_ladder.hh"
#include "reports/brief/brief_style.hh"
#include "reports/html/markup.hh"
#include "reports/html/picture.hh"
#include "reports/text/text.hh"

namespace tcplab::reports {

namespace {

using html::escaped;
using html::number;

const html::Measures kMeasures{
    .text = 228, .wire = 254, .long_wire = 290, .bare_wire = 200, .heights = {}};
constexpr double kMargin = 16;  // of the whole picture
constexpr double kTitle = 24;   // height of a line of the title
constexpr double kAsks = 19;    // of a line of the question
constexpr double kHead = 46;    // of the hosts' names
constexpr double kFoot = 30;

class Picture {
public:
  explicit Picture(const Brief& brief) : brief_(brief), ladder_(brief, kMeasures) {}

  std::string svg() {
    const html::Scene& scene = ladder_.scene();
    const std::string above = title();
    const double width = kBriefTimes + scene.width + 2 * kMargin;
    const double bottom = below_ + scene.height + kFoot;
    std::string out = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" "
        "viewBox=\"{2} 0 {0} {1}\" role=\"img\" aria-labelledby=\"brief-title brief-steps\">\n"
        "<title id=\"brief-title\">{3}</title>\n<desc id=\"brief-steps\">{4}</desc>\n"
        "<style>{5}.judged {{ x: {6}px; y: 2px; width: {7}px; }}\n"
        ".judged:not([height]) {{ height: 19px; }}\n</style>\n{8}\n",
        number(width), number(bottom), number(left()), escaped(title_of(brief_)), description(),
        kBriefStyle, number(html::kLeft), number(scene.width - html::kLeft),
        html::definitions(scene));
    out += fmt::format(
        "<rect class=\"paper\" x=\"{}\" y=\"0.5\" width=\"{}\" height=\"{}\" rx=\"10\"/>\n",
        number(left() + 0.5), number(width - 1), number(bottom - 1));
    out += above + fmt::format("<g transform=\"translate(0 {})\">\n", number(below_));
    out += html::background(brief_.page, scene) + "\n";
    for (std::size_t index = 0; index < brief_.page.steps.size(); ++index)
      out += ladder_.row(index);
    out += "</g>\n" + text_at("foot", left() + kMargin, bottom - 14, escaped(foot_of(brief_)));
    return out + "</svg>\n";
  }

private:
  static double left() { return -kBriefTimes - kMargin; }

  /// Writes title, question and the names of the hosts; below_ is where they end.
  std::string title() {
    std::string out;
    double y = kMargin;
    const double width = kBriefTimes + ladder_.scene().width;
    for (const std::string& line : wrap(title_of(brief_), int(width / 11)))
      out += text_at("title", left() + kMargin, (y += kTitle) - 6, escaped(line));
    if (brief_.page.run && !brief_.page.run->asks.empty())
      for (const std::string& line : wrap(brief_.page.run->asks, int(width / 7.6)))
        out += text_at("asks", left() + kMargin, (y += kAsks) - 3, escaped(line));
    y += 12;
    for (const html::Lifeline& lane : ladder_.scene().lanes)
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
      if (ladder_.scene().places[index].height != 0) out += escaped(ladder_.words(index)) + "\n";
    return out + escaped(foot_of(brief_));
  }

  const Brief& brief_;
  BriefLadder ladder_;
  double below_ = 0;
};

}  // namespace

std::string brief_svg(const Brief& brief) { return Picture(brief).svg(); }

}  // namespace tcplab::reports
