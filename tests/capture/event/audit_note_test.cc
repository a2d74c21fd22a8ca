// Checks that the marks of an audit are unchanged after they are written and read.
#include "capture/event/audit_note.hh"

#include "capture/event/event_json.hh"
#include "tests/catch.hh"

using namespace tcplab::capture;

namespace {

std::string line_of(const AuditNote& note) {
  return to_json_line({.number = 7, .at = tcplab::base::from_nanoseconds(123), .body = note});
}

}  // namespace

TEST_CASE("the first mark of an audit keeps all that it says") {
  const std::string line = line_of({.step = AuditStep::begins,
                                    .failure = "unplugged-30s",
                                    .failure_title = "unplugged for 30 s",
                                    .moment = "waiting",
                                    .moment_title = "waiting for the answer",
                                    .side = "server",
                                    .limit = std::chrono::seconds(300),
                                    .client = "kang",
                                    .server = "kodos",
                                    .program = "curl"});
  const Event again = parse_event(line);
  CHECK(to_json_line(again) == line);
  const auto& note = std::get<AuditNote>(again.body);
  CHECK(note.failure_title == "unplugged for 30 s");
  CHECK(note.limit == std::chrono::seconds(300));
  CHECK(note.program == "curl");
}

TEST_CASE("the last mark keeps how the client reacted to the command of --after") {
  const AuditNote note{.step = AuditStep::judged, .reaction = AuditReaction::none};
  const std::string line = line_of(note);
  CHECK(
      line ==
      R"({"n":7,"t":123,"kind":"audit","step":"judged","outcome":"unaffected","reaction":"none"})");
  CHECK(std::get<AuditNote>(parse_event(line).body).reaction == AuditReaction::none);
}

TEST_CASE("only the last mark of an audit has an outcome") {
  AuditNote note{.step = AuditStep::moment, .outcome = AuditOutcome::hangs};
  CHECK(line_of(note) == R"({"n":7,"t":123,"kind":"audit","step":"moment"})");
  note.step = AuditStep::judged;
  CHECK(line_of(note) == R"({"n":7,"t":123,"kind":"audit","step":"judged","outcome":"hangs"})");
  const Event again = parse_event(line_of(note));
  CHECK(std::get<AuditNote>(again.body).outcome == AuditOutcome::hangs);
}
