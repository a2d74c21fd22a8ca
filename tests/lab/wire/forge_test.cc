// Checks forged frames by decoding them.
#include "lab/wire/forge.hh"

#include "tests/catch.hh"
#include "tests/samples.hh"
#include "tests/workshop.hh"

using namespace tcplab;
using namespace tcplab::lab;
using base::Family;
using capture::DecodedFrame;
using capture::TcpFlags;
using Catch::Matchers::Contains;

namespace {

constexpr ForgedLink kLink = {.from = {{2, 0, 0, 0, 0, 2}}, .to = {{2, 0, 0, 0, 0, 1}}};
constexpr std::size_t kEthernet = 14;

base::Endpoint kodos(Family family) {
  return tests::endpoint(family == Family::ipv4 ? "10.0.0.2:8080" : "[fd00::2]:8080");
}
base::Endpoint kang(Family family) {
  return tests::endpoint(family == Family::ipv4 ? "10.0.0.1:40000" : "[fd00::1]:40000");
}

ForgedSegment segment(Family family, std::uint16_t flags) {
  ForgedSegment segment;
  segment.link = kLink;
  segment.from = kodos(family);
  segment.to = kang(family);
  segment.flags = flags;
  return segment;
}

/// Returns whether the checksum is correct: the ones' complement sum of the data and its checksum
/// is all ones (RFC 1071).
bool is_summed(std::uint64_t sum, netns::Bytes bytes) {
  for (std::size_t i = 0; i < bytes.size(); ++i)
    sum += i % 2 == 0 ? static_cast<unsigned>(bytes[i]) << 8 : bytes[i];
  while (sum > 0xffff) sum = (sum & 0xffff) + (sum >> 16);
  return sum == 0xffff;
}

/// Includes the pseudo-header of RFC 9293 section 3.1 and RFC 8200 section 8.1.
bool has_good_checksum(const DecodedFrame& frame) {
  std::uint64_t sum = frame.ip->protocol + frame.ip->payload.size();
  for (const base::IpAddress& address : {frame.ip->source, frame.ip->destination})
    for (std::size_t i = 0; i < address.size(); i += 2)
      sum += static_cast<unsigned>(address.bytes[i]) << 8 | address.bytes[i + 1];
  const bool is_icmp4 = frame.ip->protocol == 1;  // ICMP has no pseudo-header (RFC 792)
  return is_summed(is_icmp4 ? 0 : sum, frame.ip->payload);
}

}  // namespace

TEST_CASE("a forged segment has the given addresses, ports, numbers, flags and data") {
  for (const Family family : {Family::ipv4, Family::ipv6}) {
    ForgedSegment wanted = segment(family, TcpFlags::kPush | TcpFlags::kAck);
    wanted.sequence = 0xfedcba98;
    wanted.acknowledgment = 7;
    wanted.window = 501;
    wanted.data = "hello\n";
    const auto bytes = forge(wanted);
    const DecodedFrame frame = capture::decode(bytes);
    CHECK(frame.malformed.empty());
    CHECK(frame.ethernet->source == kLink.from.bytes);
    CHECK(frame.ethernet->destination == kLink.to.bytes);
    CHECK(frame.ip->source == wanted.from.address);
    CHECK(frame.ip->destination == wanted.to.address);
    CHECK(frame.ip->hop_limit == 64);
    REQUIRE(frame.tcp);
    CHECK(frame.tcp->source_port == 8080);
    CHECK(frame.tcp->destination_port == 40000);
    CHECK(frame.tcp->sequence == 0xfedcba98);
    CHECK(frame.tcp->acknowledgment == 7);
    CHECK(frame.tcp->flags == (TcpFlags::kPush | TcpFlags::kAck));
    CHECK(frame.tcp->window == 501);
    CHECK_FALSE(frame.tcp->options.timestamps);
    CHECK(std::string(frame.tcp->payload.begin(), frame.tcp->payload.end()) == "hello\n");
    CHECK(has_good_checksum(frame));
  }
}

TEST_CASE("a forged segment has timestamps if they are given") {
  ForgedSegment wanted = segment(Family::ipv4, TcpFlags::kAck);
  wanted.options.timestamps = capture::TcpTimestamps{.value = 5, .echo_reply = 6};
  const auto bytes = forge(wanted);
  const DecodedFrame frame = capture::decode(bytes);
  REQUIRE(frame.tcp->options.timestamps);
  CHECK(frame.tcp->options.timestamps->value == 5);
  CHECK(frame.tcp->options.timestamps->echo_reply == 6);
  CHECK(frame.malformed.empty());
  CHECK(has_good_checksum(frame));
}

TEST_CASE("a forged segment has every TCP option that it is given") {
  for (const Family family : {Family::ipv4, Family::ipv6}) {
    ForgedSegment wanted = segment(family, TcpFlags::kSyn);
    wanted.options = {.mss = 1234,
                      .window_scale = 9,
                      .sack_permitted = true,
                      .sack = {{100, 200}, {300, 0xfedcba98}},
                      .fast_open = std::string("\x01\x00\x02\x03", 4)};
    wanted.data = "hello";
    const auto bytes = forge(wanted);
    const DecodedFrame frame = capture::decode(bytes);
    CHECK(frame.malformed.empty());
    CHECK(has_good_checksum(frame));
    REQUIRE(frame.tcp);
    const capture::TcpOptions& options = frame.tcp->options;
    CHECK(options.maximum_segment_size == 1234);
    CHECK(options.window_scale == 9);
    CHECK(options.sack_permitted);
    REQUIRE(options.sack_count == 2);
    CHECK(options.sack_blocks[0] == capture::SackBlock{100, 200});
    CHECK(options.sack_blocks[1] == capture::SackBlock{300, 0xfedcba98});
    CHECK_FALSE(options.timestamps);
    CHECK(std::string(frame.tcp->payload.begin(), frame.tcp->payload.end()) == "hello");
    CHECK(frame.bytes.size() == kEthernet + headers_of(wanted) + wanted.data.size());
  }
}

TEST_CASE("options are bytes of kind, length and value, up to the end of a word") {
  CHECK(encode({}).empty());
  CHECK(encode({.fast_open = ""}) == std::string("\x22\x02\0\0", 4));
  CHECK(encode({.fast_open = "1234"}) == std::string("\x22\x06\x31\x32\x33\x34\0\0", 8));
  CHECK(encode({.mss = 1460}) == "\x02\x04\x05\xb4");
  CHECK(encode({.raw = "\x1e\x99"}) == std::string("\x1e\x99\0\0", 4));
}

TEST_CASE("options that a TCP header has no room for are refused") {
  CHECK(encode({.raw = std::string(40, '\1')}).size() == 40);
  CHECK_THAT(tests::complaint([] { encode({.raw = std::string(41, '\1')}); }),
             Contains("need 41 bytes") && Contains("room for 40"));
  const std::vector<capture::SackBlock> four(4);
  CHECK(encode({.sack = four}).size() == 36);
  CHECK_THAT(
      tests::complaint([&] { encode({.sack = four, .timestamps = capture::TcpTimestamps{}}); }),
      Contains("need 44 bytes"));
}

TEST_CASE("flags are letters, the empty text means no flags, and other letters are refused") {
  CHECK(parse_tcp_flags("SA") == (TcpFlags::kSyn | TcpFlags::kAck));
  CHECK(parse_tcp_flags("F.") == (TcpFlags::kFin | TcpFlags::kAck));
  CHECK(parse_tcp_flags("RPUEW") == (TcpFlags::kRst | TcpFlags::kPush | TcpFlags::kUrgent |
                                     TcpFlags::kEcnEcho | TcpFlags::kWindowReduced));
  CHECK(parse_tcp_flags("") == 0);
  CHECK_THAT(tests::complaint([] { parse_tcp_flags("SX"); }), Contains("\"X\"") && Contains("SX"));
}

TEST_CASE("an ICMP error has its type and code, and quotes its packet") {
  for (const Family family : {Family::ipv4, Family::ipv6}) {
    ForgedSegment about = segment(family, TcpFlags::kSyn);
    about.sequence = 99;
    about.data = std::string(1000, 'x');
    const auto packet = forge(about);
    ForgedIcmp message;
    message.link = kLink;
    message.from = kang(family).address;
    message.to = kodos(family).address;
    message.error = icmp_error(family, "host-unreachable");
    message.about = netns::Bytes(packet).subspan(kEthernet);
    const auto bytes = forge(message);
    const DecodedFrame frame = capture::decode(bytes);
    REQUIRE(frame.icmp);
    CHECK(int{frame.icmp->type} == (family == Family::ipv4 ? 3 : 1));
    CHECK(int{frame.icmp->code} == (family == Family::ipv4 ? 1 : 3));
    REQUIRE(frame.icmp->quoted);
    CHECK(frame.icmp->quoted->source == kodos(family));
    CHECK(frame.icmp->quoted->destination == kang(family));
    CHECK(frame.icmp->quoted->sequence == 99);
    CHECK(frame.ip->source == kang(family).address);
    CHECK(frame.ip->payload.size() == 8 + 128);
    CHECK(has_good_checksum(frame));
  }
}

TEST_CASE("fragmentation needed names the MTU, in both families") {
  for (const Family family : {Family::ipv4, Family::ipv6}) {
    const auto packet = forge(segment(family, TcpFlags::kAck));
    ForgedIcmp message;
    message.from = kang(family).address;
    message.to = kodos(family).address;
    message.error = icmp_error(family, "fragmentation-needed");
    message.mtu = 1400;
    message.about = netns::Bytes(packet).subspan(kEthernet);
    CHECK(message.error.has_mtu);
    const auto bytes = forge(message);
    const DecodedFrame frame = capture::decode(bytes);
    REQUIRE(frame.icmp);
    CHECK(frame.icmp->mtu == 1400);
    CHECK(int{frame.icmp->type} == (family == Family::ipv4 ? 3 : 2));
    CHECK(has_good_checksum(frame));
  }
}

TEST_CASE("an ICMP error that a family does not have is refused, with the errors that it has") {
  CHECK_THAT(tests::complaint([] { icmp_error(Family::ipv4, "host-on-fire"); }),
             Contains("\"host-on-fire\"") && Contains("host-isolated") && !Contains("ICMPv6"));
  CHECK_THAT(tests::complaint([] { icmp_error(Family::ipv6, "host-isolated"); }),
             Contains("ICMPv6") && Contains("beyond-scope") && !Contains("source-quench"));
  CHECK(lowest_mtu(Family::ipv4) == 68);
  CHECK(lowest_mtu(Family::ipv6) == 1280);
}
