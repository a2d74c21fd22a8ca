#include "reports/ladder/list_view.hh"

#include <algorithm>

#include "reports/ladder/lane_layout.hh"
#include "reports/text/judgement_text.hh"
#include "reports/text/text.hh"

namespace tcplab::reports {

namespace {

using capture::Fate;

constexpr int kTimeWidth = 7;
constexpr int kDecimals = 3;
constexpr int kLeft = kTimeWidth + 1;

std::string_view arrow_glyphs(const Arrow& arrow) {
  switch (arrow.fate) {
    case Fate::delivered:
      return "─▶";
    case Fate::lost:
      return "─╳";
    case Fate::held:
    case Fate::delayed:
      return "─┤";
    case Fate::forged:
      return "╌▶";
  }
  return "";
}

struct Words {
  Painted operator()(const HostStep&) const { return {}; }
  Painted operator()(const DarkStep&) const { return {}; }
  Painted operator()(const HostLine& line) const { return on(line.host, line.text, line.aside); }
  Painted operator()(const StateLine&) const { return {}; }
  Painted operator()(const Banner& banner) const {
    return Painted("══ " + banner.text + " ══", Paint::action);
  }
  Painted operator()(const Judgement&) const { return {}; }
  Painted operator()(const Remark& remark) const { return Painted(remark.text, Paint::note); }
  Painted operator()(const Quiet& quiet) const {
    return Painted("⋮ " + base::describe(quiet.span) + ": nothing happens", Paint::dim);
  }
  Painted operator()(const Arrow& arrow) const { return ends(arrow).add(" ").add(what(arrow)); }

  static Painted ends(const Arrow& arrow) {
    Painted text(arrow.from.empty() ? "?" : arrow.from);
    text.add(" ").add(arrow_glyphs(arrow), arrow.paint).add(" ");
    return text.add(arrow.to.empty() ? "all" : arrow.to);
  }

  static Painted what(const Arrow& arrow) {
    Painted text;
    if (!arrow.labels.empty()) text.add(arrow.labels.back(), arrow.paint);
    if (!arrow.remark.empty()) text.add(", ").add(arrow.remark);
    return text;
  }

  static Painted on(const std::string& host, const Painted& text, const Painted& aside) {
    Painted line = Painted(host + " ", Paint::strong).add(text);
    return aside.empty() ? line : line.add(" ").add(aside);
  }
};

}  // namespace

void ListView::emit(const Step& step, const Painted& text) {
  Painted line;
  const std::string time = step.at ? time_text(*step.at, start_, kDecimals) : "";
  line.add(std::string(std::size_t(std::max(0, kTimeWidth - columns(time))), ' '));
  line.add(time, Paint::dim).add(" ").add(text);
  sink_(line.fitted(style_.width, style_));
}

void ListView::draw(const Step& step) {
  if (const auto* judgement = std::get_if<Judgement>(&step.deed)) {
    for (const Painted& line : judgement_lines(judgement->verdict, style_.width - kLeft))
      emit({}, line);
    return;
  }
  if (const auto* remark = std::get_if<Remark>(&step.deed)) {
    for (const std::string& line : wrap(remark->text, style_.width - kLeft))
      emit({}, Painted(line, Paint::note));
    return;
  }
  if (const auto* arrow = std::get_if<Arrow>(&step.deed)) return draw(step, *arrow);
  if (const auto* line = std::get_if<StateLine>(&step.deed)) return draw(step, *line);
  const Painted text = std::visit(Words{}, step.deed);
  if (!text.empty()) emit(step, text);
}

void ListView::draw(const Step& step, const StateLine& line) {
  Step at = step;
  Painted before(line.host + " ", Paint::strong);
  for (const Painted& text : lines_of(line, style_.width - kLeft - before.columns())) {
    emit(at, Painted(before).add(text));
    before = Painted(std::string(std::size_t(before.columns()), ' '));
    at.at.reset();
  }
}

/// What a frame is must be seen, however long the names of its ends are.
void ListView::draw(const Step& step, const Arrow& arrow) {
  const Painted text = Words{}(arrow);
  const bool is_wide = text.columns() > style_.width - kLeft;
  emit(step, is_wide ? Words::ends(arrow) : text);
  if (is_wide) emit({}, Words::what(arrow));
  for (const StateLine& state : arrow.states) draw({}, state);
}

}  // namespace tcplab::reports
