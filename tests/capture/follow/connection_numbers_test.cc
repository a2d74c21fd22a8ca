// Checks the numbers of kang's connection from port 40000 to kodos:8080, taken from its frames.
#include "capture/follow/connection_numbers.hh"

#include <initializer_list>

#include "tests/capture/follow/flags.hh"
#include "tests/catch.hh"

using namespace tcplab;
using namespace tcplab::capture;
using namespace tcplab::tests;

namespace {

constexpr std::uint32_t kKangs = 1000;        // initial sequence numbers
constexpr std::uint32_t kKodos = 4294967290;  // soon to wrap
const std::uint8_t kData[100] = {};

const base::Endpoint kKangsEnd = base::Endpoint::parse("10.0.0.1:40000").value();
const base::Endpoint kKodosEnd = base::Endpoint::parse("10.0.0.2:8080").value();
const FlowKey kConnection = {kKangsEnd, kKodosEnd};

struct Segment {
  std::uint16_t flags = 0;
  std::uint32_t sequence = 0;
  std::uint32_t acknowledgment = 0;
  std::size_t length = 0;
  std::uint16_t window = 500;
  TcpOptions options{};
  std::size_t cut = 0;  // octets of the data that the capture does not have
};

DecodedFrame frame(const Segment& segment, const FlowKey& way) {
  DecodedFrame decoded;
  decoded.ethernet =
      EthernetHeader{.destination = {2, 0, 0, 0, 0, 2}, .source = {2, 0, 0, 0, 0, 1}};
  decoded.ip = IpHeader{.source = way.source.address, .destination = way.destination.address};
  decoded.tcp = TcpSegment{.source_port = way.source.port,
                           .destination_port = way.destination.port,
                           .sequence = segment.sequence,
                           .acknowledgment = segment.acknowledgment,
                           .flags = segment.flags,
                           .window = segment.window,
                           .options = segment.options,
                           .payload = Bytes(kData, segment.length - segment.cut),
                           .length = segment.length};
  return decoded;
}

/// kang's side of the connection.
class Kang {
public:
  void sends(const Segment& segment) { numbers.sent(frame(segment, kConnection)); }
  void gets(const Segment& segment) { numbers.delivered(frame(segment, kConnection.reversed())); }
  void connects(const TcpOptions& options = {}) {
    sends({.flags = kSyn, .sequence = kKangs, .options = options});
    gets({.flags = kSyn | kAck,
          .sequence = kKodos,
          .acknowledgment = kKangs + 1,
          .options = options});
    sends({.flags = kAck, .sequence = kKangs + 1, .acknowledgment = kKodos + 1});
  }
  EndNumbers end() const {
    const EndNumbers* found = numbers.find(kConnection);
    REQUIRE(found != nullptr);
    return *found;
  }
  std::uint32_t expects() const { return end().rcv_nxt - kKodos; }

  ConnectionNumbers numbers;
};

}  // namespace

TEST_CASE("data cut off by the capture counts for its sender, but not for its receiver") {
  Kang kang;
  kang.connects();
  const std::uint32_t kangs = kKangs + 1;
  kang.sends(
      {.flags = kAck, .sequence = kangs, .acknowledgment = kKodos + 1, .length = 100, .cut = 60});
  CHECK(kang.end().snd_nxt == kangs + 100);
  kang.gets(
      {.flags = kAck, .sequence = kKodos + 1, .acknowledgment = kangs, .length = 50, .cut = 20});
  CHECK(kang.expects() == 1);
}

TEST_CASE("an unseen connection, and one that kang refuses, have no numbers") {
  Kang kang;
  CHECK(kang.numbers.find(kConnection) == nullptr);
  CHECK_FALSE(kang.numbers.newest());
  kang.gets({.flags = kSyn, .sequence = kKodos});
  kang.sends({.flags = kRst | kAck, .sequence = 0, .acknowledgment = kKodos + 1});
  CHECK(kang.numbers.find(kConnection) == nullptr);
}

TEST_CASE("in SYN_SENT the peer's numbers are unknown") {
  Kang kang;
  kang.sends({.flags = kSyn, .sequence = kKangs});
  CHECK(kang.end().snd_nxt == kKangs + 1);
  CHECK(kang.end().snd_una == kKangs);
  CHECK_FALSE(kang.end().irs);
  kang.gets({.flags = kSyn | kAck, .sequence = 5, .acknowledgment = 7});  // not for our SYN
  CHECK_FALSE(kang.end().irs);
}

TEST_CASE("a handshake sets the numbers of both ends") {
  Kang kang;
  kang.connects();
  CHECK(kang.end().iss == kKangs);
  CHECK(kang.end().irs == kKodos);
  CHECK(kang.end().snd_una == kKangs + 1);
  CHECK(kang.end().snd_nxt == kKangs + 1);
  CHECK(kang.expects() == 1);
  CHECK(kang.end().rcv_wnd() == 500);
  CHECK(kang.end().mac == MacBytes{2, 0, 0, 0, 0, 1});
  CHECK(kang.end().next_hop == MacBytes{2, 0, 0, 0, 0, 2});
}

TEST_CASE("the passive end takes its numbers from its own SYN-ACK") {
  Kang kang;
  kang.gets({.flags = kSyn, .sequence = kKodos});
  kang.sends({.flags = kSyn | kAck, .sequence = kKangs, .acknowledgment = kKodos + 1});
  CHECK(kang.end().irs == kKodos);
  CHECK(kang.end().snd_una == kKangs);
  kang.gets({.flags = kAck, .sequence = kKodos + 1, .acknowledgment = kKangs + 1});
  CHECK(kang.end().snd_una == kKangs + 1);
}

TEST_CASE("data that is sent twice counts once, and snd_una follows the acknowledgment") {
  Kang kang;
  kang.connects();
  kang.sends({.flags = kAck, .sequence = kKangs + 1, .acknowledgment = kKodos + 1, .length = 10});
  kang.sends({.flags = kAck, .sequence = kKangs + 1, .acknowledgment = kKodos + 1, .length = 10});
  CHECK(kang.end().snd_nxt == kKangs + 11);
  CHECK(kang.end().snd_una == kKangs + 1);
  kang.gets({.flags = kAck, .sequence = kKodos + 1, .acknowledgment = kKangs + 11});
  CHECK(kang.end().snd_una == kKangs + 11);
  kang.sends({.flags = kFin | kAck, .sequence = kKangs + 11, .acknowledgment = kKodos + 1});
  CHECK(kang.end().snd_nxt == kKangs + 12);
}

TEST_CASE("received data in order counts before it is acknowledged; data beyond a gap does not") {
  Kang kang;
  kang.connects();
  const auto data = [](std::uint32_t sequence) {
    return Segment{
        .flags = kAck, .sequence = kKodos + sequence, .acknowledgment = kKangs + 1, .length = 10};
  };
  kang.gets(data(1));
  CHECK(kang.expects() == 11);
  kang.gets(data(21));
  CHECK(kang.expects() == 11);
  kang.gets(data(11));
  CHECK(kang.expects() == 21);  // data beyond the gap counts when kang acknowledges it
  kang.sends({.flags = kAck, .sequence = kKangs + 1, .acknowledgment = kKodos + 31});
  CHECK(kang.expects() == 31);
  kang.gets(data(1));
  CHECK(kang.expects() == 31);
  CHECK(kang.end().rcv_wnd() == 500);
}

TEST_CASE("a segment that TCP would not accept changes nothing") {
  Kang kang;
  kang.connects();
  const EndNumbers before = kang.end();
  const std::uint32_t next = kKodos + 1;
  const auto refused = std::initializer_list<Segment>{
      {.flags = kAck, .sequence = next, .acknowledgment = kKangs + 2, .length = 9},  // not sent
      {.flags = kAck, .sequence = next, .acknowledgment = kKangs - 9, .length = 9},  // too old
      {.flags = 0, .sequence = next, .length = 9},                                   // no ACK
      {.flags = kRst | kAck, .sequence = next, .acknowledgment = kKangs + 1},
      {.flags = kSyn | kAck, .sequence = next, .acknowledgment = kKangs + 1}};
  for (const Segment& segment : refused) {
    kang.gets(segment);
    CHECK(kang.end().rcv_nxt == before.rcv_nxt);
    CHECK(kang.end().snd_una == before.snd_una);
    CHECK(kang.end().irs == before.irs);
  }
}

TEST_CASE("windows are scaled if both ends offer it, and never in a SYN") {
  TcpOptions scaled;
  scaled.window_scale = 7;
  Kang kang;
  kang.sends({.flags = kSyn, .sequence = kKangs, .options = scaled});
  kang.gets(
      {.flags = kSyn | kAck, .sequence = kKodos, .acknowledgment = kKangs + 1, .options = scaled});
  kang.sends({.flags = kAck, .sequence = kKangs + 1, .acknowledgment = kKodos + 1});
  CHECK(kang.end().rcv_wnd() == 500U << 7);

  Kang other;
  other.sends({.flags = kSyn, .sequence = kKangs, .options = scaled});
  other.gets({.flags = kSyn | kAck, .sequence = kKodos, .acknowledgment = kKangs + 1});
  other.sends({.flags = kAck, .sequence = kKangs + 1, .acknowledgment = kKodos + 1});
  CHECK(other.end().rcv_wnd() == 500);
}

TEST_CASE("the last timestamps sent and received are kept, and older segments are refused") {
  const auto stamped = [](std::uint32_t value, std::uint32_t echo) {
    TcpOptions options;
    options.timestamps = TcpTimestamps{.value = value, .echo_reply = echo};
    return options;
  };
  Kang kang;
  kang.connects();
  CHECK_FALSE(kang.end().ts_own);
  kang.sends({.flags = kAck,
              .sequence = kKangs + 1,
              .acknowledgment = kKodos + 1,
              .options = stamped(70, 900)});
  CHECK(kang.end().ts_own == 70U);
  CHECK(kang.end().ts_recent == 900);
  Segment data{.flags = kAck, .sequence = kKodos + 1, .acknowledgment = kKangs + 1, .length = 10};
  data.options = stamped(899, 70);
  kang.gets(data);
  CHECK(kang.expects() == 1);
  data.options = stamped(901, 70);
  kang.gets(data);
  CHECK(kang.expects() == 11);
  CHECK(kang.end().ts_recent == 901);
}

TEST_CASE("a SYN on the same ports starts a new connection, which is the newest") {
  Kang kang;
  kang.connects();
  const FlowKey other = {kKangsEnd, base::Endpoint::parse("10.0.0.2:9").value()};
  kang.numbers.sent(frame({.flags = kSyn, .sequence = 1}, other));
  CHECK(kang.numbers.newest() == other);
  kang.sends({.flags = kSyn, .sequence = kKangs + 50'000});
  CHECK(kang.numbers.newest() == kConnection);
  CHECK(kang.end().snd_nxt == kKangs + 50'001);
  CHECK_FALSE(kang.end().irs);
  kang.sends({.flags = kSyn, .sequence = kKangs + 50'000});  // a retransmission
  CHECK(kang.end().begun == 3);
}

TEST_CASE("a segment is classified before it is sent, and that changes nothing") {
  Kang kang;
  kang.connects();
  const DecodedFrame data =
      frame({.flags = kAck, .sequence = kKangs + 1, .acknowledgment = kKodos + 1, .length = 10},
            kConnection);
  CHECK(kang.numbers.classify(data) == SegmentTraits{SegmentTrait::new_data});
  CHECK(kang.numbers.classify(data) == SegmentTraits{SegmentTrait::new_data});
  kang.numbers.sent(data);
  CHECK(kang.numbers.classify(data) == SegmentTraits{SegmentTrait::retransmission});
}
