#include "reports/ladder/transcript.hh"

#include <sstream>

#include "tests/catch.hh"
#include "tests/reports/golden.hh"
#include "tests/reports/sample_run.hh"

namespace tcplab::reports::tests {

namespace {

std::string transcript_of(const SampleRun& run) {
  std::ostringstream out;
  Transcript transcript(out);
  for (const Event& event : run.events()) transcript.event(event);
  transcript.finish();
  return out.str();
}

}  // namespace

TEST_CASE("the transcript of a power cycle") {
  check_golden("transcript_power_cycle", transcript_of(power_cycle()));
}

TEST_CASE("the transcript of a failure has every verdict in full") {
  check_golden("transcript_with_loss", transcript_of(with_loss()));
}

TEST_CASE("an unfinished run has a transcript of its events") {
  std::ostringstream out;
  Transcript transcript(out);
  const SampleRun run = power_cycle();
  for (std::size_t index = 0; index < 20; ++index) transcript.event(run.events()[index]);
  transcript.finish();
  CHECK(out.str().find("SYN_SENT") != std::string::npos);
  CHECK(out.str().find("passed") == std::string::npos);
}

TEST_CASE("verdicts beyond a limit are only counted") {
  SampleRun run;
  run.start({}).hosts();
  for (int count = 0; count < 1500; ++count) run.verdict(true, "again", "");
  run.end(capture::Outcome::passed);
  const std::string text = transcript_of(run);
  CHECK(text.find("and 500 more expectations") != std::string::npos);
  CHECK(text.find("all 1500 expectations met") != std::string::npos);
}

}  // namespace tcplab::reports::tests
