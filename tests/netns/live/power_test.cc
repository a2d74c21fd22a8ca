// Checks power cuts: no frame of a host without power may reach the wire.
#include <csignal>
#include <cstdlib>
#include <fmt/format.h>

#include "tests/catch.hh"
#include "tests/netns/live/lab.hh"
#include "tests/skip.hh"

using namespace tcplab;
using namespace tcplab::tests;
using netns::PortKind;

namespace {

/// A connection from kang to kodos that is established, and on which both sides have sent data.
struct Established {
  Established(Pair& pair, int port, const std::string& address)
      : server(pair.kodos(), helper("serve", {std::to_string(port)})) {
    pair.run_until([&] { return contains(server.output(), "listening"); }, "kodos listens");
    client.emplace(pair.kang(), helper("talk", {address, std::to_string(port)}));
    pair.run_until([&] { return contains(client->output(), "connected"); }, "kang connects");
    pair.run_until([&] { return contains(server.output(), "accepted"); }, "kodos accepts");
  }

  Running server;
  std::optional<Running> client;
};

void cut_power(Pair& pair, Established& connection) {
  pair.wire.detach(pair.kodos_port);
  pair.kodos().power_off();
  connection.server.status();  // the server has ended, and its kernel has closed its socket
}

void restore_power(Pair& pair, PortKind kind) {
  const netns::HostConfig config = pair.kodos().config();
  pair.hosts[1] = std::move(netns::Host::power_on(std::span(&config, 1), kind).front());
  pair.kodos_port = pair.wire.attach(pair.kodos().port("eth0"), config.nics[0].mac);
}

/// Returns the frames of kodos, from number `first` on, that a host without programs does not send.
std::string stray_frames(const Pair& pair, std::size_t first) {
  std::string found;
  for (std::size_t i = first; i < pair.record.frames.size(); ++i) {
    const SeenFrame& seen = pair.record.frames[i];
    if (seen.from == pair.kang_port) continue;
    if (seen.is_tcp() && (seen.tcp_flags() & kRst) == 0)
      found += fmt::format(" TCP flags {:#x} from port {}", seen.tcp_flags(), seen.source_port());
  }
  return found;
}

/// Power-cycles kodos during a connection, and expects no frame of the dead incarnation.
void cycle(Pair& pair, PortKind kind, int number) {
  const int port = 8000 + number;  // so that frames of an earlier incarnation are recognized
  Established connection(pair, port, number % 2 == 0 ? "10.0.0.2" : "fd00::2");
  const netns::PortId dead = pair.kodos_port;
  const std::size_t before = pair.record.count_from(dead);
  const std::size_t first = pair.record.frames.size();
  cut_power(pair, connection);
  pair.wire.pump();
  restore_power(pair, kind);
  pair.wire.pump();
  pair.loop.poll();
  expect(pair.record.count_from(dead) == before, "a port that is off sends nothing");
  const std::string found = stray_frames(pair, first);
  expect(found.empty(), fmt::format("cycle {} is silent, but:{}", number, found));
}

void many_cycles(PortKind kind, int count) {
  Pair pair(kind);
  for (int number = 1; number <= count; ++number) cycle(pair, kind, number);
  // A frame that waited in a queue for a second, as in a naive implementation, would be out by now.
  const std::size_t first = pair.record.frames.size();
  pair.loop.run_for(std::chrono::milliseconds(1200));
  expect(stray_frames(pair, first).empty(),
         "no stray frame comes later:" + stray_frames(pair, first));
}

}  // namespace

TEST_CASE("no frame of a dead incarnation reaches the wire in 200 power cycles", "[live]") {
  SKIP_IF(no_namespaces());
  CHECK(run_lab([] { many_cycles(port_kinds().front(), 200); }) == "");
}

TEST_CASE("no frame of a dead incarnation reaches the wire with veth pairs", "[live]") {
  SKIP_IF(no_namespaces());
  CHECK(run_lab([] { many_cycles(PortKind::veth, 20); }) == "");
}

TEST_CASE("without detaching the port first, the death of a program shows on the wire", "[live]") {
  SKIP_IF(no_namespaces());
  // Shows that the tests above can fail: if the port is not detached first, the frames reach the
  // wire.
  CHECK(run_lab([] {
          Pair pair(netns::preferred_port_kind());
          Established connection(pair, 8080, "kodos");
          const std::size_t first = pair.record.frames.size();
          connection.server.signal(SIGKILL);
          connection.server.status();
          pair.wire.pump();
          expect(!stray_frames(pair, first).empty(), "kodos's kernel sends FIN");
        }) == "");
}

TEST_CASE("a host that is detached during a flood sends nothing more", "[live]") {
  SKIP_IF(no_namespaces());
  for (const PortKind kind : port_kinds())
    CHECK(run_lab([kind] {
            Pair pair(kind);
            for (int i = 0; i < 5; ++i) {
              Running flood(pair.kodos(), helper("flood", {"kang", "9"}));
              const netns::PortId port = pair.kodos_port;
              pair.run_until([&] { return pair.record.count_from(port) > 500; }, "it floods");
              pair.wire.detach(port);
              const std::size_t before = pair.record.count_from(port);
              pair.kodos().power_off();
              pair.wire.pump();
              expect(pair.record.count_from(port) == before, "nothing comes after the cut");
              restore_power(pair, kind);
              expect(flood.status() == 128 + SIGKILL, "the program went with the power");
              pair.record.frames.clear();
            }
          }) == "");
}

TEST_CASE("after a power cycle the peer gets a RST for its old connection", "[live]") {
  SKIP_IF(no_namespaces());
  CHECK(run_lab([] {
          const PortKind kind = netns::preferred_port_kind();
          Pair pair(kind);
          Established connection(pair, 8080, "kodos");
          cut_power(pair, connection);
          restore_power(pair, kind);
          const std::size_t first = pair.record.frames.size();
          connection.client->signal(SIGKILL);  // kang's kernel sends the FIN
          pair.run_until(
              [&] {
                return std::any_of(pair.record.frames.begin() + static_cast<long>(first),
                                   pair.record.frames.end(), [&](const SeenFrame& seen) {
                                     return seen.from == pair.kodos_port && seen.is_tcp() &&
                                            (seen.tcp_flags() & kRst) != 0;
                                   });
              },
              "kodos, who knows nothing of it, says RST");
        }) == "");
}
