// The table of packet words in docs/scenarios.md, word by word.
#include "lab/wire/packet_words.hh"

#include <set>
#include <string>

#include "tests/catch.hh"

using namespace tcplab;
using namespace tcplab::lab;
using capture::SegmentHeader;
using capture::SegmentTrait;

namespace {

PacketFacts facts_of(const SegmentHeader& segment, capture::SegmentTraits traits = {}) {
  return {.segment = segment, .traits = traits, .sequence = 1, .acknowledgment = 23};
}

const SegmentHeader kSyn{.window = 64240, .syn = true};
const SegmentHeader kSynAck{.window = 65160, .syn = true, .ack = true};
const SegmentHeader kAck{.window = 502, .ack = true};
const SegmentHeader kData{.length = 22, .window = 502, .ack = true};
const SegmentHeader kFin{.window = 502, .fin = true};
const SegmentHeader kFinAck{.window = 502, .fin = true, .ack = true};
const SegmentHeader kFinWithData{.length = 5, .window = 502, .fin = true, .ack = true};
const SegmentHeader kRst{.rst = true};
const SegmentHeader kRstAck{.rst = true, .ack = true};
const SegmentHeader kClosedWindow{.window = 0, .ack = true};
const SegmentHeader kSynWithData{.length = 3, .window = 64240, .syn = true};

/// Returns which words select the segment by its header.
std::set<std::string> words_of(const SegmentHeader& segment) {
  std::set<std::string> words;
  for (const PacketWordName& each : packet_words())
    if (matches(each.word, facts_of(segment))) words.emplace(each.name);
  return words;
}

using Words = std::set<std::string>;

}  // namespace

TEST_CASE("a word about flags is about the flags that it names") {
  CHECK(words_of(kSyn) == Words{"SYN"});
  CHECK(words_of(kSynAck) == Words{"SYN ACK"});
  CHECK(words_of(kAck) == Words{"ACK only"});
  CHECK(words_of(kFin) == Words{"FIN"});
  CHECK(words_of(kFinAck) == Words{"FIN"});
  CHECK(words_of(kRst) == Words{"RST", "RST only"});
  CHECK(words_of(kRstAck) == Words{"RST", "RST ACK"});
}

TEST_CASE("data is any segment with a byte of data, whatever its flags") {
  CHECK(words_of(kData) == Words{"data"});
  CHECK(words_of(kFinWithData) == Words{"FIN", "data"});
  CHECK(words_of(kSynWithData) == Words{"SYN", "data"});
}

TEST_CASE("a window of zero counts in a segment without SYN and RST") {
  CHECK(words_of(kClosedWindow) == Words{"ACK only", "zero window"});
  CHECK_FALSE(matches(PacketWord::zero_window, facts_of(kRst)));
  CHECK_FALSE(matches(PacketWord::zero_window, facts_of({.syn = true})));
}

TEST_CASE("a word about the sender is a trait of the segment") {
  const auto [word, trait] = GENERATE(
      table<PacketWord, SegmentTrait>({{PacketWord::window_update, SegmentTrait::window_update},
                                       {PacketWord::window_probe, SegmentTrait::window_probe},
                                       {PacketWord::keepalive_probe, SegmentTrait::keepalive_probe},
                                       {PacketWord::retransmission, SegmentTrait::retransmission},
                                       {PacketWord::duplicate_ack, SegmentTrait::duplicate_ack}}));
  CHECK(matches(word, facts_of(kAck, {trait})));
  CHECK_FALSE(matches(word, facts_of(kAck, {SegmentTrait::new_data})));
}

TEST_CASE("URG is the flag") {
  PacketFacts facts = facts_of(kData);
  CHECK_FALSE(matches(PacketWord::urg, facts));
  facts.is_urgent = true;
  CHECK(matches(PacketWord::urg, facts));
}

TEST_CASE("an ICMP error is no segment, and an ICMP echo is no error") {
  const auto icmp = [](base::Family family, std::uint8_t type) {
    capture::DecodedFrame frame;
    frame.icmp = capture::IcmpMessage{.family = family, .type = type};
    return packet_facts(frame);
  };
  using base::Family;
  CHECK(matches(PacketWord::icmp_error, icmp(Family::ipv4, 3)));
  CHECK(matches(PacketWord::icmp_error, icmp(Family::ipv4, 11)));
  CHECK_FALSE(matches(PacketWord::icmp_error, icmp(Family::ipv4, 8)));
  CHECK(matches(PacketWord::icmp_error, icmp(Family::ipv6, 1)));
  CHECK_FALSE(matches(PacketWord::icmp_error, icmp(Family::ipv6, 135)));  // neighbour solicitation
  CHECK_FALSE(matches(PacketWord::rst, icmp(Family::ipv4, 3)));
  CHECK_FALSE(matches(PacketWord::icmp_error, facts_of(kAck)));
}

TEST_CASE("each word has one name, and only exact names count") {
  std::set<PacketWord> words;
  for (const PacketWordName& each : packet_words()) {
    words.insert(each.word);
    CHECK(packet_word(each.name) == each.word);
  }
  CHECK(words.size() == packet_words().size());
  for (const auto* other : {"", "syn", "RST ", "RTS", "tcp", "SYN,ACK"}) CHECK(!packet_word(other));
}

TEST_CASE("fields select by relative numbers, the header's window and the bytes of data") {
  const PacketFacts facts = facts_of(kData);
  CHECK(PacketFields{}.match(facts));
  CHECK(
      PacketFields{.sequence = 1, .acknowledgment = 23, .window = 502, .length = 22}.match(facts));
  CHECK_FALSE(PacketFields{.sequence = 2}.match(facts));
  CHECK_FALSE(PacketFields{.acknowledgment = 22}.match(facts));
  CHECK_FALSE(PacketFields{.window = 0}.match(facts));
  CHECK_FALSE(PacketFields{.length = 21}.match(facts));
  CHECK_FALSE(PacketFields{.length = 0}.match(PacketFacts{}));  // no TCP header
  CHECK(PacketFields{.sequence = 1, .length = 0}.describe() == "seq 1, length 0");
}

TEST_CASE("numbers are relative if the SYN is known") {
  capture::DecodedFrame frame;
  frame.tcp = capture::TcpSegment{.sequence = 1000, .acknowledgment = 5000};
  CHECK(packet_facts(frame).sequence == 1000);
  const PacketFacts facts = packet_facts(frame, {}, {.sequence = 1002, .acknowledgment = 4999});
  CHECK(facts.sequence == -2);
  CHECK(facts.acknowledgment == 1);
}

TEST_CASE("a copy is no retransmission") {
  const auto copy = facts_of_copy(
      facts_of(kData, {SegmentTrait::retransmission, SegmentTrait::new_acknowledgment}));
  CHECK(copy.traits == capture::SegmentTraits{SegmentTrait::new_acknowledgment});
}
