// Checks headers of captures and tunnels around a TCP segment: each whole, cut off, and with a
// length or version that the format does not have.
#include "capture/decode/decode.hh"
#include "tests/capture/frames.hh"
#include "tests/catch.hh"

namespace tcplab::capture::tests {

using tcplab::tests::bytes_of;
using tcplab::tests::ethernet;
using tcplab::tests::FrameBytes;
using tcplab::tests::ipv4;
using tcplab::tests::ipv6;
using tcplab::tests::operator+;
using tcplab::tests::tcp;

namespace {

FrameBytes segment_in_ip() { return ipv4(6, tcp({})); }

/// IEEE 802.11 data to an access point, with LLC and SNAP.
FrameBytes in_wifi() {
  return bytes_of("0801 0000 020000000001 020000000002 020000000003 0000 aaaa03 000000 0800") +
         segment_in_ip();
}

/// Returns this number of octets; the first are given, and the rest are 0.
FrameBytes header_of(std::size_t size, FrameBytes first) {
  first.resize(size);
  return first;
}

bool has_segment(const FrameBytes& bytes, LinkType link) {
  const DecodedFrame frame = decode(bytes, link);
  return frame.tcp && frame.tcp->source_port == 40000 && frame.malformed.empty();
}

/// Returns what is wrong with a frame in which no segment is found; else "a segment".
std::string fault_of(const FrameBytes& bytes, LinkType link) {
  const DecodedFrame frame = decode(bytes, link);
  return frame.tcp ? "a segment" : std::string(frame.malformed);
}

FrameBytes in_gre(const char* gre, const FrameBytes& payload) {
  return ethernet(0x0800, ipv4(47, bytes_of(gre) + payload));
}

FrameBytes mirrored() { return ethernet(0x0800, segment_in_ip()); }

}  // namespace

TEST_CASE("a Prism header is skipped, in both byte orders") {
  const FrameBytes wifi = in_wifi();
  CHECK(has_segment(header_of(144, bytes_of("44000000 90000000")) + wifi, LinkType::prism));
  CHECK(has_segment(header_of(144, bytes_of("00000044 00000090")) + wifi, LinkType::prism));
  CHECK(fault_of(bytes_of("44000000 900000"), LinkType::prism) ==
        "truncated 802.11 capture header");
  CHECK(fault_of(header_of(100, bytes_of("44000000 90000000")), LinkType::prism) ==
        "truncated 802.11 capture header");
  CHECK(fault_of(header_of(144, bytes_of("44000000 04000000")) + wifi, LinkType::prism) ==
        "truncated 802.11 capture header");
}

TEST_CASE("an AVS header is skipped, also under the link type of Prism") {
  const FrameBytes header = header_of(64, bytes_of("80211001 00000040"));
  for (const LinkType link : {LinkType::avs, LinkType::prism}) {
    CHECK(has_segment(header + in_wifi(), link));
    CHECK(fault_of(header_of(63, header), link) == "truncated 802.11 capture header");
    CHECK(fault_of(header, link) == "truncated 802.11 header");
  }
}

TEST_CASE("a PPI header names the link type of what follows") {
  const FrameBytes of_wifi = header_of(32, bytes_of("00 00 2000 69000000"));
  CHECK(has_segment(of_wifi + in_wifi(), LinkType::ppi));
  CHECK(has_segment(bytes_of("00 00 0800 0c000000") + segment_in_ip(), LinkType::ppi));
  CHECK(fault_of(bytes_of("00 00 0800 0c00"), LinkType::ppi) == "truncated capture header");
  CHECK(fault_of(header_of(31, of_wifi), LinkType::ppi) == "truncated capture header");
  CHECK(fault_of(bytes_of("00 00 0700 0c000000") + segment_in_ip(), LinkType::ppi) ==
        "truncated capture header");
  CHECK(fault_of(bytes_of("01 00 0800 0c000000") + segment_in_ip(), LinkType::ppi) ==
        "PPI header of another version");
}

TEST_CASE("a PFLOG header has padding that its length does not count") {
  const LinkType pflog = LinkType::openbsd_pflog;
  CHECK(has_segment(header_of(64, bytes_of("3d 02")) + segment_in_ip(), pflog));
  CHECK(has_segment(header_of(64, bytes_of("3d 18")) + ipv6(6, tcp({})), pflog));
  CHECK(fault_of({}, pflog) == "truncated PFLOG header");
  CHECK(fault_of(header_of(63, bytes_of("3d 02")), pflog) == "truncated PFLOG header");
  CHECK(fault_of(header_of(64, bytes_of("01 02")) + segment_in_ip(), pflog) ==
        "truncated PFLOG header");
}

TEST_CASE("ERSPAN of types I, II and III carries a mirrored frame") {
  const LinkType link = LinkType::ethernet;
  const FrameBytes second = bytes_of("1001 0001 00000000");
  const FrameBytes third = bytes_of("2001 0001 00000000 0000 0000");
  CHECK(has_segment(in_gre("0000 88be", mirrored()), link));
  CHECK(has_segment(in_gre("1000 88be 00000001", second + mirrored()), link));
  CHECK(has_segment(in_gre("1000 22eb 00000001", third + mirrored()), link));
  FrameBytes with_more = third;  // its last bit says that 8 octets follow
  with_more.back() = 1;
  CHECK(has_segment(in_gre("1000 22eb 00000001", header_of(20, with_more) + mirrored()), link));
  CHECK(fault_of(in_gre("1000 88be 00000001", header_of(7, second)), link) ==
        "truncated ERSPAN header");
  CHECK(fault_of(in_gre("1000 22eb 00000001", header_of(11, third)), link) ==
        "truncated ERSPAN header");
  CHECK(fault_of(in_gre("1000 88be 00000001", bytes_of("2001 0001 00000000") + mirrored()), link) ==
        "ERSPAN header of another version");
  CHECK(fault_of(in_gre("1000 22eb 00000001", header_of(12, second) + mirrored()), link) ==
        "ERSPAN header of another version");
}

TEST_CASE("an IPv6 fragment has its place, and only the first one has a TCP header") {
  const LinkType link = LinkType::raw;
  const DecodedFrame first = decode(ipv6(44, bytes_of("0600 0001 00000007") + tcp({})), link);
  CHECK(first.ip->more_fragments);
  CHECK(first.ip->identification == 7);
  CHECK(first.ip->fragment_offset == 0);
  CHECK(first.tcp.has_value());
  const DecodedFrame last = decode(ipv6(44, bytes_of("0600 0010 00000007") + tcp({})), link);
  CHECK_FALSE(last.ip->more_fragments);
  CHECK(last.ip->fragment_offset == 16);
  CHECK_FALSE(last.tcp.has_value());
  CHECK(last.malformed.empty());
  const FrameBytes atomic = ipv6(44, bytes_of("0600 0000 00000007") + tcp({}));  // RFC 6946
  CHECK(has_segment(atomic, link));
  CHECK_FALSE(decode(atomic, link).ip->is_fragment());
  CHECK(fault_of(ipv6(44, bytes_of("0600 0001 000000")), link) ==
        "truncated IPv6 extension header");
}

}  // namespace tcplab::capture::tests
