#include "netns/wire.hh"

#include <array>
#include <boost/asio/steady_timer.hpp>
#include <limits>

#include "base/error.hh"
#include "tests/catch.hh"
#include "tests/netns/fake_ports.hh"

using namespace tcplab;
using namespace tcplab::tests;
using netns::Wire;

namespace {

using Lines = std::vector<std::string>;

const MacAddress kKang = MacAddress::local(1), kKodos = MacAddress::local(2),
                 kHomer = MacAddress::local(3), kNobody = MacAddress::local(9);

/// Three hosts on a wire: ports 1, 2 and 3.
struct Segment {
  boost::asio::io_context loop;
  RecordingObserver observer;
  FakePort kang, kodos, homer;
  Wire wire{loop, observer};
  PortId kang_id = wire.attach(kang, kKang);
  PortId kodos_id = wire.attach(kodos, kKodos);
  PortId homer_id = wire.attach(homer, kHomer);
};

}  // namespace

TEST_CASE("a frame goes to the port that has its destination, and to no other") {
  Segment segment;
  segment.kang.host_sends(frame(kKodos, kKang, "hello"));
  segment.loop.poll();
  CHECK(segment.kodos.received == Lines{"hello"});
  CHECK(segment.homer.received.empty());
  CHECK(segment.kang.received.empty());
  CHECK(segment.observer.record == Lines{"sent 1 by 1", "delivered 1 to 2"});
}

TEST_CASE("groups and unknown addresses are flooded to all but the sender") {
  Segment segment;
  segment.kodos.host_sends(frame(GENERATE(kBroadcast, kNobody), kKodos, "who?"));
  segment.loop.poll();
  CHECK(segment.kang.received == Lines{"who?"});
  CHECK(segment.homer.received == Lines{"who?"});
  CHECK(segment.kodos.received.empty());
}

TEST_CASE("a frame that reaches nobody is said to have reached nobody, and why") {
  Segment segment;
  SECTION("its receiver is off and nobody else is there") {
    segment.wire.detach(segment.kodos_id);
    segment.wire.detach(segment.homer_id);
    segment.kang.host_sends(frame(kKodos, kKang, "hello?"));
    segment.wire.pump();
    CHECK(segment.observer.record == Lines{"sent 1 by 1", "undelivered 1: unknown address"});
  }
  SECTION("it is for everybody, and nobody else is there") {
    segment.wire.detach(segment.kodos_id);
    segment.wire.detach(segment.homer_id);
    segment.kang.host_sends(frame(kBroadcast, kKang, "who?"));
    segment.wire.pump();
    CHECK(segment.observer.record == Lines{"sent 1 by 1", "undelivered 1: nobody else"});
  }
  SECTION("its receiver's NIC is down") {
    segment.kodos.refuses = true;
    segment.kang.host_sends(frame(kKodos, kKang, "hello?"));
    segment.wire.pump();
    CHECK(segment.observer.record == Lines{"sent 1 by 1", "undelivered 1: receiver down"});
  }
  SECTION("it is addressed to its own sender") {
    segment.kang.host_sends(frame(kKang, kKang, "me"));
    segment.wire.pump();
    CHECK(segment.kodos.received.empty());
    CHECK(segment.observer.record.back().starts_with("undelivered 1"));
  }
}

TEST_CASE("frames of different links never mix") {
  boost::asio::io_context loop;
  RecordingObserver observer;
  FakePort kang, gateway_lan, gateway_wan, kodos;
  Wire wire{loop, observer};
  constexpr netns::LinkId kLan{1}, kWan{2};
  wire.attach(kang, kKang, kLan);
  wire.attach(gateway_lan, kHomer, kLan);
  wire.attach(gateway_wan, kNobody, kWan);
  wire.attach(kodos, kKodos, kWan);
  SECTION("not those to all") {
    kang.host_sends(frame(kBroadcast, kKang, "who?"));
    wire.pump();
    CHECK(gateway_lan.received == Lines{"who?"});
  }
  SECTION("nor those to an address that is on the other one only") {
    kang.host_sends(frame(kKodos, kKang, "kodos?"));
    wire.pump();
    CHECK(gateway_lan.received == Lines{"kodos?"});  // flooded, as to any unknown address
  }
  SECTION("nor those that were held") {
    observer.on_sent = [](const Frame&) { return FrameDecision::hold; };
    kang.host_sends(frame(kBroadcast, kKang, "late"));
    wire.pump();
    CHECK(wire.release(1));
    CHECK(gateway_lan.received == Lines{"late"});
  }
  SECTION("a frame that no host sent finds its receiver on any link") {
    wire.inject(frame(kKodos, kKang, "forged"));
    CHECK(kodos.received == Lines{"forged"});
    return;
  }
  CHECK(gateway_wan.received.empty());
  CHECK(kodos.received.empty());
}

TEST_CASE("order is kept on each port, however many frames there are") {
  Segment segment;
  Lines sent;
  for (int i = 0; i < 150; ++i) {
    sent.push_back(std::to_string(i));
    segment.kang.host_sends(frame(kKodos, kKang, sent.back()));
  }
  segment.loop.poll();
  CHECK(segment.kodos.received == sent);
}

TEST_CASE("a lost frame reaches nobody") {
  Segment segment;
  segment.observer.on_sent = [](const Frame& seen) {
    return seen.number == 1 ? FrameDecision::lose : FrameDecision::deliver;
  };
  segment.kang.host_sends(frame(kKodos, kKang, "first"));
  segment.kang.host_sends(frame(kKodos, kKang, "second"));
  segment.wire.pump();
  CHECK(segment.kodos.received == Lines{"second"});
}

TEST_CASE("a held frame waits until it is released or dropped") {
  Segment segment;
  segment.observer.on_sent = [](const Frame&) { return FrameDecision::hold; };
  segment.kang.host_sends(frame(kKodos, kKang, "wait"));
  segment.wire.pump();
  CHECK(segment.kodos.received.empty());
  SECTION("released once") {
    CHECK(segment.wire.release(1));
    CHECK(segment.kodos.received == Lines{"wait"});
    CHECK_FALSE(segment.wire.release(1));
  }
  SECTION("dropped") {
    CHECK(segment.wire.drop(1));
    CHECK_FALSE(segment.wire.release(1));
  }
  SECTION("forgotten with its sender") {
    segment.wire.detach(segment.kang_id);
    CHECK_FALSE(segment.wire.release(1));
    CHECK(segment.kodos.received.empty());
  }
  SECTION("delivered to where its receiver is now") {
    segment.wire.detach(segment.kodos_id);
    FakePort reborn;
    segment.wire.attach(reborn, kKodos);
    CHECK(segment.wire.release(1));
    CHECK(reborn.received == Lines{"wait"});
  }
  CHECK_FALSE(segment.wire.release(4711));
}

TEST_CASE("an observer may change what a frame carries") {
  Segment segment;
  const auto changed = frame(kKodos, kKang, "changed");
  const FrameDecision ruling = GENERATE(FrameDecision::deliver, FrameDecision::hold);
  segment.observer.on_sent = [&](Frame& seen) {
    seen.bytes = changed;
    return ruling;
  };
  segment.kang.host_sends(frame(kKodos, kKang, "as sent"));
  segment.wire.pump();
  segment.wire.release(1);
  CHECK(segment.kodos.received == Lines{"changed"});
}

TEST_CASE("another frame of a sender is held until it is released, and goes with its sender") {
  Segment segment;
  std::uint64_t copy = 0;
  segment.observer.on_sent = [&](Frame& seen) {
    copy = segment.wire.hold_another(seen.from, seen.sent, frame(kKodos, kKang, "copy"));
    return FrameDecision::deliver;
  };
  segment.kang.host_sends(frame(kKodos, kKang, "first"));
  segment.wire.pump();
  CHECK(segment.kodos.received == Lines{"first"});
  CHECK(copy == 2);
  SECTION("released") {
    CHECK(segment.wire.release(copy));
    CHECK(segment.kodos.received == Lines{"first", "copy"});
  }
  SECTION("its sender is detached") {
    segment.wire.detach(segment.kang_id);
    CHECK_FALSE(segment.wire.release(copy));
  }
  SECTION("its sender has been detached before") {
    segment.wire.detach(segment.kang_id);
    copy = segment.wire.hold_another(segment.kang_id, {}, frame(kKodos, kKang, "late"));
    CHECK_FALSE(segment.wire.release(copy));
  }
}

TEST_CASE("when a ruling has been carried out, what is held can be released") {
  Segment segment;
  segment.observer.on_sent = [](Frame&) { return FrameDecision::hold; };
  segment.observer.on_ruled = [&](const Frame& seen) { segment.wire.release(seen.number); };
  segment.kang.host_sends(frame(kKodos, kKang, "at once"));
  segment.wire.pump();
  CHECK(segment.kodos.received == Lines{"at once"});
}

TEST_CASE("nothing of a detached port reaches the wire, and nothing reaches it") {
  Segment segment;
  segment.kang.host_sends(frame(kKodos, kKang, "already written"));
  segment.wire.detach(segment.kang_id);
  segment.kang.host_sends(frame(kKodos, kKang, "written later"));
  segment.kodos.host_sends(frame(kKang, kKodos, "are you there?"));
  segment.loop.poll();
  segment.wire.pump();
  CHECK(segment.kodos.received.empty());
  CHECK(segment.kang.received.empty());
  CHECK(segment.observer.record[0] == "sent 1 by 2");
}

TEST_CASE("what a host sent into an open plug does not come out when it is plugged in") {
  Segment segment;
  segment.wire.detach(segment.kang_id);
  for (int i = 0; i < 100; ++i) segment.kang.host_sends(frame(kKodos, kKang, "into the air"));
  segment.wire.attach(segment.kang, kKang);
  segment.kang.host_sends(frame(kKodos, kKang, "plugged"));
  segment.loop.poll();
  CHECK(segment.kodos.received == Lines{"plugged"});
}

TEST_CASE("an observer may detach ports while it is told of a frame") {
  Segment segment;
  segment.kang.host_sends(frame(kBroadcast, kKang, "one"));
  segment.kang.host_sends(frame(kBroadcast, kKang, "two"));
  SECTION("the sender, before delivery") {
    segment.observer.on_sent = [&](const Frame&) {
      segment.wire.detach(segment.kang_id);
      return FrameDecision::deliver;
    };
    segment.loop.poll();
    CHECK(segment.kodos.received.empty());
    CHECK(segment.observer.record == Lines{"sent 1 by 1", "undelivered 1: sender gone"});
  }
  SECTION("the sender of a frame that it holds") {
    segment.observer.on_sent = [&](const Frame&) {
      segment.wire.detach(segment.kang_id);
      return FrameDecision::hold;
    };
    segment.loop.poll();
    CHECK_FALSE(segment.wire.release(1));
  }
  SECTION("the sender, between two receivers") {
    segment.observer.on_delivered = [&](const Frame&, PortId) {
      segment.wire.detach(segment.kang_id);
    };
    segment.loop.poll();
    CHECK(segment.kodos.received == Lines{"one"});
    CHECK(segment.homer.received.empty());
  }
  SECTION("the next receiver") {
    segment.observer.on_delivered = [&](const Frame&, PortId) {
      segment.wire.detach(segment.homer_id);
    };
    segment.loop.poll();
    CHECK(segment.kodos.received == Lines{"one", "two"});
    CHECK(segment.homer.received.empty());
  }
}

TEST_CASE("an observer may answer a frame with one of its own") {
  Segment segment;
  segment.observer.on_delivered = [&](const Frame& seen, PortId) {
    if (seen.number == 1) segment.wire.inject(frame(kKang, kKodos, "forged"));
    segment.wire.pump();  // asked too early: the frame at hand comes first
  };
  segment.kang.host_sends(frame(kKodos, kKang, "one"));
  segment.kang.host_sends(frame(kKodos, kKang, "two"));
  segment.loop.poll();
  CHECK(segment.kang.received == Lines{"forged"});
  CHECK(segment.kodos.received == Lines{"one", "two"});
  CHECK(segment.observer.record == Lines{"sent 1 by 1", "delivered 1 to 2", "delivered 2 to 1",
                                         "sent 3 by 1", "delivered 3 to 2"});
}

TEST_CASE("a frame without a whole Ethernet header is not put on the wire") {
  Segment segment;
  const std::array<std::uint8_t, 13> runt{};
  CHECK_THROWS_AS(segment.wire.inject(runt), base::UsageError);
  segment.kang.host_sends({1, 2, 3});
  segment.wire.pump();
  CHECK(segment.observer.record.empty());
}

TEST_CASE("multicast listener reports, which a host sends unasked, stay off the wire") {
  Segment segment;
  segment.kang.host_sends(frame(MacAddress{{0x33, 0x33, 0, 0, 0, 0x16}}, kKang, "report"));
  segment.wire.pump();
  CHECK(segment.observer.record.empty());
}

TEST_CASE("a port that never falls silent does not keep others or timers from their turn") {
  Segment segment;
  segment.kang.host_sends(frame(kKodos, kKang, "again"));
  segment.observer.on_delivered = [&](const Frame&, PortId to) {
    if (to == segment.kodos_id) segment.kang.host_sends(frame(kKodos, kKang, "again"));
  };
  segment.homer.host_sends(frame(kKang, kHomer, "me too"));
  bool fired = false;
  boost::asio::steady_timer timer(segment.loop, std::chrono::milliseconds(1));
  timer.async_wait([&](const boost::system::error_code&) { fired = true; });
  const auto deadline = base::now() + std::chrono::seconds(10);
  while (!fired && base::now() < deadline) segment.loop.run_one();
  CHECK(fired);
  CHECK(segment.kang.received == Lines{"me too"});
  CHECK(segment.kodos.received.size() > 64);
}

TEST_CASE("a wire may go before its ports and before its loop has run") {
  boost::asio::io_context loop;
  RecordingObserver observer;
  FakePort kang;
  {
    Wire wire(loop, observer);
    wire.attach(kang, kKang);
    kang.host_sends(frame(kBroadcast, kKang, "late"));
  }
  loop.run();
  CHECK(observer.record.empty());
}
