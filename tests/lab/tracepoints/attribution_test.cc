// Checks to which host a kernel record belongs when two runs use the same addresses and ports.
#include "lab/tracepoints/attribution.hh"

#include <cerrno>
#include <chrono>

#include "tests/catch.hh"

using namespace tcplab;
using namespace std::chrono_literals;
using capture::KernelAction;
using capture::KernelRecord;
using capture::TcpState;
using capture::TraceKind;
using lab::Attribution;
using lab::Delivery;

namespace {

constexpr int kOurThread = 1;
constexpr int kOurProgram = 20;  // kang's
constexpr int kForeign = 0;      // in another pid namespace
constexpr std::uint64_t kOurSocket = 0x1000;
constexpr std::uint64_t kTheirSocket = 0x2000;

const base::Endpoint kKang = *base::Endpoint::parse("10.0.0.1:40000");
const base::Endpoint kKodos = *base::Endpoint::parse("10.0.0.2:8080");

base::Instant at(base::nanoseconds time) { return base::Instant(time); }

Attribution attribution() {
  return {
      kOurThread,
      {.of_program = [](int thread) { return thread == kOurProgram ? "kang" : ""; },
       .of_address =
           [](const base::IpAddress& address) {
             return address == kKang.address ? "kang" : address == kKodos.address ? "kodos" : "";
           }}};
}

KernelRecord record(TraceKind kind, base::nanoseconds time, int thread, std::uint64_t socket = 0) {
  return {.kind = kind,
          .at = at(time),
          .thread = thread,
          .cpu = 0,
          .socket = socket,
          .local = kKang,
          .remote = kKodos};
}

KernelRecord change(base::nanoseconds time, int thread, std::uint64_t socket, TcpState from,
                    TcpState to) {
  KernelRecord change = record(TraceKind::socket_state, time, thread, socket);
  change.old_state = from;
  change.state = to;
  return change;
}

KernelRecord connects(base::nanoseconds time, int thread, std::uint64_t socket) {
  return change(time, thread, socket, TcpState::close, TcpState::syn_sent);
}

KernelRecord ends(base::nanoseconds time, std::uint64_t socket) {
  return change(time, kForeign, socket, TcpState::established, TcpState::close);
}

KernelRecord error(base::nanoseconds time, int thread) {
  KernelRecord error = record(TraceKind::error, time, thread);
  error.error = ETIMEDOUT;
  return error;
}

/// Returns a delivery of frame 7 to kang, from 10 to 20 ms.
Delivery delivery() {
  return {.host = "kang",
          .frame = 7,
          .begin = at(10ms),
          .end = at(20ms),
          .local = kKang,
          .remote = kKodos,
          .length = 40};
}

KernelRecord of_packet(TraceKind kind, base::nanoseconds time, std::uint64_t packet) {
  KernelRecord of = record(kind, time, kOurThread);
  of.packet = packet;
  of.length = 40;
  if (kind == TraceKind::drop) of.reason = "TCP_RFC7323_PAWS";
  return of;
}

}  // namespace

TEST_CASE("what this thread's kernel does during a delivery belongs to the receiver") {
  const Delivery to_kang = delivery();
  KernelRecord reset = record(TraceKind::reset, 15ms, kOurThread);
  reset.reason = "NO_SOCKET";
  const auto found = attribution().sort_out(std::array{reset}, &to_kang);
  REQUIRE(found.size() == 1);
  CHECK(found[0].at == at(15ms));
  CHECK(found[0].event.host == "kang");
  CHECK(found[0].event.frame == 7);
  CHECK(found[0].event.what == KernelAction::reset);
  CHECK(found[0].event.reason == "NO_SOCKET");
}

TEST_CASE("a record before or after the delivery, of another thread or port, is ignored") {
  const Delivery to_kang = delivery();
  KernelRecord other = record(TraceKind::reset, 15ms, kOurThread);
  other.remote.port = 8081;
  const std::array foreign{record(TraceKind::reset, 9ms, kOurThread),
                           record(TraceKind::reset, 15ms, kForeign),
                           record(TraceKind::reset, 15ms, kOurProgram), other,
                           record(TraceKind::reset, 21ms, kOurThread)};
  CHECK(attribution().sort_out(foreign, &to_kang).empty());
}

TEST_CASE("a packet's addresses are swapped, so that the receiver is local") {
  const Delivery to_kang = delivery();
  KernelRecord checksum = record(TraceKind::bad_checksum, 15ms, kOurThread);
  std::swap(checksum.local, checksum.remote);
  const auto found = attribution().sort_out(std::array{checksum}, &to_kang);
  REQUIRE(found.size() == 1);
  CHECK(found[0].event.local == kKang);
  CHECK(found[0].event.remote == kKodos);
}

TEST_CASE("a drop belongs to a frame if it drops the buffer that was received") {
  const Delivery to_kang = delivery();
  const KernelRecord received = of_packet(TraceKind::frame_received, 11ms, 0xa);
  KernelRecord of_another_length = of_packet(TraceKind::frame_received, 11ms, 0xb);
  of_another_length.length = 1400;
  const KernelRecord ours = of_packet(TraceKind::drop, 12ms, 0xa);
  const KernelRecord theirs = of_packet(TraceKind::drop, 12ms, 0xb);
  const auto found =
      attribution().sort_out(std::array{of_another_length, received, theirs, ours}, &to_kang);
  REQUIRE(found.size() == 1);
  CHECK(found[0].event.reason == "TCP_RFC7323_PAWS");
  CHECK(found[0].event.frame == 7);
  CHECK(attribution().sort_out(std::array{ours}, &to_kang).empty());
  CHECK(attribution().sort_out(std::array{received, ours}).empty());
}

TEST_CASE("a drop without a reason is ignored") {
  const Delivery to_kang = delivery();
  for (const char* reason : {"", "NOT_SPECIFIED", "CONSUMED"}) {
    KernelRecord drop = of_packet(TraceKind::drop, 12ms, 0xa);
    drop.reason = reason;
    const std::array records{of_packet(TraceKind::frame_received, 11ms, 0xa), drop};
    CHECK(attribution().sort_out(records, &to_kang).empty());
  }
}

TEST_CASE("two runs with the same addresses and ports keep separate timers") {
  Attribution ours = attribution();
  const std::array records{connects(1ms, kOurProgram, kOurSocket),
                           connects(2ms, kForeign, kTheirSocket),
                           record(TraceKind::retransmit, 3ms, kOurProgram, kTheirSocket),
                           record(TraceKind::retransmit, 4ms, kForeign, kOurSocket)};
  const auto found = ours.sort_out(records);
  REQUIRE(found.size() == 1);
  CHECK(found[0].at == at(4ms));
  CHECK(found[0].event.host == "kang");
  CHECK(found[0].event.frame == 0);
}

TEST_CASE("an error belongs to the socket that ends just before or after it") {
  const bool is_ours = GENERATE(true, false);
  const bool is_before = GENERATE(true, false);
  CAPTURE(is_ours, is_before);
  Attribution ours = attribution();
  CHECK(ours.sort_out(std::array{connects(1ms, kOurProgram, kOurSocket),
                                 connects(1ms, kForeign, kTheirSocket)})
            .empty());
  const KernelRecord end = ends(5ms, is_ours ? kOurSocket : kTheirSocket);
  const base::nanoseconds time = is_before ? 5ms - 3us : 5ms + 3us;
  std::vector<KernelRecord> records{end};
  records.insert(is_before ? records.begin() : records.end(), error(time, kOurProgram));
  const auto found = ours.sort_out(records);
  REQUIRE(found.size() == (is_ours ? 1 : 0));
  if (!is_ours) return;
  CHECK(found[0].event.what == KernelAction::error);
  CHECK(found[0].event.error == ETIMEDOUT);
  CHECK(found[0].at == at(time));
}

TEST_CASE("two sockets that end one after the other keep their own errors") {
  const bool is_before = GENERATE(true, false);
  CAPTURE(is_before);
  Attribution ours = attribution();
  CHECK(ours.sort_out(std::array{connects(1ms, kOurProgram, kOurSocket),
                                 connects(1ms, kForeign, kTheirSocket)})
            .empty());
  const std::array first{ends(5ms, kTheirSocket), error(5ms + 3us, kForeign)};
  const std::array later{ends(5ms + 9us, kOurSocket), error(5ms + 12us, kForeign)};
  std::vector<KernelRecord> records{first[is_before], first[!is_before], later[is_before],
                                    later[!is_before]};
  const auto found = ours.sort_out(records);
  REQUIRE(found.size() == 1);
  CHECK(found[0].at == later[1].at);
}

TEST_CASE("an error without the end of a socket near it is ignored") {
  Attribution ours = attribution();
  const std::array records{connects(1ms, kOurProgram, kOurSocket), error(5ms, kForeign),
                           ends(500ms, kOurSocket)};
  CHECK(ours.sort_out(records).empty());
}

TEST_CASE("a reset just after the end of a socket belongs to that socket") {
  Attribution ours = attribution();
  const std::array records{connects(1ms, kOurProgram, kOurSocket), ends(2ms, kOurSocket),
                           record(TraceKind::reset, 2ms + 1us, kOurProgram, kOurSocket)};
  CHECK(ours.sort_out(records).size() == 1);
}

TEST_CASE("a socket address that another socket reuses no longer belongs to the first owner") {
  Attribution ours = attribution();
  const bool is_connect = GENERATE(true, false);
  const KernelRecord birth =
      is_connect ? connects(3ms, kForeign, kOurSocket)
                 : change(3ms, kForeign, kOurSocket, TcpState::listen, TcpState::syn_recv);
  const std::array records{connects(1ms, kOurProgram, kOurSocket), ends(2ms, kOurSocket), birth,
                           record(TraceKind::retransmit, 4ms, kForeign, kOurSocket)};
  CHECK(ours.sort_out(records).empty());
}

TEST_CASE("a connection that a delivered frame establishes belongs to the receiver") {
  const Delivery to_kang = delivery();
  Attribution ours = attribution();
  const KernelRecord accepted =
      change(15ms, kOurThread, kOurSocket, TcpState::syn_recv, TcpState::established);
  const KernelRecord foreign =
      change(15ms, kForeign, kTheirSocket, TcpState::syn_recv, TcpState::established);
  CHECK(ours.sort_out(std::array{accepted, foreign}, &to_kang).empty());
  const std::array timers{record(TraceKind::retransmit, 30ms, kForeign, kOurSocket),
                          record(TraceKind::retransmit, 31ms, kForeign, kTheirSocket)};
  const auto found = ours.sort_out(timers);
  REQUIRE(found.size() == 1);
  CHECK(found[0].at == at(30ms));
}

TEST_CASE("a program's listener belongs to the program's host, even with a wildcard address") {
  Attribution ours = attribution();
  KernelRecord listens = change(1ms, kOurProgram, kOurSocket, TcpState::close, TcpState::listen);
  listens.local = *base::Endpoint::parse("0.0.0.0:8080");
  listens.remote = {};
  const auto found = ours.sort_out(
      std::array{listens, record(TraceKind::retransmit_synack, 5ms, kForeign, kOurSocket)});
  REQUIRE(found.size() == 1);
  CHECK(found[0].event.host == "kang");
}

TEST_CASE("records of a host without power are ignored") {
  Attribution ours = attribution();
  CHECK(ours.sort_out(std::array{connects(1ms, kOurProgram, kOurSocket)}).empty());
  ours.forget("kang");
  CHECK(ours.sort_out(std::array{record(TraceKind::reset, 2ms, kOurProgram, kOurSocket)}).empty());
}

TEST_CASE("all records of a kernel host are its own") {
  Attribution kang(kOurThread, "kang");
  const auto found =
      kang.sort_out(std::array{record(TraceKind::retransmit, 1ms, kForeign, kOurSocket),
                               record(TraceKind::reset, 2ms, kForeign), error(3ms, kForeign)});
  REQUIRE(found.size() == 3);
  for (const lab::Attributed& each : found) CHECK(each.event.host == "kang");
  CHECK(found[2].event.error == ETIMEDOUT);
}

TEST_CASE("a delivery to a kernel host causes what its thread does meanwhile") {
  const Delivery to_kang = delivery();
  Attribution kang(kOurThread, "kang");
  const auto found = kang.sort_out(std::array{record(TraceKind::reset, 5ms, kOurThread),
                                              record(TraceKind::reset, 15ms, kOurThread),
                                              record(TraceKind::reset, 16ms, kOurProgram)},
                                   &to_kang);
  REQUIRE(found.size() == 3);
  CHECK(found[0].event.frame == 0);
  CHECK(found[1].event.frame == to_kang.frame);
  CHECK(found[2].event.frame == 0);
}

TEST_CASE("an ICMP error is about the connection that it quotes") {
  // From 10.0.0.3 to kang: port unreachable, quoting kang's SYN.
  std::vector<std::uint8_t> frame{
      2,    0,    0,    0,    0, 1, 2, 0, 0,  0, 0, 3, 8,  0,                     // Ethernet
      0x45, 0,    0,    56,   0, 0, 0, 0, 64, 1, 0, 0, 10, 0, 0, 3, 10, 0, 0, 1,  // IPv4
      3,    3,    0,    0,    0, 0, 0, 0,                                         // ICMP
      0x45, 0,    0,    60,   0, 0, 0, 0, 64, 6, 0, 0, 10, 0, 0, 1, 10, 0, 0, 2,  // quoted: IPv4
      0x9c, 0x40, 0x1f, 0x90, 0, 0, 0, 1};  // TCP's first 8 octets
  const Delivery delivery = Delivery::of(frame);
  CHECK(delivery.local == kKang);
  CHECK(delivery.remote == kKodos);
  CHECK(delivery.length == 56);
}
