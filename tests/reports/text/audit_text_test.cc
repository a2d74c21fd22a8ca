// Checks the line that a ladder shows for each mark of an audit.
#include "reports/text/audit_text.hh"

#include "tests/catch.hh"

using namespace tcplab::reports;
using tcplab::capture::AuditNote;
using tcplab::capture::AuditOutcome;
using tcplab::capture::AuditReaction;
using tcplab::capture::AuditStep;

TEST_CASE("the first mark says what fails, where, when, and how long it is watched") {
  AuditNote note{.step = AuditStep::begins,
                 .failure = "unplugged-30s",
                 .moment = "waiting",
                 .side = "server",
                 .limit = std::chrono::seconds(300)};
  CHECK(audit_line(note) == "audit: server: unplugged-30s, at the moment: waiting; limit 5 min");
  note.failure_title = "unplugged for 30 s";
  note.moment_title = "waiting for the answer";
  CHECK(audit_line(note) ==
        "audit: server: unplugged for 30 s, at the moment: waiting for the answer; limit 5 min");
  note.failure = note.failure_title = "";
  CHECK(audit_line(note) == "audit: the baseline, without a failure; limit 5 min");
}

TEST_CASE("the last mark says how the request ended, and what its user saw") {
  AuditNote note{.step = AuditStep::judged, .outcome = AuditOutcome::wrong_data};
  CHECK(audit_line(note) == "audit: judged: wrong data");
  note = {.step = AuditStep::judged, .outcome = AuditOutcome::error, .text = "reset\x1b[31m"};
  CHECK(audit_line(note) == "audit: judged: error: reset\\x1b[31m");
  note = {.step = AuditStep::starting, .text = "no\x1b licence"};
  CHECK(audit_line(note) ==
        "audit: the server does not listen yet; it has written: no\\x1b licence");
  note = {.step = AuditStep::judged, .reaction = AuditReaction::sent};
  CHECK(audit_line(note) == "audit: judged: unaffected; the client reacted: it sent data");
}
