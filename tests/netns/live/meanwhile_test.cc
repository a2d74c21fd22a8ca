// Checks that the frames of other hosts are delivered while the lab waits for a host or a program
// to start.
#include <poll.h>
#include <unistd.h>

#include "base/error.hh"
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
  tests::expect(pair.kodos().sysctls().has("net.ipv4.tcp_retries2"), "the host is up");
}

/// The new process waits until the lab has called `meanwhile`.
class WaitsForMeanwhile : public netns::SpawnHook {
public:
  void in_lab(pid_t) override {}
  void in_child() override {
    constexpr int kPatience = 60'000;  // milliseconds
    pollfd told{pipe_.read_end.get(), POLLIN, 0};
    if (::poll(&told, 1, kPatience) != 1) throw base::LabError("the lab stands still");
  }
  void before_exec() override {}
  void tell() { static_cast<void>(::write(pipe_.write_end.get(), "x", 1)); }

private:
  base::Pipe pipe_ = base::make_pipe();
};

void start_a_program_while_the_wire_runs(PortKind kind) {
  tests::Pair pair(kind);
  WaitsForMeanwhile hook;
  netns::SpawnRequest request{.command = {"true"}, .environment = {}};
  request.hook = &hook;
  request.meanwhile = [&] { hook.tell(); };
  const netns::Spawned started = pair.kang().spawn(request);
  tests::expect(started.pid > 0, "the program starts");
}

}  // namespace

TEST_CASE("the lab works while a program starts", "[live]") {
  SKIP_IF(tests::no_namespaces());
  CHECK(tests::run_lab([] { start_a_program_while_the_wire_runs(netns::preferred_port_kind()); }) ==
        "");
}

TEST_CASE("frames of other hosts are delivered while a host starts", "[live]") {
  SKIP_IF(tests::no_namespaces());
  CHECK(tests::run_lab([] { power_cycle_while_the_wire_runs(PortKind::veth); }) == "");
  if (netns::preferred_port_kind() == PortKind::tap)
    CHECK(tests::run_lab([] { power_cycle_while_the_wire_runs(PortKind::tap); }) == "");
}
