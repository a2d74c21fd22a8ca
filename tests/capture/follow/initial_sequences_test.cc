// Checks what the numbers of kang's connection with kodos:8080 are relative to.
#include "capture/follow/initial_sequences.hh"

#include <optional>
#include <utility>

#include "capture/follow/packet_tracker.hh"
#include "tests/capture/follow/flags.hh"
#include "tests/capture/frames.hh"
#include "tests/catch.hh"

using namespace tcplab;
using namespace tcplab::capture;
using namespace tcplab::tests;

namespace {

constexpr std::uint32_t kFirst = 4294967290;  // initial sequence number; soon to wrap
const FlowKey kToKodos = {base::Endpoint::parse("10.0.0.1:40000").value(),
                          base::Endpoint::parse("10.0.0.2:8080").value()};
const FlowKey kToKang = kToKodos.reversed();

SegmentHeader header(std::uint16_t flags, std::uint32_t sequence, std::uint32_t acknowledgment = 0,
                     std::uint32_t length = 0) {
  return {.sequence = sequence,
          .acknowledgment = acknowledgment,
          .length = length,
          .syn = (flags & kSyn) != 0,
          .rst = (flags & kRst) != 0,
          .ack = (flags & kAck) != 0,
          .window_scale = {},
          .timestamps = {}};
}

using TwoNumbers = std::pair<std::optional<std::uint32_t>, std::optional<std::uint32_t>>;

TwoNumbers numbers(const SequenceBases& bases) { return {bases.sequence, bases.acknowledgment}; }

TwoNumbers both(std::uint32_t own, std::uint32_t peers) { return {own, peers}; }

}  // namespace

TEST_CASE("numbers of a direction begin with its SYN, and again with a new one") {
  ConnectionBases bases;
  CHECK(bases.note(kToKodos, header(kSyn, kFirst)).sequence == kFirst);
  CHECK(numbers(bases.note(kToKang, header(kSyn | kAck, 500, kFirst + 1))) == both(500, kFirst));
  CHECK(numbers(bases.note(kToKodos, header(kAck, kFirst + 1, 501))) == both(kFirst, 500));
  // A host that has forgotten the connection uses the same ports again.
  CHECK(bases.note(kToKodos, header(kSyn, 77)).sequence == 77U);
  // The peer answers with the numbers of the connection that it knows.
  CHECK(numbers(bases.note(kToKang, header(kAck, 501, kFirst + 1))) == both(500, kFirst));
  CHECK(numbers(bases.note(kToKang, header(kSyn | kAck, 9000, 78))) == both(9000, 77));
  CHECK(numbers(bases.note(kToKodos, header(kAck, 78, 9001))) == both(77, 9000));
}

TEST_CASE("without a SYN, numbers begin with the first segment, but not with a RST") {
  ConnectionBases bases;
  CHECK_FALSE(bases.note(kToKodos, header(kRst, 0)).sequence);
  CHECK(numbers(bases.note(kToKodos, header(kAck, 500, 900))) == both(499, 899));
  CHECK(numbers(bases.note(kToKodos, header(kAck, 600, 950))) == both(499, 899));
  CHECK(numbers(bases.note(kToKang, header(kAck, 950, 600))) == both(899, 499));
}

TEST_CASE("a host that acknowledges a forged SYN,ACK counts from its number") {
  const std::uint32_t forged = GENERATE(0U, 5000U, 4294967295U);
  ConnectionBases bases;
  bases.note(kToKodos, header(kSyn, kFirst));
  CHECK(numbers(bases.note_forged(kToKang, header(kSyn | kAck, forged, kFirst + 1))) ==
        both(forged, kFirst));
  CHECK(numbers(bases.note(kToKodos, header(kAck, kFirst + 1, forged + 1))) ==
        both(kFirst, forged));
  CHECK(numbers(bases.note_forged(kToKang, header(kAck, forged + 1, kFirst + 1, 10))) ==
        both(forged, kFirst));
  CHECK(numbers(bases.note(kToKodos, header(kAck, kFirst + 1, forged + 11))) ==
        both(kFirst, forged));
  // The real peer's answer comes later: each end keeps the numbers that it knows.
  CHECK(numbers(bases.note(kToKang, header(kSyn | kAck, 70000, kFirst + 1))) ==
        both(70000, kFirst));
  CHECK(numbers(bases.note(kToKodos, header(kAck, kFirst + 1, forged + 11))) ==
        both(kFirst, forged));
}

TEST_CASE("a server that answers a forged SYN counts from its number") {
  ConnectionBases bases;
  CHECK(bases.note_forged(kToKodos, header(kSyn, 5000, 0, 7)).sequence == 5000U);
  CHECK(bases.note_forged(kToKodos, header(kAck, 5001, 0)).sequence == 5000U);
  CHECK(numbers(bases.note(kToKang, header(kSyn | kAck, 900, 5008))) == both(900, 5000));
  CHECK(numbers(bases.note_forged(kToKodos, header(kAck, 5008, 901))) == both(5000, 900));
  CHECK(numbers(bases.note(kToKang, header(kAck, 901, 5008, 3))) == both(900, 5000));
}

TEST_CASE("a forged SYN is relative to a later one of the same ports if that is answered") {
  ConnectionBases bases;
  bases.note(kToKodos, header(kSyn, 300));
  bases.note(kToKang, header(kSyn | kAck, 900, 301));
  bases.note_forged(kToKodos, header(kSyn, 5000));
  CHECK(numbers(bases.note(kToKang, header(kSyn | kAck, 90000, 5001))) == both(90000, 5000));
}

TEST_CASE("a forged SYN that its receiver refuses changes no numbers") {
  ConnectionBases bases;
  bases.note(kToKodos, header(kSyn, kFirst));
  bases.note(kToKang, header(kSyn | kAck, 500, kFirst + 1));
  bases.note(kToKodos, header(kAck, kFirst + 1, 501));
  CHECK(numbers(bases.note_forged(kToKang, header(kSyn, 501))) == both(500, kFirst));
  CHECK(numbers(bases.note(kToKodos, header(kAck, kFirst + 1, 501))) == both(kFirst, 500));
  CHECK(numbers(bases.note(kToKang, header(kAck, 501, kFirst + 1, 1))) == both(500, kFirst));
  CHECK(numbers(bases.note(kToKodos, header(kAck, kFirst + 1, 502))) == both(kFirst, 500));
}

TEST_CASE("the ladder and the summaries have the same numbers") {
  struct Step {
    FlowKey flow;
    std::uint16_t flags;
    std::uint32_t sequence;
    std::uint32_t acknowledgment;
    Fate fate;
  };
  const Step steps[] = {{kToKodos, kSyn, kFirst, 0, Fate::lost},
                        {kToKang, kSyn | kAck, 5000, kFirst + 1, Fate::forged},
                        {kToKodos, kAck, kFirst + 1, 5001, Fate::lost},
                        {kToKang, kAck, 5001, kFirst + 1, Fate::forged},
                        {kToKodos, kAck, kFirst + 1, 5001, Fate::delivered}};
  PacketTracker ladder;
  ConnectionBases bases;
  std::uint64_t number = 0;
  for (const Step& step : steps) {
    const SegmentHeader sent = header(step.flags, step.sequence, step.acknowledgment);
    const SequenceBases known = step.fate == Fate::forged ? bases.note_forged(step.flow, sent)
                                                          : bases.note(step.flow, sent);
    Packet packet;
    packet.frame = ++number;
    packet.protocol = "TCP";
    packet.source = step.flow.source;
    packet.destination = step.flow.destination;
    packet.flags = tcp_flags(step.flags);
    packet.sequence = step.sequence;
    packet.acknowledgment = step.acknowledgment;
    packet.fate = step.fate;
    const TrackedPacket tracked = ladder.note(packet);
    CAPTURE(number);
    CHECK(tracked.sequence == static_cast<std::int32_t>(step.sequence - *known.sequence));
    if (sent.ack)
      CHECK(tracked.acknowledgment ==
            static_cast<std::int32_t>(step.acknowledgment - *known.acknowledgment));
  }
}
