#include "lab/wire/fault.hh"

#include "lab/wire/loss_faults.hh"
#include "lab/wire/timing_faults.hh"
#include "reports/text/effect_text.hh"
#include "tests/catch.hh"
#include "tests/lab/wire/fault_bench.hh"

using namespace tcplab;
using namespace tcplab::lab;
using namespace std::chrono_literals;
using reports::fault_label;
using reports::fault_text;
using tests::FaultBench;
using tests::scope;

namespace {

using Lines = std::vector<std::string>;

const auto kLong = 1200s;  // longer than this test may take

}  // namespace

TEST_CASE("faults describe themselves") {
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

TEST_CASE("a fault with a name is described with it, and its frames are labelled with it") {
  const LoseFault fault(scope({}, "tcp", "flaky cable"));
  CHECK(fault_text(fault.rule()) == "lose kang > kodos, tcp, called \"flaky cable\"");
  CHECK(fault_label(fault.rule()) == "lose \"flaky cable\"");
}

TEST_CASE("a lose fault loses only matching frames that it selects") {
  FaultBench bench;
  bench.add<LoseFault>(scope({.skip = 1, .count = 1}, "ip[5] > 10"));
  bench.send_tagged({1, 11, 2, 12, 13});
  CHECK(bench.arrived() == "1 11 2 13");
  CHECK(bench.fates().at(3) == "4 lost: lose 1 of (after 1) kang > kodos, ip[5] > 10");
}

TEST_CASE("a cut does not affect the other direction") {
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
  CHECK(bench.fates() ==
        Lines{"1 " + forged, "2 " + forged, "3 lost: forged by the script; lose \"second\"",
              "4 held: forged by the script; " + held, "5 " + forged, "4 " + forged + "; " + held});
}

TEST_CASE("a hold fault holds frames until they are released or the fault is removed") {
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
  CHECK(bench.fates() == Lines{"1 held: hold kang > kodos", "2 held: hold kang > kodos",
                               "1 delivered: hold kang > kodos", "2 delivered: hold kang > kodos",
                               "3 held: hold kang > kodos", "3 delivered: hold kang > kodos",
                               "4 delivered"});
}

TEST_CASE("packets longer than the MTU are lost") {
  FaultBench bench;
  bench.add<MtuFault>(scope(), 1400);
  bench.send({tests::tagged(1, 1360), tests::tagged(2, 1361)});
  CHECK(bench.arrived() == "1");
  CHECK(bench.fates().at(1) == "2 lost: an IP packet of 1401 bytes: mtu (1400) kang > kodos");
}

TEST_CASE("a delayed frame arrives after its delay, in order") {
  FaultBench bench;
  bench.add<DelayFault>(scope({}, "ip[5] > 10"), DelayFault::Span{.by = kLong});
  bench.send_tagged({11, 12, 1});
  CHECK(bench.arrived() == "1");
  bench.clock.advance(kLong / 2);
  CHECK(bench.arrived() == "1");
  bench.clock.advance(kLong / 2);
  CHECK(bench.arrived() == "1 11 12");
  CHECK(bench.fates().front() ==
        "1 delayed: delayed 20 min by delay (20 min) kang > kodos, ip[5] > 10");
  CHECK(bench.fates().back() ==
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

TEST_CASE("delays of several faults add up") {
  FaultBench bench;
  bench.add<DelayFault>(scope({}, "", "one"), DelayFault::Span{.by = kLong});
  bench.add<DelayFault>(scope({}, "", "two"), DelayFault::Span{.by = kLong});
  bench.send_tagged({1});
  bench.clock.advance(kLong);
  CHECK(bench.arrived().empty());
  bench.clock.advance(kLong);
  CHECK(bench.arrived() == "1");
  CHECK(bench.fates().back() ==
        "1 delivered: delayed 20 min by delay \"one\"; delayed 20 min by delay \"two\"");
}

TEST_CASE("a limited rate sends one frame after the other, and loses frames if its queue is full") {
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
  CHECK(bench.fates().at(3) ==
        "4 lost: queue full: limit (0.386667 bit/s, queue of 2) kang > kodos");
}

TEST_CASE("a copy is a frame with its own number, right after the original") {
  FaultBench bench;
  bench.add<DuplicateFault>(scope({.nth = 1}), 2, base::nanoseconds{});
  bench.send_tagged({1, 2});
  CHECK(bench.arrived() == "1 1 1 2");
  const std::string by = "by duplicate (2) the 1st of kang > kodos";
  CHECK(bench.fates() == Lines{"1 delivered: duplicated " + by,
                               "2 delivered: copy of frame 1 " + by,
                               "3 delivered: copy of frame 1 " + by, "4 delivered"});
}

TEST_CASE("a copy can be delayed, as an old duplicate") {
  FaultBench bench;
  bench.add<DuplicateFault>(scope({.nth = 1}), 1, base::nanoseconds(kLong));
  bench.send_tagged({1, 2});
  CHECK(bench.arrived() == "1 2");
  bench.clock.advance(kLong);
  CHECK(bench.arrived() == "1 2 1");
}

TEST_CASE("a reordered frame arrives after the frames that follow it") {
  FaultBench bench;
  const auto reorder = bench.add<ReorderFault>(scope({.count = 1}, "ip[5] > 10"), 2);
  bench.send_tagged({11, 1, 12});
  CHECK(bench.arrived() == "1 12");
  bench.send_tagged({13, 14});
  CHECK(bench.arrived() == "1 12 13 11 14");
}

TEST_CASE("a reordered frame without followers is delivered when the fault is removed") {
  FaultBench bench;
  const auto reorder = bench.add<ReorderFault>(scope(), 1);
  bench.send_tagged({1});
  CHECK(bench.arrived().empty());
  bench.watch.faults().remove(*reorder);
  CHECK(bench.arrived() == "1");
}

TEST_CASE("a reordered frame arrives after a follower that is delayed") {
  FaultBench bench;
  bench.add<ReorderFault>(scope({.nth = 1}), 1);
  bench.add<DelayFault>(scope({.nth = 2}), DelayFault::Span{.by = kLong});
  bench.send_tagged({1, 2});
  CHECK(bench.arrived().empty());
  bench.clock.advance(kLong);
  CHECK(bench.arrived() == "2 1");
}

TEST_CASE("faults act in the order of their creation, and later faults do not see lost frames") {
  FaultBench bench;
  bench.add<LoseFault>(scope({.nth = 1}));
  bench.add<DuplicateFault>(scope({.nth = 1}), 1, base::nanoseconds{});
  bench.send_tagged({1, 2, 3});
  CHECK(bench.arrived() == "2 2 3");
}

TEST_CASE("a frame that is held, delayed and copied is delivered when the last fault releases it") {
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

TEST_CASE("a frame held by two faults is delivered when both are removed") {
  FaultBench bench;
  const auto one = bench.add<HoldFault>(scope());
  const auto other = bench.add<HoldFault>(scope());
  bench.send_tagged({1});
  bench.watch.faults().remove(*one);
  CHECK(bench.arrived().empty());
  bench.watch.faults().remove(*other);
  CHECK(bench.arrived() == "1");
}

TEST_CASE("a fault can apply to one link only") {
  FaultBench bench;
  FaultScope there = scope();
  const std::string link = GENERATE("lan", "wan");
  there.link = link;
  const auto fault = bench.add<LoseFault>(std::move(there));
  bench.send_tagged({1});
  CHECK(bench.arrived() == (link == "lan" ? "" : "1"));
  CHECK(fault_text(fault->rule()) == "lose kang > kodos, on " + link);
}

TEST_CASE("no frame of a detached host arrives, even if it is held, delayed or copied") {
  FaultBench bench;
  const auto hold = bench.add<HoldFault>(scope({.nth = 1}));
  bench.add<DelayFault>(scope(), DelayFault::Span{.by = kLong});
  bench.add<DuplicateFault>(scope(), 1, base::nanoseconds{});
  bench.send_tagged({1, 2});
  bench.unplug_kang();
  bench.watch.faults().remove(*hold);
  bench.clock.advance(3 * kLong);
  CHECK(bench.arrived().empty());
  const auto fates = bench.fates();
  REQUIRE(fates.size() == 8);
  for (std::size_t i = 4; i < fates.size(); ++i)
    CHECK(fates[i] == std::to_string(i - 3) + " lost: its sender was cut off");
}

TEST_CASE("a delayed frame is delivered on time after its fault is removed") {
  FaultBench bench;
  const auto delay = bench.add<DelayFault>(scope(), DelayFault::Span{.by = kLong});
  bench.send_tagged({1});
  bench.watch.faults().remove(*delay);
  bench.send_tagged({2});
  CHECK(bench.arrived() == "2");
  bench.clock.advance(kLong);
  CHECK(bench.arrived() == "2 1");
}

TEST_CASE("faults are found by name, and two faults cannot have the same name") {
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
