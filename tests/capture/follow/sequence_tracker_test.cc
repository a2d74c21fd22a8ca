// Checks SequenceTracker: one end's sequence space, and the traits of the segments that it sends.
#include "capture/follow/sequence_tracker.hh"

#include "tests/catch.hh"

using namespace tcplab::capture;

namespace {

using Trait = SegmentTrait;

constexpr std::uint32_t kOwn = 0xfffffffe;  // initial sequence numbers; this one wraps soon
constexpr std::uint32_t kPeers = 5000;

struct Numbers {
  std::uint32_t sequence = 0;  // relative
  std::uint32_t acknowledgment = 0;
  std::uint32_t length = 0;
  std::uint32_t window = 500;
};

SegmentHeader segment(const Numbers& numbers, std::uint32_t first, std::uint32_t other) {
  return {.sequence = first + numbers.sequence,
          .acknowledgment = other + numbers.acknowledgment,
          .length = numbers.length,
          .window = numbers.window,
          .ack = true};
}

SegmentHeader own(const Numbers& numbers) { return segment(numbers, kOwn, kPeers); }
SegmentHeader peers(const Numbers& numbers) { return segment(numbers, kPeers, kOwn); }

SegmentHeader with_syn(SegmentHeader segment, bool acknowledges) {
  segment.syn = true;
  segment.ack = acknowledges;
  return segment;
}

SequenceTracker connected(Vantage vantage = Vantage::path) {
  SequenceTracker end(vantage);
  CHECK(end.send(with_syn(own({}), false)) == SegmentTraits{Trait::new_data});
  end.receive(with_syn(peers({0, 1}), true));
  CHECK(end.send(own({1, 1})) == SegmentTraits{Trait::new_acknowledgment});
  return end;
}

}  // namespace

TEST_CASE("the variables have the values that RFC 9293 defines") {
  SequenceTracker end = connected();
  end.send(own({1, 1, 10}));
  CHECK(end.variables().iss == kOwn);
  CHECK(end.variables().irs == kPeers);
  CHECK(end.variables().snd_nxt == kOwn + 11);
  CHECK(end.variables().snd_una == kOwn + 1);
  end.receive(peers({1, 6, 4}));
  CHECK(end.variables().snd_una == kOwn + 6);
  CHECK(end.variables().rcv_nxt == kPeers + 5);
  CHECK(end.variables().octets == 10);
}

TEST_CASE("data is new, partly new, or a retransmission") {
  SequenceTracker end = connected();
  CHECK(end.send(own({1, 1, 10})) == SegmentTraits{Trait::new_data});
  CHECK(end.send(own({1, 1, 10})) == SegmentTraits{Trait::retransmission});
  CHECK(end.send(own({6, 1, 10})) == SegmentTraits{Trait::new_data, Trait::partial_retransmission});
  CHECK(end.variables().octets == 15);
}

TEST_CASE("a retransmission is spurious when its octets were acknowledged") {
  SequenceTracker end = connected();
  end.send(own({1, 1, 10}));
  end.receive(peers({1, 6}));
  CHECK(end.send(own({1, 1, 5})) ==
        SegmentTraits{Trait::retransmission, Trait::spurious_retransmission});
  CHECK(end.send(own({1, 1, 10})) == SegmentTraits{Trait::retransmission});
}

TEST_CASE("SYN and FIN count as octets") {
  SequenceTracker end(Vantage::path);
  const SegmentHeader syn = with_syn(own({}), false);
  end.send(syn);
  CHECK(end.send(syn) == SegmentTraits{Trait::retransmission});
  end = connected();
  SegmentHeader fin = own({1, 1});
  fin.fin = true;
  CHECK(end.send(fin) == SegmentTraits{Trait::new_data});
  CHECK(end.send(fin) == SegmentTraits{Trait::retransmission});
  CHECK(end.variables().fin_end == kOwn + 2);
}

TEST_CASE("filling a gap is out of order on the path, and a retransmission at the sender") {
  const Vantage vantage = GENERATE(Vantage::path, Vantage::sender);
  SequenceTracker end = connected(vantage);
  end.send(own({11, 1, 10}));
  const Trait expected = vantage == Vantage::path ? Trait::out_of_order : Trait::retransmission;
  CHECK(end.send(own({1, 1, 10})) == SegmentTraits{expected});
  CHECK(end.send(own({1, 1, 10})) == SegmentTraits{Trait::retransmission});
}

TEST_CASE("an old octet is a keepalive probe, or a window probe if the window is zero") {
  SequenceTracker end = connected();
  CHECK(end.send(own({0, 1})) == SegmentTraits{Trait::keepalive_probe});
  CHECK(end.send(own({0, 1, 1})) == SegmentTraits{Trait::keepalive_probe});
  end.receive(peers({1, 1, 0, 0}));
  CHECK(end.send(own({0, 1})) == SegmentTraits{Trait::window_probe});
  CHECK(end.send(own({1, 1, 1})) == SegmentTraits{Trait::window_probe, Trait::new_data});
  CHECK(end.send(own({1, 1, 1})) == SegmentTraits{Trait::window_probe});
  end.receive(peers({1, 2}));
  CHECK(end.send(own({1, 1})) == SegmentTraits{Trait::keepalive_probe});
}

TEST_CASE("an unacknowledged last octet is a retransmission, not a probe") {
  SequenceTracker end = connected();
  end.send(own({1, 1, 1}));
  CHECK(end.send(own({1, 1, 1})) == SegmentTraits{Trait::retransmission});
}

TEST_CASE("a segment before the peer's first segment is not a probe") {
  SequenceTracker end(Vantage::path);
  end.send(with_syn(own({}), false));
  CHECK_FALSE(end.send(own({0, 0})).is_probe());
}

TEST_CASE("an acknowledgment that a newer one has overtaken is neither new nor a duplicate") {
  SequenceTracker end = connected();
  end.receive(peers({1, 1, 10}));
  end.receive(peers({11, 1, 10}));
  end.receive(peers({21, 1, 10}));
  CHECK(end.send(own({1, 21})) == SegmentTraits{Trait::new_acknowledgment});
  CHECK(end.send(own({1, 11})) == SegmentTraits{});
  CHECK(end.send(own({1, 11})) == SegmentTraits{});  // RFC 5681 section 2 (d): not the greatest
  CHECK(end.send(own({1, 21})) == SegmentTraits{Trait::duplicate_ack});
}

TEST_CASE("after an acknowledgment of octets that were never sent, true ones count as before") {
  SequenceTracker end = connected();
  end.receive(peers({1, 1, 10}));
  CHECK(end.send(own({1, 11})) == SegmentTraits{Trait::new_acknowledgment});
  end.send(own({1, 50'000}));  // another host sent it
  end.receive(peers({11, 1, 10}));
  CHECK(end.send(own({1, 11})) == SegmentTraits{Trait::duplicate_ack});
  CHECK(end.send(own({1, 21})) == SegmentTraits{Trait::new_acknowledgment});
}

TEST_CASE("an acknowledgment is no duplicate if nothing is outstanding") {
  SequenceTracker end = connected();
  end.receive(peers({1, 1, 10}));
  end.send(own({1, 11}));
  CHECK(end.send(own({1, 11})) == SegmentTraits{});  // RFC 5681 section 2 (a)
  end.receive(peers({11, 1, 10}));
  CHECK(end.send(own({1, 11, 5})) == SegmentTraits{Trait::new_data});  // (b): it has data
  CHECK(end.send(own({6, 11})) == SegmentTraits{Trait::duplicate_ack});
}

TEST_CASE("an acknowledgment is new, a duplicate, or updates the window") {
  SequenceTracker end = connected();
  end.receive(peers({1, 1, 10}));
  CHECK(end.send(own({1, 11})) == SegmentTraits{Trait::new_acknowledgment});
  CHECK(end.send(own({1, 11})) == SegmentTraits{});  // no data was received beyond it
  end.receive(peers({21, 1, 10}));
  CHECK(end.send(own({1, 11})) == SegmentTraits{Trait::duplicate_ack});
  CHECK(end.send(own({1, 11, 0, 600})) == SegmentTraits{Trait::window_update});
  CHECK(end.send(own({1, 11, 0, 0})) == SegmentTraits{Trait::zero_window});
  CHECK(end.send(own({1, 11, 5, 0})) == SegmentTraits{Trait::new_data, Trait::zero_window});
}

TEST_CASE("an old acknowledgment does not change the peer's window") {
  SequenceTracker end = connected();
  end.send(own({1, 1, 10}));
  end.receive(peers({1, 11, 0, 0}));
  end.receive(peers({1, 5, 0, 300}));
  CHECK(end.variables().peer_window == 0U);
}

TEST_CASE("the peer's last window is as in the header of its next segment") {
  SequenceTracker end(Vantage::sender);
  SegmentHeader syn = with_syn(own({}), false);
  syn.window_scale = 7;
  end.send(syn);
  CHECK_FALSE(end.variables().peer_window_in_header(false));
  SegmentHeader syn_ack = with_syn(peers({0, 1, 0, 64000}), true);
  syn_ack.window_scale = 6;
  end.receive(syn_ack);
  CHECK(end.variables().peer_window_in_header(false) == 1000);
  CHECK(end.variables().peer_window_in_header(true) == 64000);
  end.receive(peers({1, 1, 0, 777}));
  CHECK(end.variables().peer_window_in_header(false) == 777);
  CHECK(end.variables().peer_window_in_header(true) == 64000);
}

TEST_CASE("a RST changes nothing") {
  SequenceTracker end = connected();
  SegmentHeader reset = own({777, 1});
  reset.rst = true;
  CHECK(end.send(reset) == SegmentTraits{});
  CHECK(end.variables().snd_nxt == kOwn + 1);
}

TEST_CASE("a second SYN starts a connection at the sender, but on the path it may be forged") {
  const Vantage vantage = GENERATE(Vantage::path, Vantage::sender);
  SequenceTracker end = connected(vantage);
  const SegmentHeader syn = with_syn(own({700}), false);
  CHECK(end.begins_connection(syn) == (vantage == Vantage::sender));
  end.send(syn);
  const std::uint32_t next = vantage == Vantage::sender ? kOwn + 701 : kOwn + 1;
  CHECK(end.variables().snd_nxt == next);
}

TEST_CASE("a SYN-ACK with another number starts a new connection if none was acknowledged") {
  SequenceTracker listener(Vantage::path);
  listener.send(with_syn(own({0, 1}), true));
  CHECK(listener.send(with_syn(own({0, 1}), true)).has(Trait::retransmission));
  CHECK(listener.send(with_syn(own({700, 1}), true)).has(Trait::new_data));
  CHECK(listener.variables().iss == kOwn + 700);
}

TEST_CASE("classify() changes nothing") {
  SequenceTracker end = connected();
  CHECK(end.classify(own({1, 1, 10})) == SegmentTraits{Trait::new_data});
  CHECK(end.classify(own({1, 1, 10})) == SegmentTraits{Trait::new_data});
}
