// What faults do to the frame of a NIC with offloads: its checksum is partial, and it stands for
// several segments.
#include "netns/offload.hh"

#include "lab/wire/byte_faults.hh"
#include "lab/wire/loss_faults.hh"
#include "lab/wire/packet_layout.hh"
#include "lab/wire/timing_faults.hh"
#include "tests/catch.hh"
#include "tests/lab/wire/fault_bench.hh"

using namespace tcplab;
using namespace tcplab::lab;
using namespace std::chrono_literals;
using netns::Offload;
using tests::FaultBench;
using tests::scope;

namespace {

constexpr std::size_t kHeaders = 54;
constexpr Offload kLarge = {.needs_checksum = true,
                            .kind = 1,
                            .header_size = kHeaders,
                            .segment_size = 1460,
                            .checksum_start = 34,
                            .checksum_offset = 16};

/// A bench whose hosts leave checksums and segmentation to their NICs.
struct OffloadBench : FaultBench {
  OffloadBench() { kang_port.sends_with = kLarge; }
};

/// A segment as the kernel gives it to such a NIC: its checksum covers only the pseudo-header.
struct Unfinished {
  explicit Unfinished(std::size_t payload) : complete(tests::tagged(1, payload)), sent(complete) {
    fix_checksums(complete, layout_of(complete).value());
    // The finished checksum is the complement of the partial one plus all else. So the partial one
    // is what makes the rest come out.
    const std::size_t at = kLarge.checksum_start + kLarge.checksum_offset;
    sent = complete;
    sent[at] = sent[at + 1] = 0;
    const tests::Bytes rest = netns::with_checksum(sent, kLarge);
    const unsigned of_rest = word(rest, at), wanted = word(complete, at);
    const unsigned partial = of_rest >= wanted ? of_rest - wanted : of_rest + 0xffff - wanted;
    sent[at] = static_cast<std::uint8_t>(partial >> 8);
    sent[at + 1] = static_cast<std::uint8_t>(partial);
  }
  static unsigned word(const tests::Bytes& bytes, std::size_t at) {
    return static_cast<unsigned>(bytes[at]) << 8 | bytes[at + 1];
  }
  tests::Bytes complete;
  tests::Bytes sent;
};

}  // namespace

TEST_CASE("a frame of many segments keeps its offload on the way, whatever delays or copies it") {
  OffloadBench bench;
  bench.add<HoldFault>(scope({.nth = 1}, "", "held"));
  bench.add<DelayFault>(scope({.nth = 2}), DelayFault::Span{.by = 1200s});
  bench.add<DuplicateFault>(scope({.nth = 3}), 1, base::nanoseconds{});
  bench.add<ReorderFault>(scope({.nth = 4}), 1);
  for (std::uint8_t tag = 1; tag <= 5; ++tag) bench.send({tests::tagged(tag, 5000)});
  bench.watch.faults().remove(*bench.watch.faults().find("held"));
  bench.clock.advance(1200s);
  CHECK(bench.arrived() == "3 3 5 4 1 2");
  CHECK(bench.kodos_port.received_with == std::vector<Offload>(6, kLarge));
}

TEST_CASE("an event says how many segments its frame stands for") {
  OffloadBench bench;
  bench.send({tests::tagged(1, 5000), tests::tagged(2, 1460)});
  CHECK(bench.packets().at(0).segments == 4);
  CHECK(bench.packets().at(0).length == 5000);
  CHECK_THAT(bench.packets().at(0).summary, Catch::Matchers::EndsWith(" (4 segments)"));
  CHECK(bench.packets().at(1).segments == 0);
}

TEST_CASE("the MTU of a path is compared with one segment of a frame") {
  OffloadBench bench;
  bench.add<MtuFault>(scope({}, "", "path"), 1499);
  bench.send({tests::tagged(1, 5000), tests::tagged(2, 1000)});
  CHECK(bench.arrived() == "2");
  CHECK(bench.fates().at(0) == "1 lost: an IP packet of 1500 bytes: mtu \"path\"");
  bench.watch.faults().remove(*bench.watch.faults().find("path"));
  bench.add<MtuFault>(scope(), 1500);
  bench.send({tests::tagged(3, 5000)});
  CHECK(bench.arrived() == "2 3");
}

TEST_CASE("a corrupted frame has a full checksum, which shows the corruption") {
  OffloadBench bench;
  bench.add<CorruptFault>(scope(), CorruptFault::Change{});
  const Unfinished segment(5000);
  bench.send({segment.sent});
  tests::Bytes wanted = segment.complete;
  wanted[kHeaders] ^= 1;
  CHECK(bench.kodos_port.received.at(0) == wanted);
  Offload checksummed = kLarge;
  checksummed.needs_checksum = false;
  CHECK(bench.kodos_port.received_with.at(0) == checksummed);
}

TEST_CASE("what is left of a truncated frame is one segment, or still several") {
  OffloadBench bench;
  const std::size_t left = GENERATE(0, 20, 1500, 1501);
  bench.add<TruncateFault>(scope(), left, true);
  bench.send({tests::tagged(1, 5000)});
  CHECK(bench.kodos_port.received.at(0).size() == 14 + left);
  const Offload with = bench.kodos_port.received_with.at(0);
  CHECK_FALSE(with.needs_checksum);
  CHECK(with.segment_size == (left == 1501 ? 1460 : 0));
}

TEST_CASE("a forged frame leaves nothing to a NIC") {
  OffloadBench bench;
  bench.watch.forging({.from = "kang"});
  bench.wire.inject(tests::tagged(1));
  CHECK(bench.kodos_port.received_with == std::vector{Offload{}});
}
