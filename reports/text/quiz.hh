// Formats a quiz: the question and its choices, whether the answer was right, and the final score.
// Values in, lines out; the caller reads the answers.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "capture/event/event.hh"
#include "reports/text/styled_text.hh"

namespace tcplab::reports {

struct QuizChoice {
  std::string text;
  bool right = false;
  std::string because{};  // why it is wrong or right; empty if there is nothing to add
};

struct QuizQuestion {
  std::string asks;
  std::vector<QuizChoice> choices;  // exactly one is right
};

/// The mark of an answer. It is unproven if the experiment fails, breaks or is skipped.
enum class QuizMark : std::uint8_t { right, wrong, unproven };

struct QuizAnswer {
  std::string name;       // of the scenario
  std::string directory;  // the folder of its run
  QuizMark mark = QuizMark::unproven;
};

/// Returns "2 of 5: Power cycle", the question, and the numbered choices. If `of` is 1, there is no
/// count.
std::vector<StyledText> quiz_question(const QuizQuestion& question, const std::string& title,
                                      std::size_t number, std::size_t of, const Style& style);

/// Returns whether the answer was right, why, and which one is right. `chosen` counts from 0.
std::vector<StyledText> quiz_verdict(const QuizQuestion& question, std::size_t chosen,
                                     QuizMark mark, const Style& style);

/// Returns the score, and what to read and to run next.
std::vector<StyledText> quiz_score(const std::vector<QuizAnswer>& answers, const Style& style);

/// Shuffles the choices. The order depends on the seed and the scenario's name only, not on the
/// compiler or library.
void shuffle_choices(QuizQuestion& question, const std::string& name, std::uint64_t seed);

/// Returns the question of a run as pages ask it: with its choices in an order that is the same in
/// all runs of the scenario, and does not reveal the right one.
QuizQuestion question_of(const capture::Question& quiz, const std::string& scenario);

}  // namespace tcplab::reports
