#include "reports/html/packed.hh"

#include <random>

#include "reports/html/run_data.hh"
#include "tests/catch.hh"
#include "tests/reports/sample_run.hh"

namespace tcplab::reports::tests {

namespace {

/// What unpack() in report.js does.
std::string unpacked(const std::string& text) {
  std::string out;
  const auto digit = [&text](std::size_t at) { return std::size_t(text.at(at) - '='); };
  for (std::size_t at = 0; at < text.size(); ++at) {
    const bool is_far = text[at] == '~';
    if (!is_far && text[at] != '`') {
      out += text[at];
      continue;
    }
    const std::size_t back =
        digit(at + 2) + 65 * (digit(at + 3) + (is_far ? 65 * digit(at + 4) : 0));
    REQUIRE(back > 0);
    REQUIRE(back <= out.size());
    for (std::size_t left = digit(at + 1) + 5; left > 0; --left) out += out[out.size() - back];
    at += is_far ? 4 : 3;
  }
  return out;
}

std::string data(const SampleRun& run) {
  html::RunGatherer gatherer;
  for (const Event& event : run.events()) gatherer.event(event);
  gatherer.finish();
  const html::ToldRun told = gatherer.take();
  return html::run_data(told, html::lay_out(told));
}

}  // namespace

TEST_CASE("what repeats itself is packed, near and far, and comes back as it was") {
  std::string far;
  std::mt19937 random(7);
  for (int index = 0; index < 9000; ++index) far += char('a' + random() % 26);
  const std::string texts[] = {"",
                               "a",
                               "abcd",
                               "abcdeabcde",
                               std::string(1000, 'x'),
                               far + far.substr(100, 400) + "!",
                               std::string(300'000, 'y') + far + far};
  for (const std::string& text : texts) CHECK(unpacked(html::packed(text)) == text);
  CHECK(html::packed("abcd abcd") == "abcd abcd");
  CHECK(html::packed("abcdeabcde") == "abcde`=B=");
  CHECK(html::packed(std::string(1000, 'x')).size() < 70);
  CHECK(html::packed(far + far).size() < far.size() * 12 / 11);
}

TEST_CASE("a page's data is what packing takes, and ends no script") {
  for (const SampleRun& run : {power_cycle(), with_loss(), hostile_text()}) {
    const std::string text = data(run);
    CHECK(text.find_first_of("`~<") == std::string::npos);
    CHECK(std::ranges::all_of(text, [](char c) { return c >= ' ' && c < '\x7f'; }));
    const std::string packed = html::packed(text);
    CHECK(unpacked(packed) == text);
    CHECK(packed.size() * 2 < text.size());
    CHECK(packed.find('<') == std::string::npos);
  }
}

TEST_CASE("a page's times count from the run's beginning") {
  const std::string text = data(power_cycle());
  CHECK(text.find("\"sent\":-") == std::string::npos);
  const auto sent = text.find("\"sent\":");
  REQUIRE(sent != std::string::npos);
  CHECK(text.find(',', sent) - sent < 20);
}

}  // namespace tcplab::reports::tests
