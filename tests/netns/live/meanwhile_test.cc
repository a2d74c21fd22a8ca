// A lab that waits for a host to come up still carries the frames of the others.
#include "netns/host.hh"
#include "tests/catch.hh"
#include "tests/netns/live/lab.hh"

using namespace tcplab;
using netns::PortKind;

namespace {

void power_cycle_while_the_wire_goes_on(PortKind kind) {
  tests::Pair pair(kind);
  const netns::HostConfig config = pair.kodos().config();
  pair.wire.detach(pair.kodos_port);
  pair.kodos().power_off();
  int calls = 0;
  pair.hosts[1] = std::move(netns::Host::power_on(std::span(&config, 1), kind, [&] {
                              ++calls;
                              pair.wire.pump();
                            }).front());
  tests::expect(calls > 0, "called before the host is up");
  tests::expect(pair.kodos().has_sysctl("net.ipv4.tcp_retries2"), "the host is up");
}

}  // namespace

TEST_CASE("The lab goes on while a host powers on", "[live]") {
  CHECK(tests::run_lab([] { power_cycle_while_the_wire_goes_on(PortKind::veth); }) == "");
  if (netns::preferred_port_kind() == PortKind::tap)
    CHECK(tests::run_lab([] { power_cycle_while_the_wire_goes_on(PortKind::tap); }) == "");
}
