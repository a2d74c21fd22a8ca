// Checks that the frames of other hosts are delivered while the lab waits for a host to start.
#include "netns/host.hh"
#include "tests/catch.hh"
#include "tests/netns/live/lab.hh"
#include "tests/skip.hh"

using namespace tcplab;
using netns::PortKind;

namespace {

void power_cycle_while_the_wire_runs(PortKind kind) {
  tests::Pair pair(kind);
  const netns::HostConfig config = pair.kodos().config();
  pair.wire.detach(pair.kodos_port);
  pair.kodos().power_off();
  const tests::Running flood(pair.kang(), tests::helper("flood", {"kodos", "9"}));
  bool went_on = false;
  const auto await_a_frame = [&] {
    if (went_on) return;
    const std::size_t before = pair.record.count_from(pair.kang_port);
    pair.run_until([&] { return pair.record.count_from(pair.kang_port) > before; }, "frames go on");
    went_on = true;
  };
  pair.hosts[1] =
      std::move(netns::Host::power_on(std::span(&config, 1), kind, await_a_frame).front());
  tests::expect(went_on, "frames go on before the host is up");
  tests::expect(pair.kodos().has_sysctl("net.ipv4.tcp_retries2"), "the host is up");
}

}  // namespace

TEST_CASE("frames of other hosts are delivered while a host starts", "[live]") {
  SKIP_IF(tests::no_namespaces());
  CHECK(tests::run_lab([] { power_cycle_while_the_wire_runs(PortKind::veth); }) == "");
  if (netns::preferred_port_kind() == PortKind::tap)
    CHECK(tests::run_lab([] { power_cycle_while_the_wire_runs(PortKind::tap); }) == "");
}
