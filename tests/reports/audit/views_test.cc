// Checks the views of an audit: golden text, and what must not happen to text from outside.
#include <nlohmann/json.hpp>
#include <sstream>

#include "reports/audit/audit_json.hh"
#include "reports/audit/audit_junit.hh"
#include "reports/audit/audit_markdown.hh"
#include "reports/audit/audit_page.hh"
#include "reports/audit/audit_terminal.hh"
#include "reports/audit/comparison.hh"
#include "reports/audit/requirement_words.hh"
#include "reports/text/text.hh"
#include "tests/catch.hh"
#include "tests/reports/audit/audit_runs.hh"
#include "tests/reports/golden.hh"

using namespace tcplab::audit;
using namespace tcplab::reports;
using namespace tcplab::reports::tests;
using namespace std::chrono_literals;
using Catch::Matchers::Contains;

namespace {

std::string text_of(const Audit& audit, const Style& style) {
  std::ostringstream out;
  write_text(out, audit, style);
  return out.str();
}

const Requirements kStrict{.notice_within = 2s, .recover_within = 60s, .no_repeat = true};

}  // namespace

TEST_CASE("an audit's table is as approved") {
  check_golden("audit", text_of(audit_sample(), {.width = 110}));
}

TEST_CASE("an audit's table fits into a narrow terminal") {
  const std::string text = text_of(audit_sample(), {.width = 40});
  check_golden("audit_40", text);
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) CHECK(columns(line) <= 40);
}

TEST_CASE("an audit's Markdown is as approved") {
  std::ostringstream out;
  write_markdown(out, audit_sample());
  check_golden("audit_markdown", out.str());
}

TEST_CASE("an audit's JUnit names the failure and the moment, and what was required") {
  std::ostringstream out;
  write_junit(out, audit_sample(), kStrict);
  check_golden("audit_junit", out.str());
}

TEST_CASE("an audit's JSON has the facts as values") {
  std::ostringstream out;
  write_json(out, audit_sample());
  const auto json = nlohmann::json::parse(out.str());
  CHECK(json["format"] == "tcplab-audit");
  CHECK(json["version"] == 1);
  const auto& cell = json["cells"][1];
  CHECK(cell["failure"] == "power-off");
  CHECK(cell["outcome"] == "error");
  CHECK(cell["noticed"]["errno"] == "ETIMEDOUT");
  CHECK(cell["noticed"]["after"].is_number_integer());
  CHECK(cell["options"]["SO_KEEPALIVE"] == true);
  CHECK_FALSE(cell["options"].contains("TCP_KEEPIDLE"));
  CHECK_FALSE(json["cells"][0].contains("failure"));
  CHECK(json["cells"].back()["trouble"] == "the machine has no memory");
}

TEST_CASE("each cell of an audit's page has a link, words and a mark") {
  std::ostringstream out;
  write_html(out, audit_sample());
  const std::string page = out.str();
  CHECK_THAT(page, Contains("<h1>psql, curl &amp; &lt;others&gt;</h1>"));
  CHECK_THAT(page, Contains("<a href=\"./curl-power-cycle/index.html\"><span class=\"a-mark\""));
  CHECK_THAT(page, Contains("<td class=\"o-hangs\" data-column=\"waiting\">"));
  CHECK_THAT(page, Contains("hangs &gt; 5 min"));
  CHECK_THAT(page, Contains("<section class=\"a-advice\">"));
}

TEST_CASE("text from outside becomes no markup and no escape sequence in any view") {
  Audit audit{.title = "<i>\x1b[31m", .cells = {}};
  Cell cell{.failure = "a|b", .failure_title = "a|b<u>", .moment = "m", .moment_title = "<b>\x1b"};
  cell.is_judged = true;
  cell.outcome = tcplab::capture::AuditOutcome::error;
  cell.text = "\x1b]0;x\x07<script>\xff|";
  cell.page = "javascript:x\"/<y>.html";
  audit.cells = {cell};
  std::ostringstream all;
  write_text(all, audit, {.width = 60});
  write_markdown(all, audit);
  write_html(all, audit);
  write_junit(all, audit, {});
  write_json(all, audit);
  const std::string text = all.str();
  CHECK(text.find('\x1b') == std::string::npos);
  CHECK(text.find('\xff') == std::string::npos);
  std::ostringstream page;
  write_html(page, audit);
  CHECK_THAT(page.str(), !Contains("<script>x") && !Contains("<b>") && !Contains("<u>"));
  CHECK_THAT(page.str(), Contains("href=\"./javascript%3Ax%22/%3Cy%3E.html\""));
  std::ostringstream markdown;
  write_markdown(markdown, audit);
  CHECK_THAT(markdown.str(), Contains("a\\|b"));
}

TEST_CASE("requirements are missed by cells that notice late, do not recover, or repeat") {
  const Audit audit = audit_sample();
  std::vector<std::string> words;
  for (const Miss& miss : missed(audit, kStrict))
    words.push_back(miss.cell->run + ": " + miss_words(miss, kStrict));
  CHECK(words ==
        std::vector<std::string>{
            "psql-waiting-power-off: noticed after 3.06 s; required within 2 s",
            "psql-idle-power-off: noticed after 3.35 s; required within 2 s",
            "go-http-waiting-power-cycle: the server read a request twice; required: no repeat",
            "curl-frozen-keepalive: never noticed; required within 2 s",
            "curl-power-cycle: did not recover: error 999.3 ms; required within 60 s",
            "postgres-server-power-off: the server let go after 3.06 s; required within 2 s"});
  CHECK(missed(audit, {}).empty());
  CHECK(missed(audit, {.notice_within = 10s}).size() == 1);  // the one that hangs
}

TEST_CASE("a client that did not react has not recovered") {
  using tcplab::capture::AuditReaction;
  Cell cell = audit_run("psql-cable-out");
  cell.reaction = AuditReaction::printed;
  CHECK_THAT(outcome_label(cell), Contains("recovered") && Contains(", reacted"));
  Audit audit{.cells = {cell}};
  const Requirements recovers{.recover_within = 60s};
  CHECK(missed(audit, recovers).empty());
  Audit before = audit;
  audit.cells[0].reaction = AuditReaction::none;
  CHECK(outcome_label(audit.cells[0]) == "did not react");
  CHECK(missed(audit, recovers).size() == 1);
  CHECK(compare(before, audit)[0].change == Change::worse);
  CHECK_THAT(text_of(audit, {.width = 100}),
             Contains("1 cell: 1 did not react") && Contains("recovered as far as packets go"));
  audit.cells[0].reaction = AuditReaction::command_failed;  // nothing is known
  CHECK(missed(audit, recovers).empty());
  CHECK_THAT(outcome_label(audit.cells[0]), !Contains("react"));
}

TEST_CASE("a comparison says which cells are better, and which worse") {
  Audit before{.title = "before",
               .cells = {audit_run("psql-idle-power-off"), audit_run("curl-frozen-keepalive"),
                         audit_run("psql-cable-out")}};
  Audit after{.title = "after",
              .cells = {audit_run("psql-idle-power-off-user-timeout"),
                        audit_run("curl-frozen-max-time"), audit_run("go-http-idle-power-cycle")}};
  const std::vector<CellChange> changes = compare(before, after);
  REQUIRE(changes.size() == 4);
  CHECK(changes[0].change == Change::better);  // sooner
  CHECK(changes[1].change == Change::better);  // an error instead of nothing
  CHECK(changes[2].change == Change::only_before);
  CHECK(changes[3].change == Change::only_after);
  CHECK(compare(after, before)[0].change == Change::worse);
  CHECK(compare(after, after)[0].change == Change::same);
  std::ostringstream out;
  write_comparison(out, before, after, {.width = 100});
  write_comparison_markdown(out, before, after);
  check_golden("audit_comparison", out.str());
}

TEST_CASE("a comparison has no row that says the same before and after") {
  const auto with = [](audit::Cell cell) {
    cell.is_judged = true;
    return audit::Audit{.title = "one", .cells = {std::move(cell)}};
  };
  using capture::AuditOutcome;
  const auto fast = with({.outcome = AuditOutcome::unaffected, .took = 7s});
  const auto slow = with({.outcome = AuditOutcome::unaffected, .took = 10s});
  CHECK(compare(fast, slow)[0].change == Change::same);
  const auto deaf = with({.outcome = AuditOutcome::hangs});
  const auto notices =
      with({.outcome = AuditOutcome::hangs, .noticed = audit::Noticed{.after = 22s}});
  CHECK(compare(deaf, notices)[0].change == Change::better);
  CHECK(compare(notices, deaf)[0].change == Change::worse);
  CHECK(compare(deaf, deaf)[0].change == Change::same);
}
