#include "lab/wire/frame_selection.hh"

#include <algorithm>

#include "tests/catch.hh"
#include "tests/workshop.hh"

using namespace tcplab;
using namespace tcplab::lab;
using Catch::Matchers::Contains;

namespace {

/// Returns which frames are picked: "..x......." is the third of ten.
std::string picks(const SelectionOptions& options, int frames = 10) {
  FrameSelection selection(options);
  std::string picked;
  for (int i = 0; i < frames; ++i) picked += selection.picks() ? 'x' : '.';
  return picked;
}

std::string refused(const SelectionOptions& options) {
  return tests::complaint([&] { FrameSelection{options}; });
}

}  // namespace

TEST_CASE("a selection picks all, the first, the n-th, or every n-th") {
  CHECK(picks({}) == "xxxxxxxxxx");
  CHECK(picks({.count = 3}) == "xxx.......");
  CHECK(picks({.count = 0}) == "..........");
  CHECK(picks({.skip = 2}) == "..xxxxxxxx");
  CHECK(picks({.skip = 2, .count = 1}) == "..x.......");
  CHECK(picks({.nth = 1}) == "x.........");
  CHECK(picks({.nth = 4}) == "...x......");
  CHECK(picks({.every = 3}) == "..x..x..x.");
  CHECK(picks({.every = 1}) == "xxxxxxxxxx");
}

TEST_CASE("in a combined selection, skip comes first, then the pattern, then the count") {
  CHECK(picks({.skip = 1, .every = 2}) == "..x.x.x.x.");
  CHECK(picks({.count = 2, .every = 3}) == "..x..x....");
  CHECK(picks({.skip = 9, .probability = 1}) == ".........x");
}

TEST_CASE("the same seed picks the same frames, and another seed picks others") {
  const SelectionOptions half{.probability = 0.5, .seed = 7};
  CHECK(picks(half, 64) == picks(half, 64));
  CHECK(picks(half, 64) != picks({.probability = 0.5, .seed = 8}, 64));
  const std::string many = picks({.probability = 0.25, .seed = 1}, 10000);
  const auto picked = std::count(many.begin(), many.end(), 'x');
  CHECK(picked > 2300);
  CHECK(picked < 2700);
  CHECK(picks({.probability = 0}) == "..........");
  CHECK(picks({.probability = 1}) == "xxxxxxxxxx");
}

TEST_CASE("the same seed gives the same numbers on every machine") {
  Chance chance(5489);  // C++ specifies its ten thousandth number: [rand.predef]
  for (int i = 1; i < 10000; ++i) chance.next();
  CHECK(chance.next() * 4294967296.0 == 4123659995.0);
}

TEST_CASE("without a seed one is drawn and described, so that it can be given later") {
  FrameSelection drawn({.probability = 0.5});
  const std::string text = drawn.describe();
  const auto at = text.find("seed ") + 5;
  const auto seed = static_cast<std::uint32_t>(std::stoul(text.substr(at)));
  std::string picked;
  for (int i = 0; i < 64; ++i) picked += drawn.picks() ? 'x' : '.';
  CHECK(picked == picks({.probability = 0.5, .seed = seed}, 64));
}

TEST_CASE("selections that contradict themselves are refused") {
  CHECK_THAT(refused({.nth = 2, .every = 2}), Contains("`nth`") && Contains("`every`"));
  CHECK_THAT(refused({.count = 1, .nth = 2}), Contains("`nth`"));
  CHECK_THAT(refused({.skip = 1, .nth = 2}), Contains("`nth`"));
  CHECK_THAT(refused({.every = 2, .probability = 0.5}), Contains("`every` and `probability`"));
  CHECK_THAT(refused({.probability = 2}), Contains("from 0 to 1"));
  CHECK_THAT(refused({.probability = -0.1}), Contains("from 0 to 1"));
  CHECK_THAT(refused({.nth = 0}), Contains("counts from 1"));
  CHECK_THAT(refused({.every = 0}), Contains("`every`"));
}

TEST_CASE("a selection describes what it picks") {
  const auto says = [](const SelectionOptions& options) {
    return FrameSelection(options).describe();
  };
  CHECK(says({}).empty());
  CHECK(says({.skip = 1, .count = 2}) == "2 of (after 1) ");
  CHECK(says({.nth = 1}) == "the 1st of ");
  CHECK(says({.nth = 12}) == "the 12th of ");
  CHECK(says({.nth = 22}) == "the 22nd of ");
  CHECK(says({.nth = 113}) == "the 113th of ");
  CHECK(says({.every = 3}) == "every 3rd of ");
  CHECK(says({.every = 1}).empty());
  CHECK(says({.probability = 0.125, .seed = 4711}) == "12.5 % (seed 4711) of ");
}
