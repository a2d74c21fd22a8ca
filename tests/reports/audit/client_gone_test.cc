// A client that is gone: the outcome is about the server.
#include <chrono>

#include "audit/audit.hh"
#include "reports/audit/audit_table.hh"
#include "reports/audit/audit_words.hh"
#include "tests/catch.hh"

using namespace tcplab;
using namespace std::chrono_literals;
using capture::AuditNote;
using capture::AuditOutcome;
using capture::AuditStep;
using capture::TcpState;

namespace {

/// A cell whose client loses its power. The server's connection is not seen to end.
audit::Cell cell_with(AuditOutcome outcome, capture::ActionVerb verb, bool has_connection = true) {
  std::vector<capture::Event> events;
  base::Instant now(1s);
  const auto add = [&](auto body, base::nanoseconds after = 1s) {
    now += after;
    events.push_back({.number = events.size() + 1, .at = now, .body = std::move(body)});
  };
  add(AuditNote{.step = AuditStep::begins,
                .failure = "power-off",
                .side = "client",
                .limit = 300s,
                .client = "client",
                .server = "server"});
  if (has_connection)
    add(capture::State{.host = "server",
                       .local = *base::Endpoint::parse("10.0.0.2:21"),
                       .remote = *base::Endpoint::parse("10.0.0.1:40000"),
                       .to = TcpState::established});
  add(AuditNote{.step = AuditStep::failure});
  add(capture::Action{.host = "client", .verb = verb});
  add(AuditNote{.step = AuditStep::judged, .outcome = outcome}, 299s);
  return audit::cell_of(std::move(events));
}

}  // namespace

TEST_CASE("a server that let go has a time, and no client has recovered") {
  for (const auto verb : {capture::ActionVerb::power_off, capture::ActionVerb::freeze,
                          capture::ActionVerb::reboot, capture::ActionVerb::stop}) {
    const audit::Cell cell = cell_with(AuditOutcome::recovered, verb);
    CHECK(reports::outcome_label(cell) == "let go 5 min");
    CHECK(reports::server_words(cell) == "the server let go after 5 min");
    CHECK(cell.advice.empty());
  }
  CHECK(reports::outcome_label(cell_with(AuditOutcome::recovered, capture::ActionVerb::power_off,
                                         false)) == "let go 5 min");
}

TEST_CASE("a server that did not let go keeps the connection") {
  const audit::Cell cell = cell_with(AuditOutcome::hangs, capture::ActionVerb::power_off);
  CHECK(reports::outcome_label(cell) == "kept > 5 min");
  CHECK(reports::server_words(cell) == "the server still kept the connection at the end");
  CHECK(cell.advice == std::vector{audit::Advice::set_server_keepalive});
  CHECK(reports::count_words({.title = "one", .cells = {cell}}) == "1 cell: 1 kept");
}

TEST_CASE("a client whose cable comes back recovers by itself") {
  const audit::Cell cell = cell_with(AuditOutcome::recovered, capture::ActionVerb::unplug);
  CHECK(reports::outcome_label(cell) == "recovered 5 min");
}
