#include "capture/files/live_capture.hh"

#include <unistd.h>

#include "base/error.hh"
#include "capture/decode/flow_key.hh"
#include "capture/event/describe.hh"
#include "tests/capture/loopback.hh"
#include "tests/catch.hh"
#include "tests/skip.hh"

using namespace tcplab::capture;
using namespace tcplab::tests;

namespace {

/// Returns the flags of the segments from `source`, up to the first with FIN or RST.
std::string flags_from(LiveCapture& capture, const tcplab::base::Endpoint& source) {
  std::string all;
  while (becomes_readable(capture.descriptor())) {
    const auto frame = capture.next();
    if (!frame) continue;
    const auto decoded = decode(frame->bytes);
    const auto connection = flow_of(decoded);
    if (!connection || connection->source != source) continue;
    all += describe(decoded).flags + ' ';
    if (decoded.tcp->has(TcpFlags::kFin) || decoded.tcp->has(TcpFlags::kRst)) return all;
  }
  return all + "and no more";
}

}  // namespace

TEST_CASE("a connection's segments are captured on a NIC", "[live]") {
  SKIP_IF(no_namespaces());
  enter_fresh_network();
  LiveCapture capture("lo");
  const auto listener = listen_on("127.0.0.1");
  auto [client, server] = connect_pair(listener, local_of(listener));
  const auto source = local_of(client);
  REQUIRE(::write(client.get(), "hello", 5) == 5);
  client.reset();
  // On the loopback device a packet socket gets each frame once, on reception.
  CHECK(flags_from(capture, source) == "S . P. F. ");
  CHECK(capture.counts().dropped == 0);
}

TEST_CASE("a missing NIC is an error that names it", "[live]") {
  SKIP_IF(no_namespaces());
  enter_fresh_network();
  CHECK_THROWS_WITH(LiveCapture("eth7"), Catch::Matchers::Contains("cannot capture on eth7"));
}
