#include "lab/wire/byte_faults.hh"

#include <string_view>

#include "lab/wire/packet_layout.hh"
#include "lab/wire/timing_faults.hh"
#include "reports/text/effect_text.hh"
#include "tests/catch.hh"
#include "tests/lab/wire/fault_bench.hh"

using namespace tcplab;
using namespace tcplab::lab;
using reports::fault_text;
using tests::FaultBench;
using tests::scope;

namespace {

tests::Bytes bytes_of(std::string_view hexadecimal) {
  tests::Bytes bytes;
  for (std::size_t i = 0; i + 1 < hexadecimal.size(); i += 2)
    bytes.push_back(
        static_cast<std::uint8_t>(std::stoi(std::string(hexadecimal.substr(i, 2)), nullptr, 16)));
  return bytes;
}

tests::Bytes ethernet(std::string_view type, std::string_view packet) {
  return bytes_of("020000000002020000000001" + std::string(type) + std::string(packet));
}

// Segments with correct checksums, over IPv4 with timestamps and over IPv6 without. Another program
// made them.
const tests::Bytes kHello4 =
    ethernet("0800",
             "4500003a1c2d400040060a8f0a0000010a0000029c401f9000000065000003e9801801f65cb9"
             "00000101080a000000010000000268656c6c6f0a");
const tests::Bytes kCapital4 =
    ethernet("0800",
             "4500003a1c2d400040060a8f0a0000010a0000029c401f9000000065000003e9801801f67cb9"
             "00000101080a000000010000000248656c6c6f0a");
const tests::Bytes kCut4 =
    ethernet("0800",
             "450000381c2d400040060a910a0000010a0000029c401f9000000065000003e9801801f6cbc5"
             "00000101080a000000010000000268656c6c");
const std::string kHead6 = "0640fd000000000000000000000000000001fd000000000000000000000000000002";
const tests::Bytes kHello6 = ethernet(
    "86dd", "60000000001a" + kHead6 + "9c401f9000000065000003e9501801f6afd1000068656c6c6f0a");
const tests::Bytes kCapital6 = ethernet(
    "86dd", "60000000001a" + kHead6 + "9c401f9000000065000003e9501801f6cfd1000048656c6c6f0a");
const tests::Bytes kCut6 =
    ethernet("86dd", "600000000017" + kHead6 + "9c401f9000000065000003e9501801f61f4b000068656c");

/// Sends a frame through one fault, and returns what arrives.
template <typename Kind, typename... Arguments>
tests::Bytes through(const tests::Bytes& frame, Arguments... arguments) {
  FaultBench bench;
  bench.add<Kind>(scope(), arguments...);
  bench.send({frame});
  REQUIRE(bench.kodos_port.received.size() == 1);
  return bench.kodos_port.received.front();
}

tests::Bytes corrupted(const tests::Bytes& frame, const CorruptFault::Change& change) {
  return through<CorruptFault>(frame, change);
}

/// Returns the offsets at which two frames differ, with both bytes, as "70: 104 105".
std::string difference(const tests::Bytes& one, const tests::Bytes& other) {
  REQUIRE(one.size() == other.size());
  std::string text;
  for (std::size_t i = 0; i < one.size(); ++i) {
    if (one[i] == other[i]) continue;
    text += (text.empty() ? "" : ", ") + std::to_string(i) + ": " + std::to_string(one[i]) + " " +
            std::to_string(other[i]);
  }
  return text;
}

}  // namespace

TEST_CASE("corruption flips one bit of the data by default, and keeps the checksums") {
  CHECK(difference(kHello4, corrupted(kHello4, {})) == "66: 104 105");
  CHECK(difference(kHello6, corrupted(kHello6, {})) == "74: 104 105");
  CHECK(difference(kHello4, corrupted(kHello4, {.flip = 0xff})) == "66: 104 151");
  CHECK(difference(kHello4, corrupted(kHello4, {.value = 0})) == "66: 104 0");
}

TEST_CASE("corruption can be at any offset from the TCP header's start") {
  CHECK(difference(kHello4, corrupted(kHello4, {.offset = 13, .value = 4})) == "47: 24 4");
  CHECK(difference(kHello6, corrupted(kHello6, {.offset = 0})) == "54: 156 157");
}

TEST_CASE("a missing byte, or a byte with the same value, is not corrupted") {
  FaultBench bench;
  bench.add<CorruptFault>(scope(), CorruptFault::Change{.offset = 1000});
  bench.add<CorruptFault>(scope(), CorruptFault::Change{.value = 'h'});
  bench.send({kHello4});
  CHECK(bench.fates() == std::vector<std::string>{"1 delivered"});
}

TEST_CASE("a segment without data is corrupted at its end") {
  const auto ack = tests::segment(tests::kAck);
  CHECK(difference(ack, corrupted(ack, {})) == "53: 0 1");
}

TEST_CASE("fixed checksums are correct") {
  CHECK(corrupted(kHello4, {.flip = 0x20, .fixes_checksum = true}) == kCapital4);
  CHECK(corrupted(kHello6, {.flip = 0x20, .fixes_checksum = true}) == kCapital6);
}

TEST_CASE("a truncated packet ends early, and its lengths can be fixed") {
  const auto cut = through<TruncateFault>(kHello4, std::size_t{56}, false);
  CHECK(cut == tests::Bytes(kHello4.begin(), kHello4.end() - 2));
  CHECK(through<TruncateFault>(kHello4, std::size_t{56}, true) == kCut4);
  CHECK(through<TruncateFault>(kHello6, std::size_t{63}, true) == kCut6);
  CHECK(through<TruncateFault>(kHello6, std::size_t{66}, false) == kHello6);
  CHECK(through<TruncateFault>(kHello4, std::size_t{30}, true).size() == 44);
  CHECK(through<TruncateFault>(kHello4, std::size_t{0}, false).size() == 14);
}

TEST_CASE("the timeline has the frame as sent, and describes how it was changed") {
  FaultBench bench;
  bench.add<CorruptFault>(scope({}, "", "noise"), CorruptFault::Change{});
  bench.add<TruncateFault>(scope({}, "", "knife"), std::size_t{54}, false);
  bench.send({kHello4});
  CHECK(bench.fates().front() ==
        "1 delivered: byte 32 changed from 0x68 to 0x69 by corrupt \"noise\"; "
        "cut from 58 to 54 bytes by truncate \"knife\"");
  CHECK(bench.packets().front().length == 6);
  CHECK(bench.watch.frame(1)->bytes.size() == kHello4.size());
}

TEST_CASE("a copy contains the changes of earlier faults") {
  FaultBench bench;
  bench.add<CorruptFault>(scope(), CorruptFault::Change{.flip = 0x20, .fixes_checksum = true});
  bench.add<DuplicateFault>(scope(), 1, base::nanoseconds{});
  bench.send({kHello4});
  CHECK(bench.kodos_port.received == std::vector<tests::Bytes>{kCapital4, kCapital4});
}

TEST_CASE("byte faults describe themselves") {
  CHECK(fault_text(CorruptFault(scope(), {}).rule()) == "corrupt kang > kodos");
  CHECK(fault_text(
            CorruptFault(scope(), {.offset = 13, .value = 4, .fixes_checksum = true}).rule()) ==
        "corrupt (byte 13, to 0x04, checksum fixed) kang > kodos");
  CHECK(fault_text(CorruptFault(scope(), {.flip = 0x20}).rule()) ==
        "corrupt (bits 0x20) kang > kodos");
  CHECK(fault_text(TruncateFault(scope(), 40, true).rule()) ==
        "truncate (40 bytes, checksum fixed) kang > kodos");
}

TEST_CASE("a layout has the offsets of the parts of a packet") {
  const auto layout = layout_of(kHello4).value();
  CHECK(layout.transport == 34);
  CHECK(layout.payload == 66);
  CHECK(layout.end == 72);
  CHECK(layout.length() == 58);
  tests::Bytes padded = kHello6;
  padded.resize(padded.size() + 10);
  CHECK(layout_of(padded).value().length() == 66);
  CHECK_FALSE(layout_of(tests::Bytes(14)).has_value());
}
