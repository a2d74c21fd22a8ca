#include "tests/reports/audit/audit_runs.hh"

#include <cstdlib>
#include <fstream>

#include "capture/event/event_json.hh"
#include "tests/catch.hh"

namespace tcplab::reports::tests {

audit::Cell audit_run(const std::string& name) {
  const char* source = std::getenv("TCPLAB_SOURCE");
  std::ifstream file((source == nullptr ? std::string(".") : std::string(source)) +
                     "/tests/reports/audit/runs/" + name + ".jsonl");
  REQUIRE(file);
  std::vector<capture::Event> events;
  for (std::string line; std::getline(file, line);) events.push_back(capture::parse_event(line));
  REQUIRE(audit::is_cell(events));
  return audit::cell_of(events);
}

audit::Audit audit_sample() {
  audit::Audit audit{.title = "psql, curl & <others>", .cells = {}};
  audit::Cell baseline{.client = "kang", .command = "curl http://kodos/", .run = "baseline"};
  baseline.is_judged = true;
  baseline.outcome = capture::AuditOutcome::unaffected;
  audit.cells.push_back(baseline);
  for (const char* name : {"psql-waiting-power-off", "psql-idle-power-off", "psql-cable-out",
                           "go-http-waiting-power-cycle", "curl-frozen-keepalive",
                           "curl-power-cycle", "postgres-server-power-off"}) {
    audit.cells.push_back(audit_run(name));
    audit.cells.back().page = std::string(name) + "/index.html";
  }
  audit::Cell missed{.failure = "refused", .failure_title = "refused", .moment = "transfer"};
  missed.moment_title = "in the middle of a transfer";
  missed.is_judged = true;
  missed.text = "no data came";
  audit.cells.push_back(missed);
  audit::Cell broken{.failure = "unplug", .failure_title = "unplug", .moment = "idle"};
  broken.moment_title = "idle";
  broken.trouble = "the machine has no memory";
  audit.cells.push_back(broken);
  return audit;
}

}  // namespace tcplab::reports::tests
