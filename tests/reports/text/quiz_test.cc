// Checks the texts of a quiz: a question, its mark and the score, also in a narrow window.
#include "reports/text/quiz.hh"

#include <algorithm>
#include <set>

#include "reports/text/text.hh"
#include "tests/catch.hh"

using namespace tcplab::reports;
using Catch::Matchers::Contains;

namespace {

const QuizQuestion kQuestion{
    .asks =
        "Kodos was power cycled, and kang's program writes. What does it learn from that write?",
    .choices = {{"It succeeds; the next read fails with ECONNRESET", true, "Once."},
                {"It fails with ECONNRESET", false, "write only fills a buffer."},
                {"It fails with EPIPE, and the program is sent SIGPIPE", false, ""}}};

std::string text_of(const std::vector<StyledText>& lines, int width) {
  std::string text;
  for (const StyledText& line : lines) {
    CHECK(line.columns() <= width);
    text += line.text() + "\n";
  }
  return text;
}

std::string score(const std::vector<QuizAnswer>& answers) {
  return text_of(quiz_score(answers, Style{}), 100);
}

}  // namespace

TEST_CASE("a question has numbered choices") {
  CHECK(text_of(quiz_question(kQuestion, "Power cycle", 2, 3, Style{.width = 40}), 40) ==
        "2 of 3: Power cycle\n"
        "\n"
        "Kodos was power cycled, and kang's\n"
        "program writes. What does it learn from\n"
        "that write?\n"
        "\n"
        "  1 It succeeds; the next read fails\n"
        "    with ECONNRESET\n"
        "  2 It fails with ECONNRESET\n"
        "  3 It fails with EPIPE, and the program\n"
        "    is sent SIGPIPE\n"
        "\n");
  CHECK(quiz_question(kQuestion, "Power cycle", 1, 1, Style{}).front().text() == "Power cycle");
}

TEST_CASE("a wrong answer is followed by the reason and the right answer") {
  CHECK(text_of(quiz_verdict(kQuestion, 1, QuizMark::wrong, Style{}), 100) ==
        "  ✗ Wrong: It fails with ECONNRESET\n"
        "    write only fills a buffer.\n"
        "  ✓ Right answer: It succeeds; the next read fails with ECONNRESET\n");
  CHECK(text_of(quiz_verdict(kQuestion, 0, QuizMark::right, Style{}), 100) ==
        "  ✓ Right: It succeeds; the next read fails with ECONNRESET\n"
        "    Once.\n");
}

TEST_CASE("an experiment that did not pass is not scored") {
  const std::string text = text_of(quiz_verdict(kQuestion, 1, QuizMark::unproven, Style{}), 100);
  CHECK_THAT(text, Contains("Not scored"));
  CHECK_THAT(text, !Contains("Wrong") && !Contains("It is"));
}

TEST_CASE("the score counts scored answers, and names what to read") {
  const QuizAnswer right{"a", "runs/a", QuizMark::right};
  const QuizAnswer wrong{"b", "runs/b", QuizMark::wrong};
  const QuizAnswer unproven{"c", "runs/c", QuizMark::unproven};
  CHECK_THAT(score({right, wrong, unproven}),
             Contains("Score: 1 of 2 right; 1 not scored") && Contains("tcplab explain b\n") &&
                 Contains("tcplab show runs/b\n") && !Contains("explain a"));
  CHECK_THAT(score({right, right}), Contains("Score: all 2 right\n") && !Contains("explain"));
  CHECK_THAT(score({unproven}), Contains("no answer was scored; 1 not scored"));
  CHECK_THAT(score({}), Contains("no answer was scored"));
}

TEST_CASE("the order of choices depends on seed and scenario only") {
  std::set<std::string> first;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    QuizQuestion one = kQuestion;
    QuizQuestion other = kQuestion;
    shuffle_choices(one, "power-cycle", seed);
    shuffle_choices(other, "power-cycle", seed);
    CHECK(std::ranges::equal(one.choices, other.choices, {}, &QuizChoice::text, &QuizChoice::text));
    CHECK(std::ranges::count(one.choices, true, &QuizChoice::right) == 1);
    first.insert(one.choices.front().text);
  }
  CHECK(first.size() == 3);
}
