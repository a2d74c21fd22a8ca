#include "app/cli/answers.hh"

#include <unistd.h>

#include <iostream>
#include <string>

#include "app/terminal/key_terminal.hh"
#include "app/terminal/raw_terminal.hh"
#include "base/error.hh"
#include "reports/text/text.hh"

namespace tcplab::app {

namespace {

/// Returns the index of a choice: 1 for "2" and for "b". Returns `choices` for any other key.
std::size_t choice_of(char key, std::size_t choices) {
  std::size_t choice = choices;
  if (key >= '1' && key <= '9') choice = static_cast<std::size_t>(key - '1');
  if (key >= 'a' && key <= 'f') choice = static_cast<std::size_t>(key - 'a');
  return choice < choices ? choice : choices;
}

class KeyAnswers : public Answers {
public:
  std::optional<std::size_t> next(std::size_t choices) override {
    std::cout << "Your answer (1-" << choices << ", q to quit): " << std::flush;
    forget_keys(STDIN_FILENO);
    for (;;) {
      const std::optional<char> key = next_key(STDIN_FILENO);
      if (!key || *key == 'q') return ended();
      const std::size_t choice = choice_of(*key, choices);
      if (choice == choices) continue;
      std::cout << choice + 1 << "\n\n" << std::flush;
      return choice;
    }
  }

  bool go_on() override {
    std::cout << "Press a key for the next question, q to quit: " << std::flush;
    forget_keys(STDIN_FILENO);
    const std::optional<char> key = next_key(STDIN_FILENO);
    std::cout << "\n\n" << std::flush;
    return key && *key != 'q';
  }

private:
  static std::optional<std::size_t> ended() {
    std::cout << "q\n\n" << std::flush;
    return std::nullopt;
  }
};

class LineAnswers : public Answers {
public:
  std::optional<std::size_t> next(std::size_t choices) override {
    std::string line;
    if (!std::getline(std::cin, line) || line == "q") return std::nullopt;
    ++number_;
    const std::size_t choice = line.size() == 1 ? choice_of(line.front(), choices) : choices;
    if (choice == choices)
      throw base::UsageError("standard input:" + std::to_string(number_) + ": \"" +
                             reports::printable(line) + "\" is not an answer; use 1 to " +
                             std::to_string(choices) + ", or q to quit");
    std::cout << "Your answer: " << choice + 1 << "\n\n" << std::flush;
    return choice;
  }

  bool go_on() override { return true; }

private:
  int number_ = 0;
};

}  // namespace

std::unique_ptr<Answers> answers_of_stdin() {
  if (::isatty(STDIN_FILENO) == 1) return std::make_unique<KeyAnswers>();
  return std::make_unique<LineAnswers>();
}

}  // namespace tcplab::app
