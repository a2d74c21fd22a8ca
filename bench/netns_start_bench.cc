// Measures what the containment of programs costs: a host that is contained, and one that is not,
// and the start of a program on each, until it has ended. The budget is one millisecond a start.

#include <poll.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bench/rounds.hh"
#include "netns/host.hh"
#include "netns/run_space.hh"

namespace {

using namespace tcplab;
using Clock = std::chrono::steady_clock;
using Microseconds = std::chrono::duration<double, std::micro>;

const int kHosts = bench::rounds(30);
const int kStarts = bench::rounds(200);

netns::HostConfig config(bool is_contained) {
  netns::HostConfig config;
  config.name = "kang";
  netns::NicConfig nic;
  nic.mac = netns::MacAddress::local(1);
  config.nics.push_back(nic);
  if (is_contained) config.containment = netns::Containment{.shown = {"/usr"}};
  return config;
}

std::unique_ptr<netns::Host> host(bool is_contained) {
  const std::array configs{config(is_contained)};
  return std::move(netns::Host::power_on(configs).front());
}

/// Starts true(1), and waits for its end.
void start(netns::Host& host, netns::Privileges privileges) {
  netns::SpawnRequest request{.command = {"true"}, .environment = {}};
  request.privileges = privileges;
  const netns::Spawned program = host.spawn(request);
  siginfo_t end{};
  ::waitid(P_PIDFD, static_cast<id_t>(program.pidfd.get()), &end, WEXITED);
}

double median(std::vector<double> times) {
  std::ranges::sort(times);
  return times[times.size() / 2];
}

template <typename Action>
double time_of(Action action) {
  const auto begin = Clock::now();
  action();
  return Microseconds(Clock::now() - begin).count();
}

/// In turns, so that a machine whose speed changes does not favour one of the two.
void compare_hosts() {
  std::vector<double> contained;
  std::vector<double> open;
  for (int i = 0; i < kHosts; ++i) {
    contained.push_back(time_of([] { host(true); }));
    open.push_back(time_of([] { host(false); }));
  }
  std::printf("start one host, contained  %.0f us  not contained, the same run  %.0f us\n",
              median(contained), median(open));
}

void compare_programs() {
  const auto contained_host = host(true);
  const auto open_host = host(false);
  std::vector<double> contained;
  std::vector<double> open;
  for (int i = 0; i < kStarts; ++i) {
    contained.push_back(time_of([&] { start(*contained_host, netns::Privileges::server); }));
    open.push_back(time_of([&] { start(*open_host, netns::Privileges::all); }));
  }
  const double cost = median(contained) - median(open);
  std::printf(
      "start a program and await its end, contained  %.0f us  not contained, the same run  %.0f "
      "us\n",
      median(contained), median(open));
  std::printf("what containment adds to the start of a program  %.0f us  budget  1000 us\n", cost);
}

int measure() {
  compare_hosts();
  compare_programs();
  return 0;
}

}  // namespace

int main() {
  try {
    const auto space = netns::start_run_space({}, measure);
    siginfo_t end{};
    ::waitid(P_PIDFD, static_cast<id_t>(space.pidfd.get()), &end, WEXITED);
    return end.si_code == CLD_EXITED ? end.si_status : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
