// One packet that a capture has several times, told from one that was sent again.
#include "capture/follow/sightings.hh"

#include "capture/follow/twice_seen.hh"
#include "tests/catch.hh"

using namespace tcplab::capture;
using tcplab::base::IpAddress;

namespace {

constexpr std::int64_t kMillisecond = 1'000'000;

struct Packet {
  std::uint16_t identification = 7;
  std::uint8_t hop_limit = 64;
  std::uint32_t stamp = 1;
  std::uint8_t octet = 'a';
};

struct Sight {
  Sightings sightings;

  Sighting note(const Packet& packet, std::int64_t milliseconds) {
    DecodedFrame frame;
    auto& ip = frame.ip.emplace();
    ip.source = IpAddress::parse("10.0.0.1").value();
    ip.destination = IpAddress::parse("10.0.0.2").value();
    ip.identification = packet.identification;
    ip.hop_limit = packet.hop_limit;
    auto& tcp = frame.tcp.emplace();
    tcp.sequence = 1000;
    tcp.flags = TcpFlags::kAck;
    tcp.length = 1;
    tcp.payload = Bytes(&packet.octet, 1);
    if (packet.stamp > 0) tcp.options.timestamps = TcpTimestamps{packet.stamp, 0};
    return sightings.note(frame, milliseconds * kMillisecond);
  }
};

}  // namespace

TEST_CASE("A packet with a lower hop limit is farther on its way") {
  Sight sight;
  CHECK(sight.note({}, 0) == Sighting::first);
  CHECK(sight.note({.hop_limit = 63}, 1) == Sighting::farther);
  CHECK(sight.note({.hop_limit = 62}, 1) == Sighting::farther);
  CHECK(sight.note({.hop_limit = 62}, 2) == Sighting::copy);
}

TEST_CASE("The same octets are a copy, other octets are damage") {
  Sight sight;
  sight.note({}, 0);
  CHECK(sight.note({}, 300) == Sighting::copy);
  CHECK(sight.note({.octet = 'b'}, 1) == Sighting::altered);
}

TEST_CASE("What is sent again has an identification or a timestamp of its own") {
  Sight sight;
  sight.note({}, 0);
  CHECK(sight.note({.identification = 8}, 200) == Sighting::first);
  CHECK(sight.note({.stamp = 201}, 200) == Sighting::first);
}

TEST_CASE("Where neither tells, the same octets later are another packet") {
  Sight sight;
  sight.note({.identification = 0, .stamp = 0}, 0);
  CHECK(sight.note({.identification = 0, .hop_limit = 63, .stamp = 0}, 1) == Sighting::farther);
  CHECK(sight.note({.identification = 0, .stamp = 0}, 200) == Sighting::first);
}

TEST_CASE("Where neither tells, only what is there at once is a copy") {
  Sight sight;
  const Packet bare{.identification = 0, .stamp = 0};
  sight.note(bare, 0);
  CHECK(sight.note(bare, 1) == Sighting::copy);
  CHECK(sight.note(bare, 3) == Sighting::first);  // asked for by duplicate acknowledgments
  CHECK(sight.note({.identification = 0}, 10) == Sighting::first);
  CHECK(sight.note({.identification = 0}, 300) == Sighting::copy);
}

TEST_CASE("What was captured later may come first in a file, and is the same packet") {
  Sight sight;
  sight.note({}, 10'000);
  CHECK(sight.note({}, 9'999) == Sighting::copy);
  CHECK(sight.note({}, 0) == Sighting::first);
}

TEST_CASE("A connection is captured twice where half of it is there again, at the least") {
  using Verdict = CapturedTwice::Verdict;
  DecodedFrame frame;
  frame.ip.emplace();
  frame.tcp.emplace().flags = TcpFlags::kAck;
  CapturedTwice twice;
  const auto note = [&](Sighting sighting) { return twice.note(frame, sighting); };
  SECTION("each frame of it") {
    for (int i = 0; i < 3; ++i) {
      frame.tcp->length = 100;
      CHECK(note(Sighting::first) == Verdict::new_segment);
      CHECK(note(Sighting::copy) == Verdict::twice);
      frame.tcp->length = 0;  // an acknowledgment that nothing tells from another
      CHECK(note(Sighting::copy) == Verdict::twice);
    }
  }
  SECTION("one of it was copied on its way") {
    frame.tcp->length = 100;
    for (int i = 0; i < 3; ++i) note(Sighting::first);
    CHECK(note(Sighting::copy) == Verdict::copy);
    frame.tcp->length = 0;
    CHECK(note(Sighting::copy) == Verdict::new_segment);
    frame.ip->identification = 9;
    CHECK(note(Sighting::copy) == Verdict::twice);
  }
}

TEST_CASE("A frame of two interfaces is seen again, once for each time that it was new") {
  TwiceSeen seen;
  const std::uint8_t octets[] = {1, 2, 3};
  CHECK_FALSE(seen.is_again(octets, 0, kMillisecond));
  CHECK(seen.is_again(octets, 10, kMillisecond));
  CHECK_FALSE(seen.is_again(octets, 20, kMillisecond));
  CHECK_FALSE(seen.is_again(octets, 2 * kMillisecond, kMillisecond));
}
