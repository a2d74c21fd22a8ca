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
  StyledText operator()(const HostStep&) const { return {}; }
  StyledText operator()(const DarkStep&) const { return {}; }
  StyledText operator()(const HostLine& line) const { return on(line.host, line.text, line.aside); }
  StyledText operator()(const StateLine&) const { return {}; }
  StyledText operator()(const Banner& banner) const {
    return StyledText("══ " + banner.text + " ══", Paint::action);
  }
  StyledText operator()(const Judgement&) const { return {}; }
  StyledText operator()(const Remark& remark) const { return StyledText(remark.text, Paint::note); }
  StyledText operator()(const Quiet& quiet) const {
    return StyledText("⋮ " + base::describe(quiet.span) + ": nothing happens", Paint::dim);
  }
  StyledText operator()(const Arrow& arrow) const { return ends(arrow).add(" ").add(what(arrow)); }

  static StyledText ends(const Arrow& arrow) {
    StyledText text(arrow.from.empty() ? "?" : arrow.from);
    text.add(" ").add(arrow_glyphs(arrow), arrow.paint).add(" ");
    return text.add(arrow.to.empty() ? "all" : arrow.to);
  }

  static StyledText what(const Arrow& arrow) {
    StyledText text;
    if (!arrow.labels.empty()) text.add(arrow.labels.back(), arrow.paint);
    if (!arrow.remark.empty()) text.add(", ").add(arrow.remark);
    return text;
  }

  static StyledText on(const std::string& host, const StyledText& text, const StyledText& aside) {
    StyledText line = StyledText(host + " ", Paint::strong).add(text);
    return aside.empty() ? line : line.add(" ").add(aside);
  }
};

}  // namespace

void ListView::emit(const Step& step, const StyledText& text) {
  StyledText line;
  const std::string time = step.at ? time_text(*step.at, start_, kDecimals) : "";
  line.add(std::string(std::size_t(std::max(0, kTimeWidth - columns(time))), ' '));
  line.add(time, Paint::dim).add(" ").add(text);
  sink_(line.fitted(style_.width, style_));
}

void ListView::draw(const Step& step) {
  if (const auto* judgement = std::get_if<Judgement>(&step.content)) {
    for (const StyledText& line : judgement_lines(judgement->verdict, style_.width - kLeft))
      emit({}, line);
    return;
  }
  if (const auto* remark = std::get_if<Remark>(&step.content)) {
    for (const std::string& line : wrap(remark->text, style_.width - kLeft))
      emit({}, StyledText(line, Paint::note));
    return;
  }
  if (const auto* arrow = std::get_if<Arrow>(&step.content)) return draw(step, *arrow);
  if (const auto* line = std::get_if<StateLine>(&step.content)) return draw(step, *line);
  const StyledText text = std::visit(Words{}, step.content);
  if (!text.empty()) emit(step, text);
}

void ListView::draw(const Step& step, const StateLine& line) {
  Step at = step;
  StyledText before(line.host + " ", Paint::strong);
  for (const StyledText& text : lines_of(line, style_.width - kLeft - before.columns())) {
    emit(at, StyledText(before).add(text));
    before = StyledText(std::string(std::size_t(before.columns()), ' '));
    at.at.reset();
  }
}

/// Draws a frame, in two lines if the names of its hosts are too long for one.
void ListView::draw(const Step& step, const Arrow& arrow) {
  const StyledText text = Words{}(arrow);
  const bool is_wide = text.columns() > style_.width - kLeft;
  emit(step, is_wide ? Words::ends(arrow) : text);
  if (is_wide) emit({}, Words::what(arrow));
  for (const StateLine& state : arrow.states) draw({}, state);
}

}  // namespace tcplab::reports
