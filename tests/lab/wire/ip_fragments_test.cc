// Checks IP fragments by putting them together again.
#include "lab/wire/ip_fragments.hh"

#include "capture/decode/decode.hh"
#include "lab/wire/forge.hh"
#include "tests/catch.hh"
#include "tests/samples.hh"
#include "tests/workshop.hh"

using namespace tcplab;
using namespace tcplab::lab;

namespace {

ForgedSegment whole_segment(bool is_ipv4) {
  ForgedSegment segment;
  segment.from = tests::endpoint(is_ipv4 ? "10.0.0.2:80" : "[fd00::2]:80");
  segment.to = tests::endpoint(is_ipv4 ? "10.0.0.1:70" : "[fd00::1]:70");
  segment.flags = capture::TcpFlags::kAck;
  segment.data = std::string(100, 'x');
  return segment;
}

}  // namespace

TEST_CASE("fragments together have the payload of the packet") {
  const ForgedSegment segment = whole_segment(GENERATE(true, false));
  const auto frame = forge(segment);
  const auto fragments = in_fragments(frame, 48);
  REQUIRE(fragments.size() == 3);
  std::vector<std::uint8_t> payload;
  for (const auto& fragment : fragments) {
    const capture::DecodedFrame decoded = capture::decode(fragment);
    CHECK(decoded.ip->fragment_offset == payload.size());
    CHECK(decoded.ip->more_fragments == (&fragment != &fragments.back()));
    CHECK(decoded.ip->protocol == 6);
    payload.insert(payload.end(), decoded.ip->payload.begin(), decoded.ip->payload.end());
  }
  const capture::DecodedFrame whole = capture::decode(frame);
  CHECK(std::equal(payload.begin(), payload.end(), whole.ip->payload.begin(),
                   whole.ip->payload.end()));
}

TEST_CASE("a packet that is smaller than a fragment is the only one") {
  const auto fragments = in_fragments(forge(whole_segment(true)), 1000);
  REQUIRE(fragments.size() == 1);
  const capture::DecodedFrame only = capture::decode(fragments.front());
  CHECK_FALSE(only.ip->is_fragment());
  CHECK(only.tcp->payload.size() == 100);
}

TEST_CASE("the size of fragments is a multiple of 8") {
  const auto frame = forge(whole_segment(true));
  CHECK(tests::complaint([&] { in_fragments(frame, 20); }) ==
        "the size of IP fragments is a multiple of 8 bytes");
  CHECK_FALSE(tests::complaint([&] { in_fragments(frame, 0); }).empty());
}

TEST_CASE("a forged segment can have any checksum, an urgent pointer, and fragments") {
  ForgedSegment segment = whole_segment(true);
  segment.urgent_pointer = 3;
  segment.checksum = 0xabcd;
  const auto frame = forge(segment);
  const capture::DecodedFrame decoded = capture::decode(frame);
  CHECK(decoded.tcp->urgent_pointer == 3);
  CHECK(decoded.ip->payload[16] == 0xab);
  CHECK(decoded.ip->payload[17] == 0xcd);
  CHECK(forge_frames(segment) == std::vector<std::vector<std::uint8_t>>{frame});
  segment.fragment_size = 40;
  CHECK(forge_frames(segment).size() == 3);
}
