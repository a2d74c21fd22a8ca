// Checks SequenceGaps: the sequence numbers that a capture has skipped, and how segments fill them.
#include "capture/follow/sequence_gaps.hh"

#include "tests/catch.hh"

using namespace tcplab::capture;

TEST_CASE("filling the middle of a gap splits it in two") {
  SequenceGaps gaps;
  gaps.add(100, 200);
  CHECK(gaps.fill(140, 160) == 20);
  CHECK(gaps.contains(139));
  CHECK_FALSE(gaps.contains(140));
  CHECK_FALSE(gaps.contains(159));
  CHECK(gaps.contains(160));
  CHECK(gaps.fill(0, 1000) == 80);
  CHECK(gaps.fill(0, 1000) == 0);
}

TEST_CASE("one segment may fill several gaps, and a gap may span the wrap") {
  SequenceGaps gaps;
  gaps.add(0xfffffff0U, 16);
  gaps.add(32, 48);
  CHECK(gaps.contains(0));
  CHECK(gaps.fill(8, 40) == 16);
  CHECK(gaps.fill(0xfffffff0U, 48) == 32);
}

TEST_CASE("when there are too many gaps, the oldest are dropped") {
  SequenceGaps gaps;
  for (std::uint32_t i = 0; i <= SequenceGaps::kMost; ++i) gaps.add(10 * i, 10 * i + 5);
  CHECK_FALSE(gaps.contains(0));
  CHECK(gaps.contains(10));
  CHECK(gaps.fill(12, 13) == 1);
  CHECK_FALSE(gaps.contains(10));
  CHECK(gaps.contains(13));
  CHECK(gaps.fill(0, 10000) == 5 * SequenceGaps::kMost - 3);
}

TEST_CASE("octets that are missing are counted below and above a number") {
  SequenceGaps gaps;
  gaps.add(100, 200);
  gaps.add(300, 350);
  CHECK(gaps.missing(100).above == 150);
  CHECK(gaps.missing(250).below == 100);
  CHECK(gaps.missing(250).above == 50);
  CHECK(gaps.missing(250).end == 350);
  gaps.fill(300, 350);
  CHECK(gaps.missing(250).above == 0);
  for (std::uint32_t i = 0; i < SequenceGaps::kMost; ++i) gaps.add(1000 + 10 * i, 1001 + 10 * i);
  CHECK(gaps.missing(500).below == 100);  // the first one was given up
}
