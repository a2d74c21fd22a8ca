#include "reports/ladder.hh"

#include <algorithm>
#include <sstream>
#include <string>

#include "reports/text.hh"
#include "tests/catch.hh"
#include "tests/reports/golden.hh"
#include "tests/reports/sample_run.hh"

namespace tcplab::reports::tests {

namespace {

std::string ladder_of(const SampleRun& run, const Style& style) {
  std::ostringstream out;
  Ladder ladder(out, style);
  for (const Event& event : run.events()) ladder.event(event);
  ladder.finish();
  return out.str();
}

int widest_line(const std::string& text) {
  std::istringstream lines(text);
  int widest = 0;
  for (std::string line; std::getline(lines, line);) widest = std::max(widest, columns(line));
  return widest;
}

}  // namespace

TEST_CASE("a ladder of the warm-up") { check_golden("warm_up", ladder_of(warm_up(), {})); }

}  // namespace tcplab::reports::tests
