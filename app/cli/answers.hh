// Reads the answers of a quiz: one key each at a terminal, otherwise one line of standard input.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>

namespace tcplab::app {

class Answers {
public:
  virtual ~Answers() = default;
  /// Waits for an answer, and returns its index from 0 to `choices` - 1. Returns nothing at the end
  /// of input, or if the user quits.
  virtual std::optional<std::size_t> next(std::size_t choices) = 0;
  /// Waits until the user wants the next question. Returns false if the user quits.
  virtual bool go_on() = 0;
};

/// Returns a reader of standard input.
std::unique_ptr<Answers> answers_of_stdin();

}  // namespace tcplab::app
