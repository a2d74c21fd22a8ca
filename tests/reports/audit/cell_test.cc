// Checks what a cell says about real runs: outcome, time to notice, by what, why, what to change.
#include <algorithm>
#include <cerrno>

#include "audit/audit.hh"
#include "reports/audit/audit_words.hh"
#include "tests/catch.hh"
#include "tests/reports/audit/audit_runs.hh"

using namespace tcplab::audit;
using namespace tcplab::reports;
using namespace tcplab::reports::tests;
using namespace std::chrono_literals;
using tcplab::capture::AuditOutcome;

namespace {

bool advises(const Cell& cell, Advice advice) {
  return std::ranges::find(cell.advice, advice) != cell.advice.end();
}

}  // namespace

TEST_CASE("a client that waits for a dead server notices by keepalive") {
  const Cell cell = audit_run("psql-waiting-power-off");
  CHECK(cell.outcome == AuditOutcome::error);
  REQUIRE(cell.noticed);
  CHECK(cell.noticed->by == NoticedBy::error);
  CHECK(cell.noticed->error == ETIMEDOUT);
  CHECK(cell.noticed->call == "recvfrom");
  CHECK(cell.noticed->after > 3s);
  CHECK(cell.noticed->after < *cell.took);
  CHECK(cell.reason == Reason::keepalive);
  CHECK(cell.options.keepalive == true);
  CHECK_FALSE(cell.options.idle);
  CHECK(cell.advice == std::vector{Advice::set_keepalive});
}

TEST_CASE("keepalive times of the program need no advice") {
  const Cell cell = audit_run("psql-waiting-power-off-both");
  CHECK(cell.reason == Reason::keepalive);
  CHECK(cell.options.idle == 1);
  CHECK(cell.options.user_timeout == 1500ms);
  CHECK(cell.advice.empty());
}

TEST_CASE("data that nobody acknowledges ends by tcp_retries2 or TCP_USER_TIMEOUT") {
  const Cell stock = audit_run("psql-idle-power-off");
  CHECK(stock.reason == Reason::retransmissions);
  CHECK(stock.advice == std::vector{Advice::set_user_timeout});
  const Cell set = audit_run("psql-idle-power-off-user-timeout");
  CHECK(set.reason == Reason::user_timeout);
  CHECK(set.noticed->after < stock.noticed->after);
  CHECK(set.advice.empty());
}

TEST_CASE("a cable that comes back is noticed by nobody") {
  const Cell cell = audit_run("psql-cable-out");
  CHECK(cell.outcome == AuditOutcome::recovered);
  CHECK_FALSE(cell.noticed);
  CHECK(cell.reason == Reason::retransmitted);
  CHECK(cell.took > cell.took_after);
  CHECK(cell.advice.empty());
}

TEST_CASE("a server that restarted answers a keepalive probe with RST") {
  const Cell cell = audit_run("curl-power-cycle");
  CHECK(cell.noticed->error == ECONNRESET);
  CHECK(cell.reason == Reason::probe_reset);
  CHECK(cell.options.idle == 1);
  CHECK(cell.options.interval == 1);
  CHECK_FALSE(cell.options.count);
  CHECK(cell.opened_again == 0);
  CHECK(cell.advice == std::vector{Advice::retry_once});
}

TEST_CASE("a request that is sent twice is read twice, or only once") {
  const Cell twice = audit_run("go-http-waiting-power-cycle");
  CHECK(twice.opened_again == 1);
  CHECK(twice.sent_again == 1);
  CHECK(twice.received_again == 1);
  CHECK(advises(twice, Advice::make_repeatable));
  const Cell once = audit_run("go-http-idle-power-cycle");
  CHECK(once.reason == Reason::data_reset);
  CHECK(once.sent_again == 1);
  CHECK(once.received_again == 0);
  CHECK_FALSE(advises(once, Advice::make_repeatable));
  CHECK(audit_run("wget-power-cycle").received_again == 1);
}

TEST_CASE("a program's own timer is a notice without an error") {
  const Cell go = audit_run("go-http-frozen-timeout");
  CHECK(go.noticed->by == NoticedBy::own_timer);
  CHECK(go.noticed->call == "epoll_pwait");
  CHECK(go.noticed->timeout == 998ms);
  CHECK(go.reason == Reason::own_timer);
  const Cell curl = audit_run("curl-frozen-max-time");
  CHECK(curl.noticed->by == NoticedBy::own_timer);
  CHECK(reason_words(curl) ==
        "the program's own timer, after 1.98 s; its last wait was poll with 786.0 ms");
}

TEST_CASE("keepalive does not help against a server whose kernel answers") {
  const Cell cell = audit_run("curl-frozen-keepalive");
  CHECK(cell.outcome == AuditOutcome::hangs);
  CHECK_FALSE(cell.noticed);
  CHECK_FALSE(cell.took);
  CHECK(cell.reason == Reason::peer_answers);
  CHECK(cell.advice == std::vector{Advice::set_application_timeout});
}

TEST_CASE("the end of the stream is a notice if the program then opens another connection") {
  const Cell go = audit_run("go-http-idle-restarted");
  CHECK(go.noticed->by == NoticedBy::end_of_stream);
  CHECK(go.reason == Reason::end_of_stream);
  CHECK(go.opened_again == 1);
  CHECK(go.sent_again == 0);
  // requests looks at the socket with poll(2), and closes it without a read.
  const Cell python = audit_run("python-requests-server-restarted");
  CHECK(python.noticed->by == NoticedBy::closed);
  CHECK(python.reason == Reason::end_of_stream);
}

TEST_CASE("a retry may replace the error that was the cause") {
  const Cell cell = audit_run("go-http-idle-power-off");
  CHECK(cell.noticed->error == ETIMEDOUT);
  CHECK(cell.opened_again == 1);
  REQUIRE(cell.took);
  CHECK(*cell.took > cell.noticed->after);
}

TEST_CASE("of a client that is gone, the server tells") {
  const Cell cell = audit_run("postgres-server-power-off");
  CHECK_FALSE(cell.noticed);
  CHECK(cell.reason == Reason::nothing);
  CHECK(cell.had_server_connection);
  REQUIRE(cell.server_noticed);
  CHECK(cell.server_noticed->error == ETIMEDOUT);
  CHECK(cell.server_noticed->call == "recvfrom");
  REQUIRE(cell.server_let_go);
  CHECK(*cell.server_let_go > 3s);
}
