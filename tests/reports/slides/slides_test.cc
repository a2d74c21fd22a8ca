#include "reports/slides/slides.hh"

#include "reports/html/words.hh"
#include "tests/catch.hh"
#include "tests/reports/html/gathered.hh"
#include "tests/reports/sample_run.hh"

namespace tcplab::reports::tests {

namespace {

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; ++at) ++found;
  return found;
}

std::string slides_of(html::PageRun run) {
  Slides slides("puzzlers");
  slides.add(std::move(run), "../scenarios/a.html");
  return slides.page("../scenarios/index.html");
}

html::PageRun with_quiz(html::PageRun run) {
  run.run->quiz = capture::Question{
      .asks = "What?", .choices = {{"RST", true, ""}, {"FIN", false, "A FIN is polite."}}};
  return run;
}

}  // namespace

TEST_CASE("a run has a question, its answers, steps, the right answer, and what to remember") {
  const std::string page = slides_of(with_quiz(gathered(power_cycle())));
  std::size_t at = 0;
  for (const char* kind : {"start", "question", "predict", "story", "answer", "why"}) {
    const std::size_t found = page.find(std::string("<section class=\"slide ") + kind, at);
    REQUIRE(found != std::string::npos);
    at = found;
  }
  CHECK(count(page, "<section class=\"slide") == 6);
  CHECK(count(page, "aria-pressed") >= 2);
  CHECK(count(page, "<li class=\"right\"><p>✓ RST</p></li>") == 1);
  CHECK(count(page, "<li class=\"wrong\"><p>✗ FIN</p><p class=\"because\">A FIN is polite.") == 1);
}

TEST_CASE("a run without a quiz is predicted freely, and has no slide with answers") {
  const std::string page = slides_of(gathered(power_cycle()));
  CHECK(count(page, "<section class=\"slide answer") == 0);
  CHECK(count(page, "Decide before you go on") == 1);
}

TEST_CASE("each step of the story has its sentence, and what the hosts know then") {
  const std::string page = slides_of(gathered(power_cycle()));
  const std::size_t steps = count(page, "class=\"headline\"");
  CHECK(steps >= 5);
  CHECK(steps <= 12);
  CHECK(count(page, "<div class=\"knowledge\">") == steps);
  CHECK(count(page, "its kernel is out of date") >= 1);
  CHECK(count(page, "kodos sends a RST to kang") == 1);
}

TEST_CASE("a run that was skipped has no story, and says so") {
  SampleRun run;
  run.start({.scenario = "s", .title = "S", .asks = "Why?"}).end(capture::Outcome::skipped);
  const std::string page = slides_of(gathered(run));
  CHECK(count(page, "<section class=\"slide story") == 0);
  CHECK(count(page, "</span> skipped</span>") == 1);
}

TEST_CASE("two scenarios with one name have addresses of their own") {
  Slides slides("t");
  slides.add(gathered(power_cycle()), "a.html");
  slides.add(gathered(power_cycle()), "b.html");
  const std::string page = slides.page("index.html");
  CHECK(count(page, "id=\"power-cycle\"") == 1);
  CHECK(count(page, "id=\"power-cycle-2\"") == 1);
  CHECK(count(page, "href=\"#power-cycle-2\"") == 1);
}

TEST_CASE("text of a run does not become markup") {
  const std::string page = slides_of(gathered(hostile_text()));
  CHECK(count(page, "<script") == 1);  // ours
  CHECK(count(page, "<img") == 0);
}

TEST_CASE("a headline has no fields of headers, and no words for what is usual") {
  const html::PageRun page = gathered(with_loss());
  std::string all;
  for (const Step& step : page.steps) all += html::headline_of(page, step) + "\n";
  CHECK(count(all, "kang sends a SYN to kodos") >= 1);
  CHECK(count(all, "lost") >= 1);
  CHECK(count(all, "delivered") == 0);
  CHECK(count(all, " seq ") == 0);
}

}  // namespace tcplab::reports::tests
