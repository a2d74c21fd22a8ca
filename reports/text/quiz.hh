// A scenario's question with answers to choose from, and how it looks to whoever answers it: the
// choices before the experiment, right or wrong after it, the score at the end. Values in, lines
// out; who asks, and how an answer comes, is somebody else's.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "reports/text/styled_text.hh"

namespace tcplab::reports {

struct QuizChoice {
  std::string text;
  bool right = false;
  std::string because{};  // why it is wrong: the misconception behind it; or what to add to it
};

struct QuizQuestion {
  std::string asks;
  std::vector<QuizChoice> choices;  // exactly one is right
};

/// What became of an answer. An experiment that fails, breaks or is skipped proves nothing.
enum class QuizMark : std::uint8_t { right, wrong, unproven };

struct QuizAnswer {
  std::string name;       // of the scenario
  std::string directory;  // what its run left
  QuizMark mark = QuizMark::unproven;
};

/// "2 of 5: Power cycle", the question, and the choices with their numbers. Of a suite of one
/// there is no count.
std::vector<StyledText> quiz_question(const QuizQuestion& question, const std::string& title,
                                      std::size_t number, std::size_t of, const Style& style);

/// Right or wrong, why, and which one is right. `chosen` counts from 0.
std::vector<StyledText> quiz_verdict(const QuizQuestion& question, std::size_t chosen,
                                     QuizMark mark, const Style& style);

/// The score; what to read about those that were wrong, and what to run next.
std::vector<StyledText> quiz_score(const std::vector<QuizAnswer>& answers, const Style& style);

/// The same order of choices for the same seed, with every compiler and library. Scenarios differ
/// in theirs by their names.
void shuffle_choices(QuizQuestion& question, const std::string& name, std::uint64_t seed);

}  // namespace tcplab::reports
