// Checks the sequence numbers of a scripted end.
#include "lab/peer/peer_numbers.hh"

#include "tests/catch.hh"

using namespace tcplab;
using namespace tcplab::lab;
using capture::TcpFlags;

namespace {

capture::TcpSegment from_host(std::uint32_t sequence, std::size_t length, std::uint16_t flags) {
  capture::TcpSegment segment;
  segment.sequence = sequence;
  segment.length = length;
  segment.flags = flags;
  return segment;
}

constexpr std::uint16_t kSynAck = TcpFlags::kSyn | TcpFlags::kAck;

PeerNumbers after_handshake(std::uint32_t iss, std::uint32_t irs) {
  PeerNumbers numbers(iss);
  numbers.sent(0, TcpFlags::kSyn);
  numbers.arrived(from_host(irs, 0, kSynAck));
  numbers.expected(from_host(irs, 0, kSynAck));
  return numbers;
}

}  // namespace

TEST_CASE("SYN, data and FIN move the next number, an ACK and a RST do not") {
  PeerNumbers numbers(1000);
  CHECK(numbers.snd_nxt() == 1000);
  numbers.sent(0, TcpFlags::kSyn);
  CHECK(numbers.snd_nxt() == 1001);
  numbers.sent(0, TcpFlags::kAck);
  numbers.sent(0, TcpFlags::kRst | TcpFlags::kAck);
  CHECK(numbers.snd_nxt() == 1001);
  numbers.sent(10, TcpFlags::kAck);
  numbers.sent(5, TcpFlags::kFin | TcpFlags::kAck);
  CHECK(numbers.snd_nxt() == 1017);
  CHECK(numbers.iss() == 1000);
}

TEST_CASE("nothing is acknowledged before the host's SYN") {
  PeerNumbers numbers(1000);
  CHECK_FALSE(numbers.irs());
  CHECK(numbers.rcv_nxt(false) == 0);
  CHECK(numbers.rcv_nxt(true) == 0);
  numbers.arrived(from_host(70, 5, TcpFlags::kAck));
  numbers.arrived(from_host(80, 0, TcpFlags::kRst | TcpFlags::kSyn));
  CHECK_FALSE(numbers.irs());
}

TEST_CASE("what has arrived is acknowledged once the script has expected it") {
  PeerNumbers numbers = after_handshake(1000, 5000);
  CHECK(numbers.irs() == 5000U);
  CHECK(numbers.rcv_nxt(false) == 5001);
  const auto data = from_host(5001, 100, TcpFlags::kAck);
  CHECK(numbers.arrived(data));
  CHECK(numbers.rcv_nxt(false) == 5001);
  CHECK(numbers.rcv_nxt(true) == 5101);
  numbers.expected(data);
  CHECK(numbers.rcv_nxt(false) == 5101);
  CHECK(numbers.arrived(from_host(5101, 0, TcpFlags::kFin | TcpFlags::kAck)));
  CHECK(numbers.rcv_nxt(true) == 5102);
}

TEST_CASE("a segment without octets asks for no acknowledgment") {
  PeerNumbers numbers = after_handshake(1000, 5000);
  CHECK_FALSE(numbers.arrived(from_host(5001, 0, TcpFlags::kAck)));
  CHECK_FALSE(numbers.arrived(from_host(5001, 10, TcpFlags::kRst)));
  CHECK(numbers.rcv_nxt(true) == 5001);
}

TEST_CASE("octets beyond a hole count once it is filled") {
  ReceivedOctets octets(100);
  octets.take(120, 10);
  octets.take(110, 5);
  CHECK(octets.next() == 100);
  octets.take(100, 10);
  CHECK(octets.next() == 115);
  octets.take(100, 10);  // again
  CHECK(octets.next() == 115);
  octets.take(112, 8);  // partly again
  CHECK(octets.next() == 130);
}

TEST_CASE("numbers wrap around") {
  ReceivedOctets octets(0xfffffff0);
  octets.take(5, 5);
  octets.take(0xfffffff0, 0x15);
  CHECK(octets.next() == 10);
  PeerNumbers numbers(0xffffffff);
  numbers.sent(0, TcpFlags::kSyn);
  CHECK(numbers.snd_nxt() == 0);
}

TEST_CASE("a second SYN does not change the host's initial number") {
  PeerNumbers numbers = after_handshake(1000, 5000);
  numbers.arrived(from_host(9000, 0, TcpFlags::kSyn));
  CHECK(numbers.irs() == 5000U);
  CHECK(numbers.rcv_nxt(true) == 5001);
}
