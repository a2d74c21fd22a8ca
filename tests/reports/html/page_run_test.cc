// What a page knows of each host after each step.
#include "reports/html/page_run.hh"

#include "tests/catch.hh"
#include "tests/reports/sample_run.hh"

namespace tcplab::reports::tests {

TEST_CASE("a call that no step shows has returned, too") {
  SampleRun run;
  run.start({}).hosts();
  run.call("kang", "bind", 4, 0).add(capture::Note{.text = "look"});
  html::RunGatherer gatherer;
  for (const Event& event : run.events()) gatherer.event(event);
  gatherer.finish();
  const html::PageRun page = gatherer.take();
  REQUIRE_FALSE(page.views.empty());
  CHECK(page.views.back().front().program == "dnc-2: runs");
}

}  // namespace tcplab::reports::tests
