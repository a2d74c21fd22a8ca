#include "scenarios/engine/wire/fault.hh"

#include "reports/text/effect_text.hh"
#include "scenarios/engine/wire/loss_faults.hh"
#include "scenarios/engine/wire/timing_faults.hh"
#include "tests/catch.hh"
#include "tests/scenarios/wire/fault_bench.hh"

using namespace tcplab;
using namespace tcplab::engine;
using namespace std::chrono_literals;
using reports::fault_label;
using reports::fault_text;
using tests::FaultBench;
using tests::scope;

namespace {

using Lines = std::vector<std::string>;

const auto kLong = 1200s;  // longer than this test may take

}  // namespace

TEST_CASE("faults say what they are") {
  const auto lose =
      LoseFault({FrameFilter("kang>kodos", "tcp"), FrameSelection({.skip = 1, .count = 2})});
  CHECK(fault_text(lose.rule()) == "lose 2 of (after 1) kang > kodos, tcp");
  CHECK(fault_label(lose.rule()) == fault_text(lose.rule()));
  CHECK(fault_text(LoseFault({FrameFilter("", "")}).rule()) == "lose any direction");
  CHECK(fault_text(LoseFault({.filter = FrameFilter("", ""), .link = "wan"}).rule()) ==
        "lose any direction, on wan");
  CHECK(fault_text(CutFault({FrameFilter("kodos > kang", "")}).rule()) == "cut kodos > kang");
  CHECK(fault_text(HoldFault({FrameFilter("* > *", "tcp")}).rule()) == "hold * > *, tcp");
  CHECK(fault_text(MtuFault(scope(), 1400).rule()) == "mtu (1400) kang > kodos");
  CHECK(fault_text(LimitFault(scope(), 2.5e6, 20).rule()) ==
        "limit (2.5 Mbit/s, queue of 20) kang > kodos");
  CHECK(fault_text(DelayFault(scope({.nth = 2}), {.by = 50ms}).rule()) ==
        "delay (50.0 ms) the 2nd of kang > kodos");
  CHECK(fault_text(DelayFault(scope(), {.by = 50ms, .jitter = 10ms, .seed = 7}).rule()) ==
        "delay (50.0 ms ± 10.0 ms, seed 7) kang > kodos");
  CHECK(fault_text(DuplicateFault(scope(), 1, {}).rule()) == "duplicate kang > kodos");
  CHECK(fault_text(DuplicateFault(scope(), 2, 1s).rule()) ==
        "duplicate (2 after 1 s) kang > kodos");
  CHECK(fault_text(ReorderFault(scope(), 2).rule()) == "reorder (behind 2) kang > kodos");
}

TEST_CASE("a fault with a name says so, and its frames say the name") {
  const LoseFault fault(scope({}, "tcp", "flaky cable"));
  CHECK(fault_text(fault.rule()) == "lose kang > kodos, tcp, called \"flaky cable\"");
  CHECK(fault_label(fault.rule()) == "lose \"flaky cable\"");
}

TEST_CASE("losing loses what matches and is picked, and no other frame is counted") {
  FaultBench bench;
  bench.add<LoseFault>(scope({.skip = 1, .count = 1}, "ip[5] > 10"));
  bench.send_tagged({1, 11, 2, 12, 13});
  CHECK(bench.arrived() == "1 11 2 13");
  CHECK(bench.told().at(3) == "4 lost: lose 1 of (after 1) kang > kodos, ip[5] > 10");
}

TEST_CASE("a cut loses one direction") {
  FaultBench bench;
  bench.watch.faults().add(std::make_shared<CutFault>(FaultScope{FrameFilter("kodos > kang", "")}));
  bench.send_tagged({1});
  CHECK(bench.arrived() == "1");
}

TEST_CASE("faults act on a frame that the script forges, unless it says otherwise") {
  FaultBench bench;
  bench.add<LoseFault>(scope({.nth = 2}, "", "second"));
  const auto hold = bench.add<HoldFault>(scope({.nth = 2}));
  bench.watch.forging({.from = "kang", .meets_faults = false});
  bench.wire.inject(tests::tagged(1));
  bench.watch.forging({.from = "kang"});
  for (std::uint8_t tag = 2; tag <= 5; ++tag) bench.wire.inject(tests::tagged(tag));
  CHECK(bench.arrived() == "1 2 5");
  bench.watch.faults().release(*hold);
  CHECK(bench.arrived() == "1 2 5 4");
  const std::string forged = "forged: forged by the script", held = "hold the 2nd of kang > kodos";
  CHECK(bench.told() ==
        Lines{"1 " + forged, "2 " + forged, "3 lost: forged by the script; lose \"second\"",
              "4 held: forged by the script; " + held, "5 " + forged, "4 " + forged + "; " + held});
}

TEST_CASE("holding holds until it is released") {
  FaultBench bench;
  const auto hold = bench.add<HoldFault>(scope());
  bench.send_tagged({1, 2});
  CHECK(bench.arrived().empty());
  bench.watch.faults().release(*hold);
  bench.send_tagged({3});
  CHECK(bench.arrived() == "1 2");
  bench.watch.faults().remove(*hold);
  bench.send_tagged({4});
  CHECK(bench.arrived() == "1 2 3 4");
  CHECK(bench.told() == Lines{"1 held: hold kang > kodos", "2 held: hold kang > kodos",
                              "1 delivered: hold kang > kodos", "2 delivered: hold kang > kodos",
                              "3 held: hold kang > kodos", "3 delivered: hold kang > kodos",
                              "4 delivered"});
}

TEST_CASE("packets longer than the MTU vanish") {
  FaultBench bench;
  bench.add<MtuFault>(scope(), 1400);
  bench.send({tests::tagged(1, 1360), tests::tagged(2, 1361)});
  CHECK(bench.arrived() == "1");
  CHECK(bench.told().at(1) == "2 lost: an IP packet of 1401 bytes: mtu (1400) kang > kodos");
}

TEST_CASE("a delayed frame arrives when its time has come, in its order") {
  FaultBench bench;
  bench.add<DelayFault>(scope({}, "ip[5] > 10"), DelayFault::Span{.by = kLong});
  bench.send_tagged({11, 12, 1});
  CHECK(bench.arrived() == "1");
  bench.clock.advance(kLong / 2);
  CHECK(bench.arrived() == "1");
  bench.clock.advance(kLong / 2);
  CHECK(bench.arrived() == "1 11 12");
  CHECK(bench.told().front() ==
        "1 delayed: delayed 20 min by delay (20 min) kang > kodos, ip[5] > 10");
  CHECK(bench.told().back() ==
        "2 delivered: delayed 20 min by delay (20 min) kang > kodos, ip[5] > 10");
}

TEST_CASE("jitter spreads delays around their mean, and can change the order") {
  FaultBench bench;
  bench.add<DelayFault>(scope(), DelayFault::Span{.by = kLong, .jitter = kLong, .seed = 1});
  for (std::uint8_t tag = 1; tag <= 100; ++tag) bench.send_tagged({tag});
  bench.clock.advance(kLong);
  const auto half = bench.kodos_port.received.size();
  CHECK(half > 30);
  CHECK(half < 70);
  CHECK_FALSE(std::ranges::is_sorted(bench.kodos_port.received, {},
                                     [](const tests::Bytes& frame) { return frame.at(19); }));
  bench.clock.advance(kLong);
  CHECK(bench.kodos_port.received.size() == 100);
}

TEST_CASE("delays add up") {
  FaultBench bench;
  bench.add<DelayFault>(scope({}, "", "one"), DelayFault::Span{.by = kLong});
  bench.add<DelayFault>(scope({}, "", "two"), DelayFault::Span{.by = kLong});
  bench.send_tagged({1});
  bench.clock.advance(kLong);
  CHECK(bench.arrived().empty());
  bench.clock.advance(kLong);
  CHECK(bench.arrived() == "1");
  CHECK(bench.told().back() ==
        "1 delivered: delayed 20 min by delay \"one\"; delayed 20 min by delay \"two\"");
}

TEST_CASE(
    "a limited rate sends frame after frame, and loses those that its queue has no room for") {
  FaultBench bench;
  // A frame of 58 bytes takes 1200 s.
  bench.add<LimitFault>(scope(), 58 * 8 / 1200.0, std::size_t{2});
  bench.send_tagged({1, 2, 3, 4});
  CHECK(bench.arrived().empty());
  bench.clock.advance(kLong);
  CHECK(bench.arrived() == "1");
  bench.clock.advance(kLong);
  CHECK(bench.arrived() == "1 2");
  bench.clock.advance(kLong);
  CHECK(bench.arrived() == "1 2 3");
  CHECK(bench.told().at(3) ==
        "4 lost: queue full: limit (0.386667 bit/s, queue of 2) kang > kodos");
}

TEST_CASE("a copy is a frame of its own, right behind the first") {
  FaultBench bench;
  bench.add<DuplicateFault>(scope({.nth = 1}), 2, base::nanoseconds{});
  bench.send_tagged({1, 2});
  CHECK(bench.arrived() == "1 1 1 2");
  const std::string by = "by duplicate (2) the 1st of kang > kodos";
  CHECK(bench.told() == Lines{"1 delivered: duplicated " + by, "2 delivered: copy of frame 1 " + by,
                              "3 delivered: copy of frame 1 " + by, "4 delivered"});
}

TEST_CASE("a copy can come later: an old duplicate") {
  FaultBench bench;
  bench.add<DuplicateFault>(scope({.nth = 1}), 1, base::nanoseconds(kLong));
  bench.send_tagged({1, 2});
  CHECK(bench.arrived() == "1 2");
  bench.clock.advance(kLong);
  CHECK(bench.arrived() == "1 2 1");
}

TEST_CASE("a reordered frame comes after those that follow it") {
  FaultBench bench;
  const auto reorder = bench.add<ReorderFault>(scope({.count = 1}, "ip[5] > 10"), 2);
  bench.send_tagged({11, 1, 12});
  CHECK(bench.arrived() == "1 12");
  bench.send_tagged({13, 14});
  CHECK(bench.arrived() == "1 12 13 11 14");
}

TEST_CASE("a reordered frame that nothing follows goes when the fault is removed") {
  FaultBench bench;
  const auto reorder = bench.add<ReorderFault>(scope(), 1);
  bench.send_tagged({1});
  CHECK(bench.arrived().empty());
  bench.watch.faults().remove(*reorder);
  CHECK(bench.arrived() == "1");
}

TEST_CASE("a reordered frame comes after a follower that is delayed") {
  FaultBench bench;
  bench.add<ReorderFault>(scope({.nth = 1}), 1);
  bench.add<DelayFault>(scope({.nth = 2}), DelayFault::Span{.by = kLong});
  bench.send_tagged({1, 2});
  CHECK(bench.arrived().empty());
  bench.clock.advance(kLong);
  CHECK(bench.arrived() == "2 1");
}

TEST_CASE("faults act in the order in which they were made; what is lost meets no other") {
  FaultBench bench;
  bench.add<LoseFault>(scope({.nth = 1}));
  bench.add<DuplicateFault>(scope({.nth = 1}), 1, base::nanoseconds{});
  bench.send_tagged({1, 2, 3});
  CHECK(bench.arrived() == "2 2 3");
}

TEST_CASE("what is held, delayed or copied by several faults goes when all of them let it") {
  FaultBench bench;
  const auto hold = bench.add<HoldFault>(scope());
  bench.add<DelayFault>(scope(), DelayFault::Span{.by = kLong});
  bench.add<DuplicateFault>(scope(), 1, base::nanoseconds{});
  bench.send_tagged({1});
  bench.clock.advance(2 * kLong);
  CHECK(bench.arrived().empty());
  bench.watch.faults().release(*hold);
  CHECK(bench.arrived().empty());
  bench.clock.advance(kLong);
  CHECK(bench.arrived() == "1 1");
}

TEST_CASE("a frame that two faults hold waits for both") {
  FaultBench bench;
  const auto one = bench.add<HoldFault>(scope());
  const auto other = bench.add<HoldFault>(scope());
  bench.send_tagged({1});
  bench.watch.faults().remove(*one);
  CHECK(bench.arrived().empty());
  bench.watch.faults().remove(*other);
  CHECK(bench.arrived() == "1");
}

TEST_CASE("a fault can be one link's") {
  FaultBench bench;
  FaultScope there = scope();
  const std::string link = GENERATE("lan", "wan");
  there.link = link;
  const auto fault = bench.add<LoseFault>(std::move(there));
  bench.send_tagged({1});
  CHECK(bench.arrived() == (link == "lan" ? "" : "1"));
  CHECK(fault_text(fault->rule()) == "lose kang > kodos, on " + link);
}

TEST_CASE("nothing of a host that is cut off arrives, however far on its way it is") {
  FaultBench bench;
  const auto hold = bench.add<HoldFault>(scope({.nth = 1}));
  bench.add<DelayFault>(scope(), DelayFault::Span{.by = kLong});
  bench.add<DuplicateFault>(scope(), 1, base::nanoseconds{});
  bench.send_tagged({1, 2});
  bench.unplug_kang();
  bench.watch.faults().remove(*hold);
  bench.clock.advance(3 * kLong);
  CHECK(bench.arrived().empty());
  const auto told = bench.told();
  REQUIRE(told.size() == 8);
  for (std::size_t i = 4; i < told.size(); ++i)
    CHECK(told[i] == std::to_string(i - 3) + " lost: its sender was cut off");
}

TEST_CASE("what is on its way goes on when its fault is removed") {
  FaultBench bench;
  const auto delay = bench.add<DelayFault>(scope(), DelayFault::Span{.by = kLong});
  bench.send_tagged({1});
  bench.watch.faults().remove(*delay);
  bench.send_tagged({2});
  CHECK(bench.arrived() == "2");
  bench.clock.advance(kLong);
  CHECK(bench.arrived() == "2 1");
}

TEST_CASE("faults are found by their names, and a name is taken once") {
  FaultBench bench;
  const auto fault = bench.add<LoseFault>(scope({}, "", "flaky cable"));
  CHECK(bench.watch.faults().find("flaky cable") == fault.get());
  CHECK(bench.watch.faults().find("other") == nullptr);
  const auto again = [&] { bench.add<CutFault>(scope({}, "", "flaky cable")); };
  CHECK_THAT(tests::complaint(again), Catch::Matchers::Contains("\"flaky cable\""));
  bench.watch.faults().remove(*fault);
  CHECK(bench.watch.faults().find("flaky cable") == nullptr);
  again();
}
