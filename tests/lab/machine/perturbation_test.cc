#include "lab/machine/perturbation.hh"

#include <chrono>
#include <vector>

#include "tests/catch.hh"

using namespace std::chrono_literals;
using tcplab::base::nanoseconds;
using tcplab::lab::Perturbation;

namespace {

constexpr int kDrawn = 1000;

std::vector<nanoseconds> delays(Perturbation& perturbation, const std::string& kind) {
  std::vector<nanoseconds> drawn;
  for (int i = 0; i < kDrawn; ++i) drawn.push_back(perturbation.next(kind, 4));
  return drawn;
}

}  // namespace

TEST_CASE("without a seed nothing is delayed", "[perturbation]") {
  Perturbation none(std::nullopt, "power-cycle IPv4");
  CHECK_FALSE(none.is_on());
  CHECK(delays(none, "start") == std::vector<nanoseconds>(kDrawn));
}

TEST_CASE("one in four is delayed, by up to 0.3 s", "[perturbation]") {
  Perturbation perturbation(1, "power-cycle IPv4");
  int delayed = 0;
  int long_ones = 0;
  for (const nanoseconds delay : delays(perturbation, "start")) {
    CHECK(delay >= 0ns);
    CHECK(delay <= 300ms);
    if (delay > 0ns) ++delayed;
    if (delay > 150ms) ++long_ones;
  }
  CHECK(delayed > kDrawn / 5);
  CHECK(delayed < kDrawn / 3);
  CHECK(long_ones > 0);
  CHECK(long_ones < delayed / 2);
}

TEST_CASE("the delays of a kind depend on the seed, the run and the kind only", "[perturbation]") {
  Perturbation alone(1, "power-cycle IPv4");
  Perturbation mixed(1, "power-cycle IPv4");
  std::vector<nanoseconds> starts;
  for (int i = 0; i < kDrawn; ++i) {
    mixed.next("report", 4);
    starts.push_back(mixed.next("start", 4));
  }
  CHECK(delays(alone, "start") == starts);
  Perturbation other_seed(2, "power-cycle IPv4");
  Perturbation other_run(1, "power-cycle IPv6");
  CHECK(delays(other_seed, "start") != starts);
  CHECK(delays(other_run, "start") != starts);
}
