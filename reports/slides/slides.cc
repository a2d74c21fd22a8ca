#include "reports/slides/slides.hh"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "reports/html/assets.hh"
#include "reports/html/markup.hh"
#include "reports/html/page_parts.hh"
#include "reports/html/picture.hh"
#include "reports/slides/story_slide.hh"
#include "reports/text/frame_text.hh"
#include "reports/text/quiz.hh"
#include "reports/text/text.hh"

namespace tcplab::reports {

namespace {

using html::escaped;

constexpr std::size_t kMuchText = 500;      // bytes: smaller type
constexpr std::size_t kManyQuestions = 12;  // on the first slide, and again
constexpr std::size_t kMostQuestions = 45;
constexpr std::string_view kBegin = "start";  // id of the first slide

constexpr std::string_view kControls =
    "<nav class=\"turn\" aria-label=\"Slides\" hidden>\n"
    "<button type=\"button\" data-turn=\"-1\" aria-label=\"Previous slide\">←</button>\n"
    "<output></output>\n"
    "<button type=\"button\" data-turn=\"1\" aria-label=\"Next slide\">→</button>\n</nav>\n";

constexpr std::string_view kKeys =
    "<p class=\"keys\"><kbd>→</kbd> <kbd>Space</kbd> <kbd>PgDn</kbd> next · <kbd>←</kbd> "
    "<kbd>PgUp</kbd> back · <kbd>Home</kbd> <kbd>End</kbd> · <kbd>f</kbd> full screen</p>\n";

/// Of what kind a slide is: its class, and how a screen reader calls it.
struct SlideKind {
  std::string_view name;
  std::string_view part;  // of the id, after that of the scenario
  std::string_view label;
};
constexpr SlideKind kQuestion{"question", "", "question"};
constexpr SlideKind kPredict{"predict", "/predict", "predict"};
constexpr SlideKind kStory{"story", "/story", "steps"};
constexpr SlideKind kAnswer{"answer", "/answer", "answer"};
constexpr SlideKind kWhy{"why", "/why", "what to remember"};

/// The slides of one run.
class RunSlides {
public:
  RunSlides(const StorySlide& story, std::string id, std::string page, const std::string& topic)
      : story_(story), id_(std::move(id)), page_(std::move(page)), topic_(topic) {
    if (run_.quiz) quiz_ = question_of(*run_.quiz, run_.scenario);
  }

  std::string markup() const {
    const std::string steps = story_.markup(id_);
    std::string out = slide(kQuestion, question()) + slide(kPredict, prediction());
    if (!steps.empty()) out += slide(kStory, above() + steps);
    if (!quiz_.choices.empty()) out += slide(kAnswer, answer());
    return out + slide(kWhy, why());
  }

private:
  std::string slide(const SlideKind& kind, const std::string& content) const {
    return fmt::format(
        "<section class=\"slide {}\" id=\"{}{}\" aria-roledescription=\"slide\" "
        "aria-label=\"{}: {}\">\n{}</section>\n",
        kind.name, escaped(id_), kind.part, escaped(title()), kind.label, content);
  }

  std::string title() const { return title_of(story_.brief()); }
  std::string above() const {
    return fmt::format("<p class=\"of\">{} · {}</p>\n", escaped(topic_), escaped(title()));
  }

  std::string question() const {
    std::string hosts;
    for (const html::Lifeline& lane : story_.scene().lanes)
      hosts += fmt::format("<li class=\"k{}\"><b>{}</b> {}</li>\n", lane.color, escaped(lane.host),
                           escaped(lane.address));
    if (!hosts.empty()) hosts = "<ul class=\"hosts\">\n" + hosts + "</ul>\n";
    return fmt::format("<p class=\"of\">{}</p>\n<h2>{}</h2>\n<p class=\"asks\">{}</p>\n{}",
                       escaped(topic_), escaped(title()), escaped(run_.asks), hosts);
  }

  std::string prediction() const {
    if (quiz_.choices.empty())
      return above() + fmt::format(
                           "<h2>What will happen?</h2>\n<p class=\"asks\">{}</p>\n"
                           "<p class=\"hint\">Decide before you go on: what does each "
                           "program see, and when?</p>\n",
                           escaped(run_.asks));
    std::string list;
    for (const QuizChoice& choice : quiz_.choices)
      list += fmt::format("<li><button type=\"button\" aria-pressed=\"false\">{}</button></li>\n",
                          escaped(choice.text));
    return above() + fmt::format(
                         "<h2>What will happen?</h2>\n<p class=\"asks\">{}</p>\n"
                         "<ol class=\"options\">\n{}</ol>\n",
                         escaped(quiz_.asks), list);
  }

  std::string answer() const {
    std::string list;
    for (const QuizChoice& choice : quiz_.choices)
      list += fmt::format(
          "<li class=\"{}\"><p>{} {}</p>{}</li>\n", choice.right ? "right" : "wrong",
          choice.right ? "✓" : "✗", escaped(choice.text),
          choice.because.empty() ? "" : "<p class=\"because\">" + escaped(choice.because) + "</p>");
    return above() + fmt::format(
                         "<h2>The answer</h2>\n<p class=\"asks\">{}</p>\n"
                         "<ol class=\"options\">\n{}</ol>\n",
                         escaped(quiz_.asks), list);
  }

  std::string why() const {
    const std::string list =
        html::definition("What Linux does", run_.here) + html::definition("Why", run_.why);
    std::string out =
        above() + "<h2>What to remember</h2>\n" +
        fmt::format("<dl class=\"remember{}\">\n{}</dl>\n<p class=\"foot\">",
                    run_.here.size() + run_.why.size() > kMuchText ? " much" : "", list);
    const std::optional<capture::RunEnd>& end = story_.brief().page.end;
    if (!end || end->outcome != capture::Outcome::passed)
      out +=
          (end ? html::badge(end->outcome) + " " + escaped(end->reason) : "not finished") + " · ";
    return out + fmt::format("{} · <a href=\"{}\">all steps of this run</a></p>\n",
                             escaped(conditions(run_)), escaped(page_));
  }

  const StorySlide& story_;
  std::string id_;
  std::string page_;
  const std::string& topic_;
  capture::RunStart run_ = story_.brief().page.run.value_or(capture::RunStart{});
  QuizQuestion quiz_{};
};

}  // namespace

std::string Slides::unused_id(const std::string& scenario) {
  std::string id = scenario;
  for (int number = 2; id == kBegin || !ids_.insert(id).second; ++number)
    id = fmt::format("{}-{}", scenario, number);
  return id;
}

void Slides::add(html::PageRun run, const std::string& page) {
  const std::string id = unused_id(run.run ? run.run->scenario : "run");
  const StorySlide story(brief_of(std::move(run)));
  list_ += fmt::format("<li><a href=\"#{}\">{}</a></li>\n", escaped(html::link_to(id).substr(2)),
                       escaped(title_of(story.brief())));
  slides_ += RunSlides(story, id, page, topic_).markup();
  if (story.scene().width > widest_.width) widest_ = story.scene();
}

std::string Slides::page(const std::string& index) const {
  const std::string count = counted(ids_.size(), "question");
  return html::page_begin({.title = topic_ + " · slides · tcplab",
                           .description = fmt::format("{} on TCP, as slides: predict, see each "
                                                      "step, and read why.",
                                                      count),
                           .style = &html::kSlidesStyle},
                          "slides", html::kSlidesScript) +
         "<svg class=\"shared\" width=\"0\" height=\"0\" aria-hidden=\"true\">" +
         html::definitions(widest_) + "</svg>\n<main>\n" +
         fmt::format(
             "<section class=\"slide start\" id=\"{}\" aria-roledescription=\"slide\" "
             "aria-label=\"{}\">\n<p class=\"of\">tcplab</p>\n<h1>{}</h1>\n"
             "<p class=\"asks\">{} on TCP. Predict, then look.</p>\n"
             "<ol class=\"contents{}\">\n{}</ol>\n{}<p class=\"foot\">"
             "<a href=\"{}\">All runs</a></p>\n</section>\n",
             kBegin, escaped(topic_), escaped(topic_), count,
             ids_.size() > kMostQuestions   ? " most"
             : ids_.size() > kManyQuestions ? " many"
                                            : "",
             list_, kKeys, escaped(index)) +
         slides_ + "</main>\n" + std::string(kControls) + html::page_end(html::kSlidesScript);
}

}  // namespace tcplab::reports
