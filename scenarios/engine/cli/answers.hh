// Where the answers of a quiz come from: a key each at a terminal, else a line each of standard
// input, so that a quiz can be piped.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>

namespace tcplab::engine {

class Answers {
public:
  virtual ~Answers() = default;
  /// Asks until there is an answer, counting from 0, below `choices`; nothing when there will be no
  /// more: q, or the end of input.
  virtual std::optional<std::size_t> next(std::size_t choices) = 0;
  /// Lets the reader read; false when there shall be no more questions.
  virtual bool go_on() = 0;
};

/// Of standard input.
std::unique_ptr<Answers> answers_of_stdin();

}  // namespace tcplab::engine
