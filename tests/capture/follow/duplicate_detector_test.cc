// Checks that DuplicateDetector tells a second copy of a packet from a retransmission.
#include "capture/follow/duplicate_detector.hh"

#include <random>

#include "tests/catch.hh"

using namespace tcplab::capture;
using tcplab::base::IpAddress;

namespace {

constexpr std::int64_t kMillisecond = 1'000'000;

struct SeenPacket {
  std::uint16_t identification = 7;
  std::uint8_t hop_limit = 64;
  std::uint32_t stamp = 1;
  std::uint8_t octet = 'a';
  std::uint32_t sequence = 1000;
  std::uint16_t flags = TcpFlags::kAck;
  std::size_t length = 1;
  std::uint16_t port = 0;  // of the client
};

class Capture {
public:
  /// Starts with three other packets of the connection, so that it does not count as captured
  /// twice.
  Capture() {
    for (std::uint16_t i = 0; i < 3; ++i)
      note({.identification = static_cast<std::uint16_t>(100 + i)}, 0);
  }
  Duplicate note(const SeenPacket& packet, std::int64_t milliseconds) {
    DecodedFrame frame;
    auto& ip = frame.ip.emplace();
    ip.source = IpAddress::parse("10.0.0.1").value();
    ip.destination = IpAddress::parse("10.0.0.2").value();
    ip.identification = packet.identification;
    ip.hop_limit = packet.hop_limit;
    auto& tcp = frame.tcp.emplace();
    tcp.source_port = packet.port;
    tcp.sequence = packet.sequence;
    tcp.flags = packet.flags;
    tcp.length = packet.length;
    tcp.payload = Bytes(&packet.octet, 1);
    if (packet.stamp > 0) tcp.options.timestamps = TcpTimestamps{packet.stamp, 0};
    return detector_.note(frame, milliseconds * kMillisecond);
  }

  void remember(std::size_t connections) { detector_.remember(connections); }

private:
  DuplicateDetector detector_{Interfaces::one};
};

}  // namespace

TEST_CASE("A packet with a lower hop limit was forwarded") {
  Capture capture;
  CHECK(capture.note({}, 0) == Duplicate::none);
  CHECK(capture.note({.hop_limit = 63}, 1) == Duplicate::forwarded);
  CHECK(capture.note({.hop_limit = 62}, 1) == Duplicate::forwarded);
  CHECK(capture.note({.hop_limit = 62}, 2) == Duplicate::copied);
}

TEST_CASE("The same octets again are a copy; other octets are an altered packet") {
  Capture capture;
  capture.note({}, 0);
  CHECK(capture.note({}, 300) == Duplicate::copied);
  CHECK(capture.note({.octet = 'b'}, 1) == Duplicate::altered);
}

TEST_CASE("A retransmission differs in its IP identification or its timestamp") {
  Capture capture;
  capture.note({}, 0);
  CHECK(capture.note({.identification = 8}, 200) == Duplicate::none);
  CHECK(capture.note({.stamp = 201}, 200) == Duplicate::none);
}

// Segments of a transfer differ only in their identification and sequence number. A hash of the
// fields once confused two of them in 3 of 200 transfers.
TEST_CASE("No two segments of a transfer count as one packet") {
  std::mt19937 engine(1);
  const auto random = [&] { return static_cast<std::uint32_t>(engine()); };
  for (int transfer = 0; transfer < 500; ++transfer) {
    Capture capture;
    const auto identification = static_cast<std::uint16_t>(random());
    const std::uint32_t sequence = random();
    const std::uint32_t stamp = random();
    for (unsigned i = 0; i < 340; ++i) {
      const SeenPacket segment{.identification = static_cast<std::uint16_t>(identification + i),
                               .stamp = stamp,
                               .sequence = sequence + 1448 * i,
                               .length = 1448};
      REQUIRE(capture.note(segment, 0) == Duplicate::none);
    }
  }
}

TEST_CASE("Without identification and timestamp, the same octets 200 ms later are another packet") {
  Capture capture;
  capture.note({.identification = 0, .stamp = 0}, 0);
  CHECK(capture.note({.identification = 0, .hop_limit = 63, .stamp = 0}, 1) ==
        Duplicate::forwarded);
  CHECK(capture.note({.identification = 0, .stamp = 0}, 200) == Duplicate::none);
}

TEST_CASE("Without identification and timestamp, only an immediate repetition is a copy") {
  Capture capture;
  const SeenPacket bare{.identification = 0, .stamp = 0, .length = 2};
  capture.note(bare, 0);
  CHECK(capture.note(bare, 1) == Duplicate::copied);
  CHECK(capture.note(bare, 3) == Duplicate::none);  // a retransmission caused by duplicate ACKs
  CHECK(capture.note({.identification = 0, .length = 2}, 10) == Duplicate::none);
  CHECK(capture.note({.identification = 0, .length = 2}, 300) == Duplicate::copied);
}

TEST_CASE("A file may have the later copy of a packet first") {
  Capture capture;
  capture.note({}, 10'000);
  CHECK(capture.note({}, 9'999) == Duplicate::copied);
  CHECK(capture.note({}, 0) == Duplicate::none);
}

TEST_CASE("A connection is captured twice if at least half of its packets occur twice") {
  DuplicateDetector detector(Interfaces::one);
  DecodedFrame frame;
  frame.ip.emplace();
  frame.tcp.emplace().flags = TcpFlags::kAck;
  const auto note = [&](std::uint32_t sequence, std::size_t length) {
    frame.tcp->sequence = sequence;
    frame.tcp->length = length;
    return detector.note(frame, 0);
  };
  SECTION("every packet occurs twice") {
    for (std::uint32_t i = 0; i < 3; ++i) {
      CHECK(note(i, 100) == Duplicate::none);
      CHECK(note(i, 100) == Duplicate::recaptured);
      CHECK(note(i, 0) == Duplicate::none);
      CHECK(note(i, 0) == Duplicate::recaptured);  // an ACK, which looks like any other ACK
    }
  }
  SECTION("the path has copied one packet") {
    for (std::uint32_t i = 0; i < 3; ++i) note(i, 100);
    note(3, 0);
    CHECK(note(1, 100) == Duplicate::copied);
    CHECK(note(3, 0) == Duplicate::none);  // a duplicate ACK is a new packet
    CHECK(note(2, 100) == Duplicate::recaptured);
  }
}

TEST_CASE("Each connection is judged on its own") {
  DuplicateDetector detector(Interfaces::one);
  DecodedFrame frame;
  frame.ip.emplace().identification = 1;
  frame.tcp.emplace().flags = TcpFlags::kAck;
  frame.tcp->length = 100;
  for (const std::uint16_t port : {std::uint16_t{1}, std::uint16_t{2}}) {
    frame.tcp->source_port = port;
    for (std::uint32_t i = 0; i < 3; ++i) {
      frame.tcp->sequence = i;
      detector.note(frame, 0);
      if (port == 1) CHECK(detector.note(frame, 0) == Duplicate::recaptured);
    }
  }
  CHECK(detector.note(frame, 0) == Duplicate::copied);
}

TEST_CASE("A frame on two interfaces has one copy for each time it was sent") {
  DuplicateDetector detector(Interfaces::several);
  const std::uint8_t octets[] = {1, 2, 3};
  DecodedFrame frame;
  frame.bytes = octets;
  const auto note = [&](std::int64_t at) { return detector.note(frame, at); };
  CHECK(note(0) == Duplicate::none);
  CHECK(note(10) == Duplicate::other_interface);
  CHECK(note(20) == Duplicate::none);
  CHECK(note(200 * kMillisecond) == Duplicate::none);
}

TEST_CASE("A frame that occurs twice on one interface is not another interface's") {
  DuplicateDetector detector(Interfaces::one);
  const std::uint8_t octets[] = {1, 2, 3};
  DecodedFrame frame;
  frame.bytes = octets;
  CHECK(detector.note(frame, 0) == Duplicate::none);
  CHECK(detector.note(frame, 10) == Duplicate::none);
}

TEST_CASE("A copy is found beside thousands of other connections") {
  Capture capture;
  capture.remember(12'000);
  for (std::uint16_t port = 1; port <= 10'000; ++port) capture.note({.port = port}, 1);
  CHECK(capture.note({.sequence = 5000}, 4) == Duplicate::none);
  CHECK(capture.note({.sequence = 5000}, 4) == Duplicate::copied);
}

TEST_CASE("A connection that goes on is remembered, however many others end") {
  Capture capture;
  for (std::uint16_t port = 1; port <= 20'000; ++port) {
    capture.note({.port = port}, 1);
    if (port % 1000 == 0) capture.note({.identification = port}, 1);
  }
  CHECK(capture.note({.sequence = 5000}, 4) == Duplicate::none);
  CHECK(capture.note({.sequence = 5000}, 4) == Duplicate::copied);
}
