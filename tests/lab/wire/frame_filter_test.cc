#include "lab/wire/frame_filter.hh"

#include "tests/catch.hh"
#include "tests/samples.hh"
#include "tests/workshop.hh"

using namespace tcplab;
using namespace tcplab::lab;
using Catch::Matchers::Contains;

namespace {

const std::string kKang = "kang";
const std::string kKodos = "kodos";
const std::string kAll;
const tests::Bytes kSynFrame = tests::segment(tests::kSyn);
const tests::Bytes kRstFrame = tests::segment(tests::kRst);

bool matches(const FrameFilter& filter, const std::string& from, const std::string& to) {
  return filter.matches({from, to, kSynFrame});
}

}  // namespace

TEST_CASE("a direction matches frames by sender and receiver") {
  const FrameFilter filter("kang > kodos", "");
  CHECK(matches(filter, kKang, kKodos));
  CHECK_FALSE(matches(filter, kKodos, kKang));
  CHECK_FALSE(matches(filter, kKang, "krusty"));
}

TEST_CASE("a star matches any host, and an empty direction matches any direction") {
  CHECK(matches(FrameFilter("* > kodos", ""), "krusty", kKodos));
  CHECK_FALSE(matches(FrameFilter("* > kodos", ""), kKodos, kKang));
  CHECK(matches(FrameFilter("kang > *", ""), kKang, "krusty"));
  CHECK(matches(FrameFilter("* > *", ""), kKodos, kKang));
  CHECK(matches(FrameFilter("", ""), kKodos, kKang));
}

TEST_CASE("a broadcast frame matches every direction from its sender") {
  CHECK(matches(FrameFilter("kang > kodos", ""), kKang, kAll));
  CHECK_FALSE(matches(FrameFilter("kang > kodos", ""), kKodos, kAll));
}

TEST_CASE("a filter matches frames by their content") {
  const FrameFilter resets("kang > kodos", "tcp[tcpflags] & tcp-rst != 0");
  CHECK(resets.matches({kKang, kKodos, kRstFrame}));
  CHECK_FALSE(resets.matches({kKang, kKodos, kSynFrame}));
  CHECK_FALSE(resets.matches({kKodos, kKang, kRstFrame}));
}

TEST_CASE("an expression that is a packet word selects by that word; fields narrow it") {
  const FrameFilter resets("kang > kodos", " RST ");
  CHECK(resets.matches({kKang, kKodos, kRstFrame}));
  CHECK_FALSE(resets.matches({kKang, kKodos, kSynFrame}));
  CHECK_FALSE(resets.matches({kKodos, kKang, kRstFrame}));
  CHECK(resets.describe() == "kang > kodos, RST");
  const FrameFilter first("", "RST", {.sequence = 1});
  CHECK(first.matches({kKang, kKodos, kRstFrame}));
  CHECK(first.what() == "RST, seq 1");
  CHECK_FALSE(FrameFilter("", "RST", {.sequence = 2}).matches({kKang, kKodos, kRstFrame}));
  CHECK(FrameFilter("", "tcp", {.sequence = 1}).matches({kKang, kKodos, kSynFrame}));
  CHECK(FrameFilter("", "", {.sequence = 1}).describe() == "any direction, seq 1");
}

TEST_CASE("what is known of a frame counts, beside its bytes") {
  const PacketFacts repeated{.segment = capture::SegmentHeader{.syn = true},
                             .traits = {capture::SegmentTrait::retransmission}};
  const FrameFilter filter("", "retransmission");
  CHECK(filter.matches({kKang, kKodos, kSynFrame, {}, &repeated}));
  CHECK_FALSE(filter.matches({kKang, kKodos, kSynFrame}));
}

TEST_CASE("invalid directions and filters are refused") {
  const auto* direction = GENERATE("kang", "kang >", "> kodos", ">", "kang kodos", "kang < kodos");
  CAPTURE(direction);
  CHECK_THAT(tests::complaint([&] { FrameFilter(direction, ""); }),
             Contains(std::string("\"") + direction + "\"") && Contains("\"kang > kodos\""));
  CHECK_THAT(tests::complaint([] { FrameFilter("kang > kodos", "tcp["); }), Contains("tcp["));
}

TEST_CASE("blanks around names do not matter") {
  CHECK(matches(FrameFilter("  kang>kodos ", "  "), kKang, kKodos));
}
