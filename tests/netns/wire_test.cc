#include "netns/wire.hh"

#include <array>
#include <boost/asio/steady_timer.hpp>
#include <limits>

#include "base/error.hh"
#include "tests/catch.hh"
#include "tests/netns/segment.hh"

using namespace tcplab;
using namespace tcplab::tests;
using netns::Wire;

namespace {

using Lines = std::vector<std::string>;

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

TEST_CASE("groups and unknown addresses are flooded to all except the sender") {
  Segment segment;
  segment.kodos.host_sends(frame(GENERATE(kBroadcast, kNobody), kKodos, "who?"));
  segment.loop.poll();
  CHECK(segment.kang.received == Lines{"who?"});
  CHECK(segment.homer.received == Lines{"who?"});
  CHECK(segment.kodos.received.empty());
}

TEST_CASE("a frame that reaches nobody is reported with the reason") {
  Segment segment;
  SECTION("its receiver is detached and no other port is there") {
    segment.wire.detach(segment.kodos_id);
    segment.wire.detach(segment.homer_id);
    segment.kang.host_sends(frame(kKodos, kKang, "hello?"));
    segment.wire.pump();
    CHECK(segment.observer.record == Lines{"sent 1 by 1", "undelivered 1: receiver gone"});
  }
  SECTION("no port has ever had its address, and no other port is there") {
    segment.wire.detach(segment.kodos_id);
    segment.wire.detach(segment.homer_id);
    segment.kang.host_sends(frame(kNobody, kKang, "hello?"));
    segment.wire.pump();
    CHECK(segment.observer.record == Lines{"sent 1 by 1", "undelivered 1: unknown address"});
  }
  SECTION("it is a broadcast and no other port is there") {
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

TEST_CASE("a frame for a detached port reaches none of the others") {
  Segment segment;
  segment.wire.detach(segment.kodos_id);
  SECTION("a unicast frame is lost") {
    segment.kang.host_sends(frame(kKodos, kKang, "hello?"));
    segment.wire.pump();
    CHECK(segment.homer.received.empty());
    CHECK(segment.observer.record == Lines{"sent 1 by 1", "undelivered 1: receiver gone"});
  }
  SECTION("an injected frame is lost") {
    segment.wire.inject(frame(kKodos, kKang, "forged"));
    CHECK(segment.homer.received.empty());
    CHECK(segment.observer.record == Lines{"sent 1 by 0", "undelivered 1: receiver gone"});
  }
  SECTION("a broadcast still reaches the others") {
    segment.kang.host_sends(frame(kBroadcast, kKang, "who?"));
    segment.wire.pump();
    CHECK(segment.homer.received == Lines{"who?"});
  }
  SECTION("an address that no port has ever had is still flooded") {
    segment.kang.host_sends(frame(kNobody, kKang, "hello?"));
    segment.wire.pump();
    CHECK(segment.homer.received == Lines{"hello?"});
  }
  SECTION("once it is attached again, it receives its frames") {
    segment.wire.attach(segment.kodos, kKodos);
    segment.kang.host_sends(frame(kKodos, kKang, "back?"));
    segment.wire.pump();
    CHECK(segment.kodos.received == Lines{"back?"});
    CHECK(segment.homer.received.empty());
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
  SECTION("a broadcast stays on its link") {
    kang.host_sends(frame(kBroadcast, kKang, "who?"));
    wire.pump();
    CHECK(gateway_lan.received == Lines{"who?"});
  }
  SECTION("an address of the other link is flooded as unknown") {
    kang.host_sends(frame(kKodos, kKang, "kodos?"));
    wire.pump();
    CHECK(gateway_lan.received == Lines{"kodos?"});
  }
  SECTION("a released frame stays on its link") {
    observer.on_sent = [](const Frame&) { return FrameDecision::hold; };
    kang.host_sends(frame(kBroadcast, kKang, "late"));
    wire.pump();
    CHECK(wire.release(1));
    CHECK(gateway_lan.received == Lines{"late"});
  }
  SECTION("an injected frame finds its receiver on any link") {
    wire.inject(frame(kKodos, kKang, "forged"));
    CHECK(kodos.received == Lines{"forged"});
    return;
  }
  CHECK(gateway_wan.received.empty());
  CHECK(kodos.received.empty());
}

TEST_CASE("each port keeps the order of many frames") {
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
  SECTION("it is released once") {
    CHECK(segment.wire.release(1));
    CHECK(segment.kodos.received == Lines{"wait"});
    CHECK_FALSE(segment.wire.release(1));
  }
  SECTION("it is dropped") {
    CHECK(segment.wire.drop(1));
    CHECK_FALSE(segment.wire.release(1));
  }
  SECTION("its sender is detached") {
    segment.wire.detach(segment.kang_id);
    CHECK_FALSE(segment.wire.release(1));
    CHECK(segment.kodos.received.empty());
  }
  SECTION("its receiver is attached again") {
    segment.wire.detach(segment.kodos_id);
    FakePort new_port;
    segment.wire.attach(new_port, kKodos);
    CHECK(segment.wire.release(1));
    CHECK(new_port.received == Lines{"wait"});
  }
  CHECK_FALSE(segment.wire.release(4711));
}

TEST_CASE("an observer may change a frame's content") {
  Segment segment;
  const auto changed = frame(kKodos, kKang, "changed");
  const FrameDecision decision = GENERATE(FrameDecision::deliver, FrameDecision::hold);
  segment.observer.on_sent = [&](Frame& seen) {
    seen.bytes = changed;
    return decision;
  };
  segment.kang.host_sends(frame(kKodos, kKang, "as sent"));
  segment.wire.pump();
  segment.wire.release(1);
  CHECK(segment.kodos.received == Lines{"changed"});
}

TEST_CASE("a held copy waits for its release, and is dropped when its sender is detached") {
  Segment segment;
  std::uint64_t copy = 0;
  segment.observer.on_sent = [&](Frame& seen) {
    copy = segment.wire.hold_another(
        {.sent = seen.sent, .from = seen.from, .bytes = frame(kKodos, kKang, "copy")});
    return FrameDecision::deliver;
  };
  segment.kang.host_sends(frame(kKodos, kKang, "first"));
  segment.wire.pump();
  CHECK(segment.kodos.received == Lines{"first"});
  CHECK(copy == 2);
  SECTION("it is released") {
    CHECK(segment.wire.release(copy));
    CHECK(segment.kodos.received == Lines{"first", "copy"});
  }
  SECTION("its sender is detached") {
    segment.wire.detach(segment.kang_id);
    CHECK_FALSE(segment.wire.release(copy));
  }
  SECTION("its sender was detached before") {
    segment.wire.detach(segment.kang_id);
    copy =
        segment.wire.hold_another({.from = segment.kang_id, .bytes = frame(kKodos, kKang, "late")});
    CHECK_FALSE(segment.wire.release(copy));
  }
}

TEST_CASE("a held frame can be released in frame_decided()") {
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

TEST_CASE("frames sent before the port is attached are discarded") {
  Segment segment;
  segment.wire.detach(segment.kang_id);
  for (int i = 0; i < 100; ++i) segment.kang.host_sends(frame(kKodos, kKang, "into the air"));
  segment.wire.attach(segment.kang, kKang);
  segment.kang.host_sends(frame(kKodos, kKang, "plugged"));
  segment.loop.poll();
  CHECK(segment.kodos.received == Lines{"plugged"});
}

TEST_CASE("an observer may detach ports in its callbacks") {
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
  SECTION("the sender of a held frame") {
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

TEST_CASE("a frame is delivered before the calls of the program that it wakes return") {
  Segment segment;
  base::Instant returned{};
  segment.kodos.on_write = [&] { returned = base::now(); };
  const base::Instant sent = base::now();
  segment.kang.host_sends(frame(kKodos, kKang, "RST"));
  segment.loop.poll();
  CHECK(segment.observer.delivered >= sent);
  CHECK(segment.observer.delivered <= returned);
}

TEST_CASE("an observer may inject a frame in its callbacks") {
  Segment segment;
  segment.observer.on_delivered = [&](const Frame& seen, PortId) {
    if (seen.number == 1) segment.wire.inject(frame(kKang, kKodos, "forged"));
    segment.wire.pump();  // does nothing here: the current frame comes first
  };
  segment.kang.host_sends(frame(kKodos, kKang, "one"));
  segment.kang.host_sends(frame(kKodos, kKang, "two"));
  segment.loop.poll();
  CHECK(segment.kang.received == Lines{"forged"});
  CHECK(segment.kodos.received == Lines{"one", "two"});
  CHECK(segment.observer.record == Lines{"sent 1 by 1", "delivered 1 to 2", "sent 2 by 0",
                                         "delivered 2 to 1", "sent 3 by 1", "delivered 3 to 2"});
}

TEST_CASE("the observer decides on an injected frame as on any other") {
  Segment segment;
  FrameDecision decision = FrameDecision::lose;
  segment.observer.on_sent = [&](const Frame&) { return decision; };
  segment.wire.inject(frame(kKang, kKodos, "lost"));
  CHECK(segment.kang.received.empty());
  decision = FrameDecision::hold;
  const std::uint64_t held = segment.wire.inject(frame(kKang, kKodos, "held"));
  const std::uint64_t copy =
      segment.wire.hold_another({.sent = base::now(), .bytes = frame(kKang, kKodos, "copy")});
  CHECK(segment.kang.received.empty());
  CHECK(segment.wire.release(held));
  CHECK(segment.wire.release(copy));
  CHECK(segment.kang.received == Lines{"held", "copy"});
}

TEST_CASE("a frame without a complete Ethernet header cannot be injected") {
  Segment segment;
  const std::array<std::uint8_t, 13> runt{};
  CHECK_THROWS_AS(segment.wire.inject(runt), base::UsageError);
  segment.kang.host_sends({1, 2, 3});
  segment.wire.pump();
  CHECK(segment.observer.record.empty());
}

TEST_CASE("multicast listener reports are discarded") {
  Segment segment;
  segment.kang.host_sends(frame(MacAddress{{0x33, 0x33, 0, 0, 0, 0x16}}, kKang, "report"));
  segment.wire.pump();
  CHECK(segment.observer.record.empty());
}

TEST_CASE("a flooding port does not starve other ports and timers") {
  Segment segment;
  segment.kang.host_sends(frame(kKodos, kKang, "again"));
  segment.observer.on_delivered = [&](const Frame&, PortId to) {
    if (to == segment.kodos_id) segment.kang.host_sends(frame(kKodos, kKang, "again"));
  };
  segment.homer.host_sends(frame(kKang, kHomer, "me too"));
  bool fired = false;
  boost::asio::steady_timer timer(segment.loop, std::chrono::milliseconds(1));
  timer.async_wait([&](const boost::system::error_code&) { fired = true; });
  // The timer may fire after the first batch of the flood. The flood goes on then, too.
  const auto flooded = [&] { return segment.kodos.received.size() > 64; };
  const auto deadline = base::now() + std::chrono::seconds(10);
  while ((!fired || !flooded()) && base::now() < deadline) segment.loop.run_one();
  CHECK(fired);
  CHECK(segment.kang.received == Lines{"me too"});
  CHECK(flooded());
}

TEST_CASE("a wire may be destroyed before its ports and its event loop") {
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
