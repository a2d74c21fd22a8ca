#include "scenarios/engine/fault.hh"

#include "tests/catch.hh"
#include "tests/scenarios/samples.hh"
#include "tests/scenarios/workshop.hh"

using namespace tcplab;
using namespace tcplab::engine;
using Catch::Matchers::Contains;
using netns::Ruling;

namespace {

const std::string kKang = "kang";
const std::string kKodos = "kodos";
const std::string kAll;
const tests::Bytes kSynFrame = tests::segment(tests::kSyn);
const tests::Bytes kRstFrame = tests::segment(tests::kRst);

bool matches(const FrameFilter& filter, const std::string& from, const std::string& to) {
  return filter.matches({from, to, kSynFrame});
}

std::vector<Ruling> rulings(Fault& fault, int frames) {
  std::vector<Ruling> all;
  for (int i = 0; i < frames; ++i) all.push_back(fault.rule({kKang, kKodos, kSynFrame}));
  return all;
}

}  // namespace

TEST_CASE("a direction picks frames by who sent them to whom") {
  const FrameFilter filter("kang > kodos", "");
  CHECK(matches(filter, kKang, kKodos));
  CHECK_FALSE(matches(filter, kKodos, kKang));
  CHECK_FALSE(matches(filter, kKang, "krusty"));
}

TEST_CASE("a star is any host, and no direction is any direction") {
  CHECK(matches(FrameFilter("* > kodos", ""), "krusty", kKodos));
  CHECK_FALSE(matches(FrameFilter("* > kodos", ""), kKodos, kKang));
  CHECK(matches(FrameFilter("kang > *", ""), kKang, "krusty"));
  CHECK(matches(FrameFilter("* > *", ""), kKodos, kKang));
  CHECK(matches(FrameFilter("", ""), kKodos, kKang));
}

TEST_CASE("a frame to all goes every way that its sender's do") {
  CHECK(matches(FrameFilter("kang > kodos", ""), kKang, kAll));
  CHECK_FALSE(matches(FrameFilter("kang > kodos", ""), kKodos, kAll));
}

TEST_CASE("a filter picks frames by what is in them") {
  const FrameFilter resets("kang > kodos", "tcp[tcpflags] & tcp-rst != 0");
  CHECK(resets.matches({kKang, kKodos, kRstFrame}));
  CHECK_FALSE(resets.matches({kKang, kKodos, kSynFrame}));
  CHECK_FALSE(resets.matches({kKodos, kKang, kRstFrame}));
}

TEST_CASE("directions and filters that cannot be read are refused") {
  const auto* direction = GENERATE("kang", "kang >", "> kodos", ">", "kang kodos", "kang < kodos");
  CAPTURE(direction);
  CHECK_THAT(tests::complaint([&] { FrameFilter(direction, ""); }),
             Contains(std::string("\"") + direction + "\"") && Contains("\"kang > kodos\""));
  CHECK_THAT(tests::complaint([] { FrameFilter("kang > kodos", "tcp["); }), Contains("tcp["));
}

TEST_CASE("blanks around names do not matter") {
  CHECK(matches(FrameFilter("  kang>kodos ", "  "), kKang, kKodos));
}

TEST_CASE("losing loses every frame that matches, and no other") {
  LoseFault fault(FrameFilter("kang > kodos", "tcp[tcpflags] & tcp-syn != 0"), std::nullopt, 0);
  CHECK(rulings(fault, 3) == std::vector{Ruling::lose, Ruling::lose, Ruling::lose});
  CHECK(fault.rule({kKang, kKodos, kRstFrame}) == Ruling::deliver);
  CHECK(fault.rule({kKodos, kKang, kSynFrame}) == Ruling::deliver);
}

TEST_CASE("losing can be limited to a number of frames, after letting some pass") {
  LoseFault first(FrameFilter("", ""), 1, 0);
  CHECK(rulings(first, 3) == std::vector{Ruling::lose, Ruling::deliver, Ruling::deliver});
  LoseFault second(FrameFilter("", ""), 1, 1);
  CHECK(rulings(second, 3) == std::vector{Ruling::deliver, Ruling::lose, Ruling::deliver});
  LoseFault later(FrameFilter("", ""), std::nullopt, 2);
  CHECK(rulings(later, 4) ==
        std::vector{Ruling::deliver, Ruling::deliver, Ruling::lose, Ruling::lose});
  LoseFault none(FrameFilter("", ""), 0, 0);
  CHECK(rulings(none, 2) == std::vector{Ruling::deliver, Ruling::deliver});
}

TEST_CASE("only frames that match are counted") {
  LoseFault second_syn(FrameFilter("", "tcp[tcpflags] & tcp-syn != 0"), 1, 1);
  CHECK(second_syn.rule({kKang, kKodos, kSynFrame}) == Ruling::deliver);
  CHECK(second_syn.rule({kKang, kKodos, kRstFrame}) == Ruling::deliver);
  CHECK(second_syn.rule({kKang, kKodos, kSynFrame}) == Ruling::lose);
}

TEST_CASE("a cut loses one direction, holding holds") {
  CutFault cut(FrameFilter("kodos > kang", ""));
  CHECK(cut.rule({kKodos, kKang, kSynFrame}) == Ruling::lose);
  CHECK(cut.rule({kKang, kKodos, kSynFrame}) == Ruling::deliver);
  HoldFault hold(FrameFilter("kang > kodos", "tcp"));
  CHECK(hold.rule({kKang, kKodos, kSynFrame}) == Ruling::hold);
  CHECK(hold.rule({kKodos, kKang, kSynFrame}) == Ruling::deliver);
}

TEST_CASE("faults say what they are") {
  CHECK(LoseFault(FrameFilter("kang>kodos", "tcp"), 2, 1).describe() ==
        "lose 2 of (after 1) kang > kodos, tcp");
  CHECK(LoseFault(FrameFilter("", ""), std::nullopt, 0).describe() == "lose any direction");
  CHECK(CutFault(FrameFilter("kodos > kang", "")).describe() == "cut kodos > kang");
  CHECK(HoldFault(FrameFilter("* > *", "tcp")).describe() == "hold * > *, tcp");
}
