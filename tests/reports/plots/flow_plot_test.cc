#include "reports/plots/flow_plot.hh"

#include <algorithm>

#include "tests/catch.hh"
#include "tests/reports/sample_run.hh"

namespace tcplab::reports::tests {

namespace {

using plots::FlowPlot;
using plots::SegmentKind;
using std::chrono::microseconds;
using std::chrono::milliseconds;

std::vector<FlowPlot> plots_of(const SampleRun& run) {
  plots::PlotGatherer gatherer;
  for (const Event& event : run.events()) gatherer.event(event);
  return gatherer.take();
}

/// Returns a run after its handshake; both ends scale their windows by 2^7.
SampleRun opened() {
  SampleRun run;
  for (const auto& [from, flags, ack] :
       {std::tuple{"kang", "S", 0U}, {"kodos", "S.", 1U}, {"kang", ".", 1U}}) {
    capture::Packet packet = run.packet(from, flags, flags[0] == 'S' ? 0 : 1, ack, 0);
    packet.window = flags[0] == 'S' ? 64'240 : 502;
    if (flags[0] == 'S') packet.window_scale = 7;
    run.add(packet).later(microseconds(100));
  }
  return run;
}

SampleRun& acknowledge(SampleRun& run, unsigned number, std::vector<capture::SackRange> sack = {}) {
  capture::Packet packet = run.packet("kodos", ".", 1, number, 0);
  packet.window = 500;
  packet.sack = std::move(sack);
  return run.add(packet);
}

std::vector<std::int64_t> values(const std::vector<plots::Measure>& measures) {
  std::vector<std::int64_t> all;
  for (const plots::Measure& each : measures) all.push_back(each.value);
  return all;
}

}  // namespace

TEST_CASE("a plot has relative numbers, the scaled window, and bytes in flight") {
  SampleRun run = opened();
  run.frame("kang", "P.", 1, 1, 1000).frame("kang", "P.", 1001, 1, 500);
  acknowledge(run.later(milliseconds(2)), 1001);
  const std::vector<FlowPlot> plots = plots_of(run);
  REQUIRE(plots.size() == 1);  // kodos sends no data
  const FlowPlot& plot = plots.front();
  CHECK(plot.from == "kang");
  CHECK(plot.to == "kodos");
  REQUIRE(plot.segments.size() == 3);
  CHECK(plot.segments[0].begin == 0);
  CHECK(plot.segments[1].begin == 1);
  CHECK(plot.segments[1].end == 1001);
  CHECK(plot.segments[2].end == 1501);
  CHECK(plot.acknowledgments.front().edge == 1 + 64'240);  // a SYN's window is not scaled
  CHECK(plot.acknowledgments.back().number == 1001);
  CHECK(plot.acknowledgments.back().edge == 1001 + 500 * 128);
  CHECK(values(plot.flight) == std::vector<std::int64_t>{1, 0, 1000, 1500, 500});
}

TEST_CASE("a retransmission has its kind, and gives no round trip") {
  SampleRun run = opened();
  run.lose("kang", "P.", 1, 1, 1000, "loss");
  run.later(milliseconds(200)).frame("kang", "P.", 1, 1, 1000);
  acknowledge(run.later(milliseconds(1)), 1001);
  run.frame("kang", "P.", 1001, 1, 100);
  acknowledge(run.later(milliseconds(3)), 1101);
  const FlowPlot plot = plots_of(run).front();
  CHECK(plot.segments[1].is_lost);
  CHECK(plot.segments[1].kind == SegmentKind::first);
  CHECK(plot.segments[2].kind == SegmentKind::again);
  CHECK_FALSE(plot.segments[2].is_lost);
  REQUIRE(plot.round_trips.size() == 2);  // of the SYN, and of the last segment
  CHECK(plot.round_trips.back().value == capture::nanoseconds(microseconds(3040)).count());
}

TEST_CASE("a plot has the ranges of SACK, relative to the sender's first number") {
  SampleRun run = opened();
  const std::uint32_t initial = run.packet("kang", ".", 0, 1, 0).sequence;
  run.frame("kang", "P.", 1, 1, 100).frame("kang", "P.", 101, 1, 100);
  acknowledge(run, 1, {{initial + 101, initial + 201}});
  const FlowPlot plot = plots_of(run).front();
  REQUIRE(plot.acknowledgments.back().sack.size() == 1);
  CHECK(plot.acknowledgments.back().sack.front() ==
        std::pair<std::int64_t, std::int64_t>(101, 201));
}

TEST_CASE("a frame that was held is sent once, and arrives when it is delivered") {
  SampleRun run = opened();
  capture::Packet held = run.packet("kang", "P.", 1, 1, 1000);
  held.fate = capture::Fate::held;
  held.delivered.reset();
  run.add(held);
  held.fate = capture::Fate::delivered;
  run.later(milliseconds(50)).add(held);
  const FlowPlot plot = plots_of(run).front();
  CHECK(plot.segments.size() == 2);
  CHECK(plot.segments.back().kind == SegmentKind::first);
}

TEST_CASE("the kernel's values are in bytes, and there is no threshold before the first loss") {
  SampleRun run = opened();
  const capture::Packet syn = run.packet("kang", "S", 0, 0, 0);
  capture::Sending sending{.host = "kang", .local = syn.source, .remote = syn.destination};
  sending.info = {.rto = milliseconds(204),
                  .rtt = microseconds(80),
                  .cwnd = 10,
                  .ssthresh = 0x7fffffff,
                  .mss = 1448,
                  .window = 65'152};
  run.frame("kang", "P.", 1, 1, 1000).add(sending);
  sending.info.ssthresh = 7;
  run.add(sending);
  const FlowPlot plot = plots_of(run).front();
  REQUIRE(plot.kernel.size() == 2);
  CHECK(plot.kernel[0].cwnd == 14'480);
  CHECK(plot.kernel[0].ssthresh == 0);
  CHECK(plot.kernel[1].ssthresh == 7 * 1448);
  CHECK(plot.kernel[0].rto == milliseconds(204));
}

TEST_CASE("frames that a router forwards are counted once") {
  SampleRun run = opened();
  capture::Packet data = run.packet("kang", "P.", 1, 1, 1000);
  data.to = "gateway";
  run.add(data);
  data.from = "gateway";
  data.to = "kodos";
  run.add(data);
  CHECK(plots_of(run).front().segments.size() == 2);
}

TEST_CASE("a connection without data has no plot, unless its SYN was retransmitted") {
  SampleRun run = opened();
  CHECK(plots_of(run).empty());
  SampleRun silent;
  silent.lose("kang", "S", 0, 0, 0, "loss").later(milliseconds(1000));
  silent.lose("kang", "S", 0, 0, 0, "loss");
  REQUIRE(plots_of(silent).size() == 1);
  CHECK(plots_of(silent).front().segments.back().kind == SegmentKind::again);
}

}  // namespace tcplab::reports::tests
