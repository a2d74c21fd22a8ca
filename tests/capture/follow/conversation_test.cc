// Checks what Conversation reads from a connection's frames: states, segments, and kinds of resets.
#include "capture/follow/conversation.hh"

#include <algorithm>

#include "tests/capture/follow/flags.hh"
#include "tests/catch.hh"

using namespace tcplab::capture;
using namespace tcplab::tests;
using tcplab::base::IpAddress;

namespace {

struct SegmentNumbers {
  std::uint32_t sequence = 0;
  std::uint32_t acknowledgment = 0;
  std::size_t length = 0;
  std::uint16_t window = 500;
};

/// A connection between 10.0.0.1:40000 (end 0) and 10.0.0.2:8080 (end 1). End 0's sequence numbers
/// soon wrap.
class Talk {
public:
  static constexpr std::uint32_t kFirst[] = {0xfffffffeU, 5000};

  SegmentReading say(std::size_t sender, std::uint16_t flags, const SegmentNumbers& numbers) {
    DecodedFrame frame;
    IpHeader& ip = frame.ip.emplace();
    ip.source = kAddresses[sender];
    ip.destination = kAddresses[1 - sender];
    TcpSegment& tcp = frame.tcp.emplace();
    tcp.source_port = kPorts[sender];
    tcp.destination_port = kPorts[1 - sender];
    tcp.flags = flags;
    tcp.sequence = kFirst[sender] + numbers.sequence;
    tcp.acknowledgment = kFirst[1 - sender] + numbers.acknowledgment;
    tcp.length = numbers.length;
    tcp.window = numbers.window;
    return conversation.note(frame, ++at_);
  }

  Talk& shake_hands() {
    say(0, kSyn, {});
    say(1, kSyn | kAck, {0, 1});
    say(0, kAck, {1, 1});
    return *this;
  }

  std::string states() const {
    return std::string(name(conversation.states().end(0).now)) + " " +
           std::string(name(conversation.states().end(1).now));
  }

  Conversation conversation{{{kAddresses[0], kPorts[0]}, {kAddresses[1], kPorts[1]}}, 0};

private:
  static inline const IpAddress kAddresses[] = {IpAddress::parse("10.0.0.1").value(),
                                                IpAddress::parse("10.0.0.2").value()};
  static constexpr std::uint16_t kPorts[] = {40000, 8080};
  std::int64_t at_ = 0;
};

}  // namespace

TEST_CASE("A conversation opens and closes through RFC 9293's states") {
  Talk talk;
  talk.say(0, kSyn, {});
  CHECK(talk.states() == "SYN_SENT CLOSED");
  talk.say(1, kSyn | kAck, {0, 1});
  CHECK(talk.states() == "SYN_SENT SYN_RECV");
  talk.say(0, kAck, {1, 1});
  CHECK(talk.states() == "ESTABLISHED ESTABLISHED");
  talk.say(0, kFin | kAck, {1, 1});
  CHECK(talk.states() == "FIN_WAIT1 ESTABLISHED");
  talk.say(1, kAck, {1, 2});
  CHECK(talk.states() == "FIN_WAIT2 CLOSE_WAIT");
  talk.say(1, kFin | kAck, {1, 2});
  CHECK(talk.states() == "FIN_WAIT2 LAST_ACK");
  CHECK_FALSE(talk.conversation.states().is_over());
  talk.say(0, kAck, {2, 2});
  CHECK(talk.states() == "TIME_WAIT CLOSED");
  CHECK(talk.conversation.states().is_over());
  CHECK(talk.conversation.states().closed_first() == std::size_t{0});
}

TEST_CASE("A FIN that acknowledges the peer's FIN passes through CLOSE_WAIT") {
  Talk talk;
  talk.shake_hands().say(1, kFin | kAck, {1, 1});
  const SegmentReading reading = talk.say(0, kFin | kAck, {1, 2});
  REQUIRE(reading.changes.size() == 3);
  CHECK(reading.changes[0].to == TcpState::close_wait);
  CHECK(reading.changes[1].to == TcpState::fin_wait2);
  CHECK(reading.changes[2].to == TcpState::last_ack);
  talk.say(1, kAck, {2, 2});
  CHECK(talk.states() == "CLOSED TIME_WAIT");
}

TEST_CASE("Two FINs that cross are a simultaneous close") {
  Talk talk;
  talk.shake_hands().say(0, kFin | kAck, {1, 1});
  talk.say(1, kFin | kAck, {1, 1});
  CHECK(talk.states() == "FIN_WAIT1 FIN_WAIT1");
  talk.say(0, kAck, {2, 2});
  CHECK(talk.states() == "CLOSING TIME_WAIT");
  talk.say(1, kAck, {2, 2});
  CHECK(talk.states() == "TIME_WAIT TIME_WAIT");
}

TEST_CASE("Two SYNs that cross are a simultaneous open") {
  Talk talk;
  talk.say(0, kSyn, {});
  talk.say(1, kSyn, {});
  CHECK(talk.states() == "SYN_SENT SYN_SENT");
  talk.say(0, kSyn | kAck, {0, 1});
  talk.say(1, kSyn | kAck, {0, 1});
  talk.say(0, kAck, {1, 1});
  CHECK(talk.states() == "ESTABLISHED ESTABLISHED");
}

TEST_CASE("A conversation whose handshake was not captured starts as ESTABLISHED") {
  Talk talk;
  talk.say(1, kAck, {100, 50, 20});
  CHECK(talk.states() == "ESTABLISHED ESTABLISHED");
  CHECK_FALSE(talk.conversation.states().is_whole());
}

TEST_CASE("Retransmitted octets count once, even across the wrap of sequence numbers") {
  Talk talk;
  talk.shake_hands().say(0, kAck, {1, 1, 10});
  CHECK(talk.say(0, kAck, {11, 1, 10}).traits.has(SegmentTrait::new_data));
  CHECK(talk.say(0, kAck, {11, 1, 10}).traits.has(SegmentTrait::retransmission));
  CHECK(talk.say(0, kAck, {16, 1, 10}).traits.has(SegmentTrait::partial_retransmission));
  CHECK(talk.conversation.end(0).octets == 25);
  CHECK(talk.conversation.end(0).retransmissions == 1);
  CHECK(talk.conversation.end(0).unanswered == 2);
  talk.say(1, kAck, {1, 26});
  CHECK(talk.conversation.end(0).unanswered == 0);
}

TEST_CASE("Only segments that carry data count as data segments") {
  Talk talk;
  talk.shake_hands().say(0, kAck, {1, 1, 10});
  talk.say(0, kAck, {1, 1, 10});
  talk.say(0, kAck, {11, 1, 1});
  talk.say(0, kAck | kFin, {12, 1, 5});
  CHECK(talk.conversation.end(0).data_segments == 3);
  CHECK(talk.conversation.end(0).segments == 6);
  CHECK(talk.conversation.end(1).data_segments == 0);
}

TEST_CASE("A RST in place answers retransmitted data; a RST out of place does not") {
  Talk talk;
  talk.shake_hands().say(0, kAck, {1, 1, 10});
  talk.say(0, kAck, {1, 1, 10});
  talk.say(1, kRst, {777, 0});
  CHECK(talk.conversation.end(0).unanswered == 1);
  talk.say(1, kRst, {1, 0});
  CHECK(talk.conversation.end(0).unanswered == 0);
}

TEST_CASE("A segment that fills a gap is out of order") {
  Talk talk;
  talk.shake_hands().say(0, kAck, {11, 1, 10});
  CHECK(talk.say(0, kAck, {1, 1, 10}).traits.has(SegmentTrait::out_of_order));
  CHECK(talk.say(0, kAck, {1, 1, 10}).traits.has(SegmentTrait::retransmission));
  CHECK(talk.conversation.end(0).octets == 20);
}

TEST_CASE("Each gap is filled on its own, and its octets count once") {
  Talk talk;
  talk.shake_hands();
  for (const std::uint32_t first : {1U, 21U, 41U}) talk.say(0, kAck, {first, 1, 10});
  CHECK(talk.conversation.end(0).octets == 30);
  CHECK(talk.say(0, kAck, {31, 1, 10}).traits.has(SegmentTrait::out_of_order));
  CHECK(talk.say(0, kAck, {11, 1, 5}).traits.has(SegmentTrait::out_of_order));
  CHECK(talk.say(0, kAck, {11, 1, 10}).traits.has(SegmentTrait::retransmission));
  CHECK(talk.conversation.end(0).octets == 50);
  CHECK(talk.say(0, kAck, {16, 1, 5}).traits.has(SegmentTrait::retransmission));
  CHECK(talk.conversation.end(0).octets == 50);
}

TEST_CASE("Probes are not retransmissions") {
  Talk talk;
  talk.shake_hands();
  CHECK(talk.say(0, kAck, {0, 1}).traits.has(SegmentTrait::keepalive_probe));
  CHECK(talk.say(1, kAck, {1, 1, 0, 0}).closes_window);
  CHECK(talk.say(0, kAck, {0, 1}).traits.has(SegmentTrait::window_probe));
  CHECK(talk.say(1, kAck, {1, 1, 0, 500}).opens_window);
  CHECK(talk.conversation.end(0).keepalive_probes == 1);
  CHECK(talk.conversation.end(0).window_probes == 1);
  CHECK(talk.conversation.end(1).zero_windows == 1);
}

TEST_CASE("A repeated acknowledgment while data is outstanding is a duplicate ACK") {
  Talk talk;
  talk.shake_hands().say(0, kAck, {1, 1, 10});
  talk.say(0, kAck, {21, 1, 10});
  talk.say(1, kAck, {1, 11});
  CHECK(talk.say(1, kAck, {1, 11}).traits.has(SegmentTrait::duplicate_ack));
  CHECK(talk.conversation.end(1).duplicate_acks == 1);
}

TEST_CASE("A SYN answered with a RST is refused") {
  Talk talk;
  talk.say(0, kSyn, {});
  CHECK(talk.say(1, kRst | kAck, {0, 1}).reset == ResetKind::refused);
  CHECK(talk.states() == "CLOSED CLOSED");
}

TEST_CASE("A RST without ACK at the acknowledged number means that there is no connection") {
  Talk talk;
  talk.shake_hands().say(0, kAck, {1, 1, 22});
  CHECK(talk.say(1, kRst, {1, 0}).reset == ResetKind::no_connection);
  CHECK(talk.conversation.reset().by == 1);
  CHECK(talk.conversation.reset().states.at(0) == TcpState::established);
}

TEST_CASE("A RST with ACK is an abort; after an unanswered probe it means giving up") {
  Talk one;
  one.shake_hands().say(0, kAck, {1, 1, 22});
  CHECK(one.say(1, kRst | kAck, {1, 23}).reset == ResetKind::abort);
  Talk other;
  other.shake_hands().say(0, kAck, {0, 1});
  CHECK(other.say(0, kRst | kAck, {1, 1}).reset == ResetKind::gave_up);
  CHECK(other.conversation.reset().after.has(SegmentTrait::keepalive_probe));
}

TEST_CASE("A RST for data after the sender's FIN shows that its program has closed") {
  Talk talk;
  talk.shake_hands().say(1, kFin | kAck, {1, 1});
  talk.say(0, kAck, {1, 2});
  talk.say(0, kAck, {1, 2, 22});
  CHECK(talk.say(1, kRst, {2, 0}).reset == ResetKind::after_close);
  CHECK(talk.conversation.reset().states.at(0) == TcpState::close_wait);
  CHECK(talk.conversation.reset().after_data);
}

TEST_CASE("A RST for a FIN after the sender's FIN is not a reset after data") {
  Talk talk;
  talk.shake_hands().say(0, kAck, {1, 1, 22});
  talk.say(1, kFin | kAck, {1, 23});
  talk.say(0, kFin | kAck, {23, 1});
  CHECK(talk.say(1, kRst, {2, 0}).reset == ResetKind::after_close);
  CHECK_FALSE(talk.conversation.reset().after_data);
}

TEST_CASE("A RST with a wrong sequence number changes nothing") {
  Talk talk;
  talk.shake_hands().say(1, kAck, {1, 1, 5});
  CHECK(talk.say(1, kRst, {777, 0}).reset == ResetKind::out_of_place);
  CHECK(talk.states() == "ESTABLISHED ESTABLISHED");
}

TEST_CASE("a capture that begins with the SYN,ACK has an established connection") {
  Talk talk;
  talk.say(1, kSyn | kAck, {0, 1});
  CHECK(talk.states() == "SYN_SENT SYN_RECV");
  CHECK_FALSE(talk.conversation.states().is_whole());
  CHECK(talk.conversation.states().begins_with_syn_ack());
  CHECK(talk.conversation.states().client() == 0U);
  talk.say(0, kAck, {1, 1});
  CHECK(talk.states() == "ESTABLISHED ESTABLISHED");
  CHECK(talk.conversation.states().was_established());
}

TEST_CASE("plain ACKs are probes if the answer has the number after theirs") {
  Talk talk;
  talk.say(0, kAck, {9, 1});
  CHECK(talk.conversation.end(0).keepalive_probes == 0);
  const SegmentReading answer = talk.say(1, kAck, {1, 10, 0, 0});
  REQUIRE(answer.first_probes);
  CHECK(answer.first_probes->kind == SegmentTrait::window_probe);
  CHECK(talk.conversation.end(0).window_probes == 1);
  CHECK(talk.conversation.end(0).unanswered == 0);
  CHECK(talk.say(0, kAck, {9, 1}).traits.has(SegmentTrait::window_probe));

  Talk ordinary;
  ordinary.say(0, kAck, {9, 1});
  ordinary.say(1, kAck, {1, 9});
  CHECK_FALSE(ordinary.say(1, kAck, {1, 10}).first_probes);  // the capture lacks an octet
}

TEST_CASE("an end that repeats its SYN,ACK is in SYN_RECV until it says something else") {
  Talk talk;
  talk.shake_hands();
  talk.say(1, kSyn | kAck, {0, 1});
  CHECK(talk.states() == "ESTABLISHED SYN_RECV");
  talk.say(0, kAck, {1, 1});
  CHECK(talk.states() == "ESTABLISHED ESTABLISHED");  // the first acknowledgment may be lost
  talk.say(1, kSyn | kAck, {0, 1});
  talk.say(0, kAck, {1, 1, 6});
  CHECK(talk.states() == "ESTABLISHED SYN_RECV");
  CHECK(talk.conversation.states().possible_states(1) ==
        std::vector{TcpState::syn_recv, TcpState::established});
  talk.say(1, kAck, {1, 7});
  CHECK(talk.states() == "ESTABLISHED ESTABLISHED");
}

TEST_CASE("An acknowledgment outside the window may have been dropped") {
  constexpr std::uint32_t kFar = 100'000;
  struct Case {
    std::uint16_t flags;
    SegmentNumbers numbers;
    bool may_be_dropped;
  };
  const Case each =
      GENERATE(Case{kAck, {1, 2}, false}, Case{kAck, {1 + kFar, 2}, true}, Case{kAck, {0, 2}, true},
               Case{kAck, {1, 2 + kFar}, true}, Case{kAck | kSyn, {0, 2}, true});
  INFO(each.numbers.sequence << " " << each.numbers.acknowledgment);
  Talk talk;
  talk.shake_hands();
  talk.say(1, kFin | kAck, {1, 1});
  talk.say(0, each.flags, each.numbers);
  talk.say(1, kAck, {2, 1});  // the answer does not say whether it was dropped
  const auto states = talk.conversation.states().possible_states(1);
  CHECK(states.front() == TcpState::fin_wait2);
  const bool is_possible = std::ranges::find(states, TcpState::fin_wait1) != states.end();
  CHECK(is_possible == each.may_be_dropped);
}

TEST_CASE("A RST with the number of a received FIN may have ended the connection") {
  Talk talk;
  talk.shake_hands();
  talk.say(0, kFin | kAck, {1, 1});
  talk.say(1, kAck, {1, 2});
  talk.say(0, kRst | kAck, {1, 1});
  const auto has_closed = [&] {
    const auto states = talk.conversation.states().possible_states(1);
    return std::ranges::find(states, TcpState::closed) != states.end();
  };
  CHECK(talk.conversation.states().possible_states(1).front() == TcpState::close_wait);
  CHECK(has_closed());
  talk.say(1, kAck, {1, 2, 10});  // it goes on
  CHECK_FALSE(has_closed());
}
