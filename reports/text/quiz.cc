#include "reports/text/quiz.hh"

#include <algorithm>
#include <fmt/format.h>
#include <random>

#include "base/fnv_hash.hh"
#include "reports/text/prose.hh"
#include "reports/text/text.hh"

namespace tcplab::reports {

namespace {

constexpr int kChoiceMargin = 4;  // "  1 "
constexpr std::size_t kMostToRead = 8;

int prose_width(const Style& style) { return std::min(style.width, kWidestProse); }

void add_prose(std::vector<StyledText>& lines, std::string_view text, const Style& style,
               Paint paint = Paint::plain) {
  for (const std::string& line : wrap(text, prose_width(style))) lines.emplace_back(line, paint);
}

void add_choice(std::vector<StyledText>& lines, const std::string& mark, std::string_view text,
                const Style& style, Paint paint) {
  bool is_first = true;
  for (const std::string& line : wrap(text, prose_width(style) - kChoiceMargin)) {
    lines.push_back(StyledText(fmt::format("  {:<2}", is_first ? mark : ""), paint).add(line));
    is_first = false;
  }
}

std::string count(std::size_t right, std::size_t of) {
  if (of == 0) return "no answer was scored";
  if (right == of) return of == 1 ? "right" : fmt::format("all {} right", of);
  return fmt::format("{} of {} right", right, of);
}

std::size_t count(const std::vector<QuizAnswer>& answers, QuizMark mark) {
  return static_cast<std::size_t>(std::ranges::count(answers, mark, &QuizAnswer::mark));
}

void add_reading(std::vector<StyledText>& lines, const std::vector<QuizAnswer>& answers,
                 const Style& style) {
  std::vector<std::string> names;
  std::string directory;
  for (const QuizAnswer& answer : answers) {
    if (answer.mark != QuizMark::wrong || names.size() == kMostToRead) continue;
    if (names.empty()) directory = answer.directory;
    names.push_back(answer.name);
  }
  if (names.empty()) return;
  add_paragraph(lines, "Read", fmt::format("tcplab explain {}", fmt::join(names, " ")), style);
  add_paragraph(lines, "See the run", "tcplab show " + directory, style);
  add_paragraph(lines, "Try again", fmt::format("tcplab quiz {}", fmt::join(names, " ")), style);
}

}  // namespace

std::vector<StyledText> quiz_question(const QuizQuestion& question, const std::string& title,
                                      std::size_t number, std::size_t of, const Style& style) {
  std::vector<StyledText> lines;
  const std::string counted = of > 1 ? fmt::format("{} of {}: {}", number, of, title) : title;
  add_prose(lines, counted, style, Paint::strong);
  lines.emplace_back();
  add_prose(lines, question.asks, style);
  lines.emplace_back();
  for (std::size_t i = 0; i < question.choices.size(); ++i)
    add_choice(lines, std::to_string(i + 1), question.choices[i].text, style, Paint::strong);
  lines.emplace_back();
  return lines;
}

std::vector<StyledText> quiz_verdict(const QuizQuestion& question, std::size_t chosen,
                                     QuizMark mark, const Style& style) {
  std::vector<StyledText> lines;
  const QuizChoice& choice = question.choices.at(chosen);
  const auto right = std::ranges::find(question.choices, true, &QuizChoice::right);
  if (mark == QuizMark::unproven) {
    add_prose(lines, "Not scored: the run did not pass on this machine.", style, Paint::note);
  } else if (mark == QuizMark::right) {
    add_choice(lines, style.unicode ? "✓" : "+", "Right: " + choice.text, style, Paint::good);
  } else {
    add_choice(lines, style.unicode ? "✗" : "x", "Wrong: " + choice.text, style, Paint::bad);
  }
  if (!choice.because.empty()) add_choice(lines, "", choice.because, style, Paint::plain);
  if (mark == QuizMark::wrong)
    add_choice(lines, style.unicode ? "✓" : "+", "Right answer: " + right->text, style,
               Paint::good);
  return lines;
}

std::vector<StyledText> quiz_score(const std::vector<QuizAnswer>& answers, const Style& style) {
  std::vector<StyledText> lines;
  const std::size_t right = count(answers, QuizMark::right);
  const std::size_t unproven = count(answers, QuizMark::unproven);
  std::string score = "Score: " + count(right, answers.size() - unproven);
  if (unproven > 0) score += fmt::format("; {} not scored", unproven);
  add_prose(lines, score, style, Paint::strong);
  add_reading(lines, answers, style);
  add_paragraph(lines, "Next", "tcplab quiz, or docs/puzzlers.md with the output of every puzzler",
                style);
  return lines;
}

/// Fisher-Yates. Not std::shuffle, which differs between libraries.
void shuffle_choices(QuizQuestion& question, const std::string& name, std::uint64_t seed) {
  std::mt19937_64 random(base::fnv_hash(name, seed));
  auto& choices = question.choices;
  for (std::size_t rest = choices.size(); rest > 1; --rest)
    std::swap(choices[rest - 1], choices[random() % rest]);
}

QuizQuestion question_of(const capture::Question& quiz, const std::string& scenario) {
  QuizQuestion question{.asks = quiz.asks, .choices = {}};
  for (const capture::Choice& choice : quiz.choices)
    question.choices.push_back({choice.text, choice.right, choice.because});
  shuffle_choices(question, scenario, 0);
  return question;
}

}  // namespace tcplab::reports
