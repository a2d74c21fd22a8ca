#include "capture/event/describe.hh"

#include "tests/capture/frames.hh"
#include "tests/catch.hh"

using namespace tcplab::capture;
using namespace tcplab::tests;
using tcplab::base::Family;

namespace {

std::string summary_of(const FrameBytes& bytes, const SequenceBases& bases = {}) {
  return summarize(decode(bytes), bases);
}

}  // namespace

TEST_CASE("TCP flags are written as tcpdump writes them") {
  CHECK(tcp_flags(0) == "none");
  CHECK(tcp_flags(TcpFlags::kSyn | TcpFlags::kAck) == "S.");
  CHECK(tcp_flags(TcpFlags::kFin | TcpFlags::kPush | TcpFlags::kAck) == "FP.");
  CHECK(tcp_flags(TcpFlags::kSyn | TcpFlags::kEcnEcho | TcpFlags::kWindowReduced) == "SEW");
}

TEST_CASE("segments are summarized as tcpdump does") {
  const auto frames = sample_frames();
  CHECK(summary_of(frames[0], {1001, {}}) ==
        "Flags [S], seq 0, win 502, options [mss 1460,sackOK,wscale 7], length 0");
  CHECK(summary_of(frames[1], {1001, 5000}) ==
        "Flags [S.], seq 0, ack 1, win 502, options [mss 1460,sackOK,wscale 7], length 0");
  CHECK(summary_of(frames[2], {1000, 5000}) == "Flags [P.], seq 1:7, ack 1, win 502, length 6");
  CHECK(summary_of(frames[2]) == "Flags [P.], seq 1001:1007, ack 5001, win 502, length 6");
  CHECK(summary_of(frames[3], {1000, 5000}) ==
        "Flags [.], ack 1, win 502, options [sack 1:2,sack 120:376], length 0");
}

TEST_CASE("lengths come from the headers when a snap length cuts the frame") {
  const auto family = GENERATE(Family::ipv4, Family::ipv6);
  const FrameBytes data(1000, 'x');
  const auto cut = [](FrameBytes bytes, std::size_t left) {
    bytes.resize(left);
    return bytes;
  };
  const auto stream = tcp_frame(family, {.payload = data});
  for (const std::size_t left : {stream.size() - 1000, stream.size() - 990}) {
    const Packet packet = describe(decode(cut(stream, left)), {1000, 5000});
    CHECK(packet.length == 1000);
    CHECK(packet.summary.starts_with("Flags [.], seq 1:1001, ack 1, win 502, length 1000, "));
  }
  const auto datagram = family == Family::ipv4 ? ethernet(0x0800, ipv4(17, udp(data)))
                                               : ethernet(0x86dd, ipv6(17, udp(data)));
  const Packet packet = describe(decode(cut(datagram, datagram.size() - 990)));
  CHECK(packet.length == 1000);
  CHECK(packet.summary.starts_with("40000 > 7000, length 1000, "));
}

TEST_CASE("frames other than TCP are summarized as tcpdump does") {
  const auto frames = sample_frames();
  CHECK(summary_of(frames[9]) == "40000 > 7000, length 6");
  CHECK(summary_of(frames[11]) == "Request who-has 10.0.0.2 tell 10.0.0.1");
  CHECK(summary_of(frames[12]) == "echo request, id 1, seq 2");
  CHECK(summary_of(frames[13]) == "10.0.0.2 tcp port 8080 unreachable");
  CHECK(summary_of(frames[14]) == "10.0.0.2 unreachable - need to frag (mtu 1400)");
  CHECK(summary_of(frames[15]) == "packet too big for fd00::2, mtu 1280");
  CHECK(summary_of(frames[16]) == "neighbor solicitation, who has fd00::2");
  CHECK(summary_of(frames[17]) == "neighbor advertisement, tgt is fd00::2");
  CHECK(summary_of(ethernet(0x88cc, bytes_of("0207"))) == "ethertype 0x88cc, length 16");
  CHECK(summary_of(bytes_of("0102")) == "truncated Ethernet header");
}

TEST_CASE("a Packet is filled from its frame") {
  const auto bytes = sample_frames()[2];
  const Packet packet = describe(decode(bytes), {1000, 5000});
  CHECK(packet.protocol == "TCP");
  CHECK(packet.source.to_string() == "10.0.0.1:40000");
  CHECK(packet.destination.to_string() == "10.0.0.2:8080");
  CHECK(packet.flags == "P.");
  CHECK(packet.sequence == 1001);
  CHECK(packet.acknowledgment == 5001);
  CHECK(packet.window == 502);
  CHECK(packet.length == 6);
}

TEST_CASE("each protocol has its name and its length") {
  const auto described = [](const FrameBytes& bytes) {
    const Packet packet = describe(decode(bytes));
    return packet.protocol + " " + std::to_string(packet.length);
  };
  const auto frames = sample_frames();
  CHECK(described(frames[9]) == "UDP 6");
  CHECK(described(frames[11]) == "ARP 42");
  CHECK(described(frames[12]) == "ICMP 48");
  CHECK(described(frames[16]) == "ICMPv6 86");
  CHECK(described(ethernet(0x88cc, {})) == "Ethernet 14");
}
