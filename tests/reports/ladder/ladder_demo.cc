// Draws a ladder in the window's width, for those who work on it:
//   COLUMNS=100 DEMO=power_cycle ./reports_tests '[demo]'
#include <cstdlib>
#include <iostream>
#include <string>

#include "reports/ladder/ladder.hh"
#include "tests/catch.hh"
#include "tests/reports/sample_run.hh"

namespace tcplab::reports::tests {

namespace {

std::string environment(const char* name, const char* otherwise) {
  const char* value = std::getenv(name);
  return value == nullptr ? otherwise : value;
}

SampleRun chosen_run() {
  const std::string name = environment("DEMO", "power_cycle");
  if (name == "warm_up") return warm_up();
  if (name == "with_loss") return with_loss();
  if (name == "three_hosts") return three_hosts();
  return power_cycle();
}

}  // namespace

TEST_CASE("a look at the ladder", "[.][demo]") {
  Style style;
  style.width = std::stoi(environment("COLUMNS", "100"));
  style.colour = environment("NO_COLOR", "").empty();
  style.unicode = environment("LC_ALL", "") != "C";
  style.verbose = !environment("VERBOSE", "").empty();
  Ladder ladder(std::cout, style);
  const SampleRun run = chosen_run();
  for (const Event& event : run.events()) ladder.event(event);
  ladder.finish();
  CHECK(std::cout.good());
}

}  // namespace tcplab::reports::tests
