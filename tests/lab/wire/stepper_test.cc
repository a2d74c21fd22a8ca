#include "lab/wire/stepper.hh"

#include "lab/wire/loss_faults.hh"
#include "lab/wire/timing_faults.hh"
#include "tests/catch.hh"
#include "tests/lab/wire/fault_bench.hh"

using namespace tcplab;
using namespace tcplab::lab;
using namespace std::chrono_literals;
using tests::FaultBench;
using tests::scope;

namespace {

using Lines = std::vector<std::string>;

std::vector<std::uint64_t> hanging(FaultBench& bench) {
  std::vector<std::uint64_t> frames;
  for (const Stepper::Hanging& each : bench.watch.stepper().hanging()) frames.push_back(each.frame);
  return frames;
}

}  // namespace

TEST_CASE("stepped frames are held, and each step delivers the oldest") {
  FaultBench bench;
  Stepper& stepper = bench.watch.stepper();
  stepper.begin();
  bench.send_tagged({1, 2});
  CHECK(bench.arrived().empty());
  CHECK(bench.fates().empty());
  CHECK(hanging(bench) == std::vector<std::uint64_t>{1, 2});
  stepper.deliver();
  CHECK(bench.arrived() == "1");
  CHECK(bench.fates() == Lines{"1 delivered: stepped"});
  stepper.deliver();
  stepper.deliver();  // no frame is held
  CHECK(bench.arrived() == "1 2");
}

TEST_CASE("a frame lost by hand is on the timeline and in the account") {
  FaultBench bench;
  Stepper& stepper = bench.watch.stepper();
  CHECK_FALSE(stepper.has_stopped_any());
  stepper.begin();
  bench.send_tagged({1, 2});
  bench.clock.advance(40min);
  bench.watch.lose_by_hand();
  stepper.deliver();
  CHECK(bench.arrived() == "2");
  const Lines fates = bench.fates();
  REQUIRE(fates.size() == 2);
  CHECK(fates[0] == "1 lost: lost by hand, after 40 min");
  CHECK(fates[1] == "2 delivered: stepped");
  CHECK(stepper.account() ==
        "stepped: 2 frames stopped, for 40 min in all; "
        "lost by hand: kang > kodos [.] (frame 1)");
}

TEST_CASE("time counts as held only while a frame is held") {
  FaultBench bench;
  Stepper& stepper = bench.watch.stepper();
  stepper.begin();
  bench.clock.advance(60min);
  CHECK(stepper.held_time() == 0s);
  bench.send_tagged({1});
  bench.clock.advance(10min);
  bench.send_tagged({2});
  bench.clock.advance(10min);
  stepper.deliver();
  stepper.deliver();
  const base::nanoseconds held = stepper.held_time();
  CHECK(held / 1min == 20);
  bench.clock.advance(60min);
  CHECK(stepper.held_time() == held);
}

TEST_CASE("let_run() delivers held frames, and later frames are not stepped") {
  FaultBench bench;
  Stepper& stepper = bench.watch.stepper();
  stepper.begin();
  bench.send_tagged({1, 2});
  stepper.let_run();
  bench.send_tagged({3});
  CHECK(bench.arrived() == "1 2 3");
  CHECK(bench.fates() == Lines{"1 delivered: stepped", "2 delivered: stepped", "3 delivered"});
}

TEST_CASE("faults act on a frame before it is stepped") {
  FaultBench bench;
  Stepper& stepper = bench.watch.stepper();
  stepper.begin();
  bench.add<LoseFault>(scope({.nth = 1}));
  bench.add<DelayFault>(scope(), DelayFault::Span{.by = 5s});
  bench.send_tagged({1, 2});
  CHECK(hanging(bench).empty());
  bench.clock.advance(6s);
  CHECK(hanging(bench) == std::vector<std::uint64_t>{2});
  stepper.deliver();
  CHECK(bench.arrived() == "2");
}

TEST_CASE("held frames of a detached host are lost") {
  FaultBench bench;
  Stepper& stepper = bench.watch.stepper();
  stepper.begin();
  bench.send_tagged({1});
  bench.unplug_kang();
  CHECK(hanging(bench).empty());
  stepper.deliver();
  CHECK(bench.arrived().empty());
  CHECK(bench.fates() == Lines{"1 lost: its sender was cut off"});
}

TEST_CASE("ARP is not stepped, because a host would be unreachable before a key is pressed") {
  FaultBench bench;
  const Stepper& stepper = bench.watch.stepper();
  CHECK(stepper.is_about(tests::segment(tests::kSyn)));
  tests::Bytes request(42, 0);
  request[12] = 0x08;
  request[13] = 0x06;
  CHECK_FALSE(stepper.is_about(request));
}

TEST_CASE("what a kernel retransmits while a person looks is set aside") {
  FaultBench bench;
  Stepper& stepper = bench.watch.stepper();
  stepper.begin();
  bench.send_tagged({1, 2, 1, 1});
  CHECK(hanging(bench) == std::vector<std::uint64_t>{1, 2});
  CHECK(stepper.hanging().front().again == std::vector<std::uint64_t>{3, 4});
  stepper.deliver();
  CHECK(bench.arrived() == "1");
  CHECK(bench.fates() == Lines{"1 delivered: stepped",
                               "3 lost: dropped: a retransmission of the stopped frame",
                               "4 lost: dropped: a retransmission of the stopped frame"});
  stepper.deliver();
  CHECK(bench.arrived() == "1 2");
  bench.send_tagged({1});  // the first is not stopped any more
  CHECK(hanging(bench) == std::vector<std::uint64_t>{5});
}

TEST_CASE("a retransmission takes the place of a frame lost by hand") {
  FaultBench bench;
  Stepper& stepper = bench.watch.stepper();
  stepper.begin();
  bench.send_tagged({1, 1, 1});
  bench.watch.lose_by_hand();
  CHECK(hanging(bench) == std::vector<std::uint64_t>{2});
  stepper.deliver();
  CHECK(bench.arrived() == "1");
  CHECK(bench.fates().size() == 3);
  CHECK(stepper.hanging().empty());
}

TEST_CASE("an ACK without data is stopped each time") {
  FaultBench bench;
  bench.watch.stepper().begin();
  bench.send({tests::tagged(1, 0), tests::tagged(1, 0)});
  CHECK(hanging(bench) == std::vector<std::uint64_t>{1, 2});
}

TEST_CASE("the sender's end removes a frame with its retransmissions") {
  FaultBench bench;
  bench.watch.stepper().begin();
  bench.send_tagged({1, 1});
  bench.unplug_kang();
  CHECK(bench.watch.stepper().hanging().empty());
  CHECK(bench.fates().size() == 2);
}
