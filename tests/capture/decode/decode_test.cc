#include "capture/decode/decode.hh"

#include <netinet/in.h>

#include <cstring>
#include <memory>
#include <utility>

#include "capture/follow/initial_sequences.hh"
#include "tests/capture/frames.hh"
#include "tests/catch.hh"

using namespace tcplab::capture;
using namespace tcplab::tests;
using tcplab::base::Family;
using tcplab::base::IpAddress;

namespace {

const FrameBytes kHello = bytes_of("68656c6c6f0a");

IpAddress address(const char* text) { return *IpAddress::parse(text); }

/// Decodes from a block of exactly the frame's size, so that AddressSanitizer detects any read
/// beyond it. Then uses everything in the result.
void exercise(const std::uint8_t* data, std::size_t size) {
  const std::unique_ptr<std::uint8_t[]> copy(new std::uint8_t[size]);
  std::memcpy(copy.get(), data, size);
  const Bytes bytes(copy.get(), size);
  const DecodedFrame frame = decode(bytes);
  InitialSequences sequences;
  const Packet packet = describe(frame, sequences.note(frame));
  CHECK_FALSE(packet.protocol.empty());
  CHECK_FALSE(packet.summary.empty());
  if (!frame.tcp) return;
  CHECK(flow_of(bytes) == flow_of(frame));
}

}  // namespace

TEST_CASE("a SYN is decoded with all its options") {
  const auto bytes = sample_frames()[0];
  const DecodedFrame frame = decode(bytes);
  REQUIRE(frame.tcp);
  CHECK(frame.malformed.empty());
  CHECK(frame.ethernet->type == 0x0800);
  CHECK_FALSE(frame.ethernet->vlan);
  CHECK(std::equal(std::begin(kKangMac), std::end(kKangMac), frame.ethernet->source.begin()));
  CHECK(frame.ip->source == address("10.0.0.1"));
  CHECK(frame.ip->destination == address("10.0.0.2"));
  CHECK(frame.ip->hop_limit == 64);
  CHECK(frame.tcp->source_port == 40000);
  CHECK(frame.tcp->destination_port == 8080);
  CHECK(frame.tcp->sequence == 1001);
  CHECK(frame.tcp->flags == TcpFlags::kSyn);
  CHECK(frame.tcp->window == 502);
  CHECK(frame.tcp->options.maximum_segment_size == 1460);
  CHECK(frame.tcp->options.window_scale == 7);
  CHECK(frame.tcp->options.sack_permitted);
  CHECK(frame.tcp->options.timestamps->value == 1);
  CHECK(frame.tcp->payload.empty());
}

TEST_CASE("SACK blocks are decoded") {
  const auto bytes = sample_frames()[3];
  const DecodedFrame frame = decode(bytes);
  REQUIRE(frame.tcp);
  CHECK(frame.malformed.empty());
  REQUIRE(frame.tcp->options.sack_count == 2);
  CHECK(frame.tcp->options.sack_blocks[1].begin == 0x1400);
  CHECK(frame.tcp->options.sack_blocks[1].end == 0x1500);
}

TEST_CASE("padding of a short frame is not payload") {
  auto bytes = tcp_frame(Family::ipv4, {});
  bytes.resize(60);
  CHECK(decode(bytes).tcp->payload.empty());
}

TEST_CASE("an IPv4 total length of zero means the whole frame, as segmentation offload leaves it") {
  auto bytes = tcp_frame(Family::ipv4, {.payload = kHello});
  bytes[16] = bytes[17] = 0;
  CHECK(decode(bytes).tcp->payload.size() == kHello.size());
}

TEST_CASE("an 802.1Q tag is skipped") {
  const auto bytes = sample_frames()[4];
  const DecodedFrame frame = decode(bytes);
  CHECK(frame.ethernet->vlan == 42);
  CHECK(frame.tcp->payload.size() == kHello.size());
  CHECK(flow_of(bytes) == flow_of(frame));
}

TEST_CASE("a provider tag before a customer tag is skipped, too") {
  auto bytes = sample_frames()[4];
  const std::array<std::uint8_t, 4> tag = {0x88, 0xa8, 0x00, 0x07};
  bytes.insert(bytes.begin() + 12, tag.begin(), tag.end());
  const DecodedFrame frame = decode(bytes);
  CHECK(frame.ethernet->vlan == 42);
  CHECK(frame.tcp->payload.size() == kHello.size());
  CHECK(flow_of(frame));
  CHECK(flow_of(bytes) == flow_of(frame));
  bytes.resize(20);
  CHECK(decode(bytes).malformed == "truncated 802.1Q tag");
}

TEST_CASE("only the first fragment has a TCP header") {
  const auto first = sample_frames()[6];
  CHECK(decode(first).ip->more_fragments);
  CHECK(decode(first).tcp);
  CHECK(flow_of(Bytes(first)));

  const auto later = sample_frames()[7];
  CHECK(decode(later).ip->fragment_offset == 0xb9 * 8);
  CHECK_FALSE(decode(later).tcp);
  CHECK_FALSE(flow_of(Bytes(later)));
  CHECK_FALSE(can_change_state(decode(later)));
  CHECK(summarize(decode(later)) == "fragment 7 at 1480, length 26");
}

TEST_CASE("a packet inside a fragment is decoded when it is whole") {
  constexpr std::size_t kProtocol = 14 + 9;
  for (const int tunnel : {int{IPPROTO_IPIP}, int{IPPROTO_IPV6}, int{IPPROTO_GRE}, 137}) {
    auto first = sample_frames()[6];
    first.at(kProtocol) = static_cast<std::uint8_t>(tunnel);
    const DecodedFrame frame = decode(first);
    CHECK(frame.ip->more_fragments);
    CHECK(frame.malformed.empty());
  }
}

TEST_CASE("IPv6 extension headers are skipped") {
  const auto bytes = sample_frames()[8];
  const DecodedFrame frame = decode(bytes);
  REQUIRE(frame.tcp);
  CHECK(frame.malformed.empty());
  CHECK(frame.ip->identification == 7);
  CHECK(frame.ip->more_fragments);
  CHECK(frame.tcp->payload.size() == kHello.size());
  CHECK(flow_of(bytes) == flow_of(frame));
}

TEST_CASE("a truncated frame says which part is missing") {
  const auto whole = tcp_frame(Family::ipv4, {.options = bytes_of("01010101"), .payload = kHello});
  const auto broken = [&](std::size_t size) { return decode(Bytes(whole).first(size)).malformed; };
  CHECK(broken(13) == "truncated Ethernet header");
  CHECK(broken(14 + 19) == "truncated IPv4 header");
  CHECK(broken(14 + 20 + 19) == "truncated TCP header");
  CHECK(broken(14 + 20 + 22) == "truncated TCP options");
  CHECK(broken(whole.size() - 1) == "truncated IPv4 packet");
  CHECK(broken(whole.size()).empty());
}

TEST_CASE("malformed TCP options are reported, and the rest is decoded") {
  const auto options = GENERATE("02", "0200", "0203", "0304 0700", "0810 0000");
  auto padded = bytes_of(options);
  padded.resize(4, 2);
  const auto bytes = tcp_frame(Family::ipv4, {.options = padded, .payload = kHello});
  const DecodedFrame frame = decode(bytes);
  INFO(options);
  CHECK(frame.tcp->sequence == 1001);
  CHECK(frame.tcp->payload.size() == kHello.size());
  CHECK(frame.malformed == "malformed TCP options");
}

TEST_CASE("every prefix of every frame is decoded as far as it goes") {
  for (const FrameBytes& frame : sample_frames())
    for (std::size_t size = 0; size <= frame.size(); ++size) exercise(frame.data(), size);
}

TEST_CASE("any damaged byte is decoded without reading out of bounds") {
  for (FrameBytes frame : sample_frames())
    for (std::uint8_t& byte : frame)
      for (const int damage : {0x01, 0x02, 0x04, 0x08, 0x10, 0x20, 0x40, 0x80, 0xff}) {
        const std::uint8_t was = std::exchange(byte, std::uint8_t(byte ^ damage));
        exercise(frame.data(), frame.size());
        byte = was;
      }
}

TEST_CASE("every prefix with one byte set to 0xff is decoded without reading out of bounds") {
  for (FrameBytes frame : sample_frames()) {
    for (std::size_t at = 14; at < frame.size(); ++at) {
      const std::uint8_t was = std::exchange(frame[at], std::uint8_t{0xff});
      for (std::size_t size = at; size <= frame.size(); size += 3) exercise(frame.data(), size);
      frame[at] = was;
    }
  }
}

TEST_CASE("flow_of rejects frames that are not TCP") {
  CHECK_FALSE(flow_of(Bytes{}));
  CHECK_FALSE(flow_of(Bytes(arp_request())));
  CHECK_FALSE(can_change_state(decode(arp_request())));
  CHECK_FALSE(flow_of(Bytes(sample_frames()[9])));  // UDP
}

TEST_CASE("SYN, FIN and RST can change a state; data and ACK cannot") {
  const auto family = GENERATE(Family::ipv4, Family::ipv6);
  const auto can = [&](std::uint16_t flags) {
    const auto bytes = tcp_frame(family, {.flags = flags, .payload = kHello});
    return can_change_state(decode(bytes));
  };
  CHECK(can(TcpFlags::kSyn));
  CHECK(can(TcpFlags::kFin | TcpFlags::kAck));
  CHECK(can(TcpFlags::kRst));
  CHECK_FALSE(can(TcpFlags::kAck));
  CHECK_FALSE(can(TcpFlags::kPush | TcpFlags::kAck | TcpFlags::kUrgent | 0x1c0));
}

TEST_CASE("the two directions of a connection have different keys and hashes") {
  const FlowKey key = *flow_of(Bytes(sample_frames()[0]));
  CHECK(key.source.to_string() == "10.0.0.1:40000");
  CHECK(key.reversed().source.to_string() == "10.0.0.2:8080");
  CHECK(key.reversed().reversed() == key);
  CHECK(FlowKeyHash{}(key) != FlowKeyHash{}(key.reversed()));
}
