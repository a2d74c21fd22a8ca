// The words for what ends a wait.
#include "reports/look/wait_words.hh"

#include "look/ss_output.hh"
#include "tests/catch.hh"

using namespace tcplab;
using namespace std::chrono_literals;
using audit::Awaited;
using capture::TcpState;
using Catch::Matchers::Contains;

namespace {

look::LookedConnection connection(TcpState state) {
  look::LookedConnection made;
  made.facts.state = state;
  made.facts.rto = 204ms;
  made.facts.peer_window = 65536;
  made.settings.keepalive = false;
  made.settings.user_timeout = 0s;
  return made;
}

std::string words(const look::LookedConnection& of, Awaited awaited = Awaited::data,
                  const audit::KernelSettings& kernel = {.are_assumed = false}) {
  return reports::wait_words(of, kernel,
                             audit::end_of_wait(of.facts, of.settings, kernel, awaited));
}

}  // namespace

TEST_CASE("an idle connection is said to have no timer, or keepalive's") {
  look::LookedConnection one = connection(TcpState::established);
  CHECK_THAT(words(one), Contains("keepalive is off: no timer of TCP ends this wait"));
  one.settings.keepalive = true;
  one.settings.idle = 10s;
  one.settings.interval = 5s;
  one.settings.probes = 3;
  one.facts.since_heard = 4s;
  CHECK_THAT(words(one),
             Contains("Keepalive sends a probe in about 6 s.") &&
                 Contains("ETIMEDOUT in about 21 s (keepalive 10/5/3)") &&
                 Contains("If the peer's kernel answers, nothing of TCP ends the wait"));
  one.facts.probes = 2;
  CHECK_THAT(words(one), Contains("Without an answer: 2 keepalive probes."));
}

TEST_CASE("what is retransmitted is named, with the limit") {
  look::LookedConnection one = connection(TcpState::established);
  one.facts.unacknowledged = 22;
  one.facts.in_flight = 1;
  one.facts.retransmissions = 5;
  one.facts.rto = 6528ms;
  one.facts.until_timer = 2s;
  CHECK_THAT(words(one),
             Contains("retransmitted 5 times in a row: 22 octets. If the peer stays silent, "
                      "ETIMEDOUT in about 15 min (tcp_retries2 = 15)"));
  one.facts.retransmissions = 1;
  CHECK_THAT(words(one), Contains("retransmitted 1 time in a row"));
}

TEST_CASE("a SYN and a FIN are no octets") {
  look::LookedConnection one = connection(TcpState::fin_wait1);
  one.facts.unacknowledged = 1;
  one.facts.in_flight = 1;
  CHECK_THAT(words(one), Contains("Not acknowledged yet: the FIN."));
  CHECK(reports::unacknowledged_octets(one.facts) == 0);
  one.facts.unacknowledged = 3;
  CHECK_THAT(words(one), Contains("Not acknowledged yet: 2 octets and the FIN."));
  one = connection(TcpState::syn_sent);
  one.facts.unacknowledged = 1;
  CHECK(reports::unacknowledged_octets(one.facts) == 0);
  one = connection(TcpState::established);
  one.facts.unacknowledged = 1;
  CHECK(reports::unacknowledged_octets(one.facts) == 1);
}

TEST_CASE("a closed window names its causes, and TCP_USER_TIMEOUT") {
  look::LookedConnection one = connection(TcpState::established);
  one.facts.unacknowledged = 1000;
  one.facts.peer_window = 0;
  CHECK_THAT(words(one, Awaited::room), Contains("does not read, or reads slowly; a proxy"));
  one.settings.user_timeout = 20s;
  CHECK_THAT(words(one, Awaited::room), Contains("TCP_USER_TIMEOUT of 20 s ends it"));
}

TEST_CASE("who has closed is said") {
  CHECK_THAT(
      words(connection(TcpState::close_wait)),
      Contains("a read returns 0 at once") && Contains("The program has not closed its own"));
  CHECK_THAT(words(connection(TcpState::last_ack)), Contains("Both ends have sent FIN"));
  CHECK_THAT(words(connection(TcpState::close)),
             Contains("it never was, or its connection has ended"));
}

TEST_CASE("what was not read is said to be assumed") {
  look::LookedConnection one = connection(TcpState::established);
  one.settings = {};
  one.facts.unacknowledged = 1;
  one.facts.in_flight = 1;
  CHECK_THAT(words(one, Awaited::data, {}),
             Contains("tcp_retries2 = 15, assumed") &&
                 Contains("A TCP_USER_TIMEOUT, which ss does not show, may end it before"));
}

TEST_CASE("a wait that is not bounded has advice, and a scenario") {
  for (const auto kind : {audit::WaitEndKind::peer, audit::WaitEndKind::keepalive,
                          audit::WaitEndKind::retransmissions}) {
    CHECK_FALSE(reports::wait_advice({.kind = kind}).empty());
    CHECK_FALSE(reports::wait_scenario({.kind = kind}).empty());
  }
  CHECK(reports::wait_advice({.kind = audit::WaitEndKind::client}).empty());
}

TEST_CASE("a connection that no process has is ended by its kernel") {
  const auto text_of = [](const std::string& line) {
    const look::SsOutput output = look::read_ss_output(line + "\n");
    const look::LookedProcess& of = output.processes[0];
    const auto wait = look::waits_of(of)[0];
    return reports::wait_words(*wait.connection, of.kernel, wait.end);
  };
  CHECK_THAT(text_of("FIN-WAIT-2 0 0 10.0.0.1:1 10.0.0.2:2 timer:(timewait,58sec,0) ino:0"),
             Contains("The kernel ends it in about 58 s: by tcp_fin_timeout"));
  CHECK_THAT(text_of("FIN-WAIT-1 0 1 10.0.0.1:1 10.0.0.2:2 timer:(on,1sec,3) ino:0 unacked:1"),
             Contains("tcp_orphan_retries"));
  CHECK_THAT(text_of("FIN-WAIT-1 0 1 10.0.0.1:1 10.0.0.2:2 timer:(on,1sec,3) ino:7 unacked:1"),
             Contains("ETIMEDOUT"));
  CHECK_THAT(text_of("TIME-WAIT 0 0 10.0.0.1:1 10.0.0.2:2 timer:(timewait,9sec,0) ino:0"),
             Contains("The kernel ends TIME_WAIT in about 9 s"));
  CHECK_THAT(text_of("SYN-RECV 0 0 10.0.0.1:1 10.0.0.2:2 timer:(on,1sec,0) ino:0"),
             Contains("tcp_synack_retries"));
}

TEST_CASE("a deadline of the program is named by what sets it") {
  look::LookedTask task{.call = "read", .deadline_setter = "SetReadDeadline or SetDeadline"};
  CHECK(reports::deadline_words(task).empty());
  task.has_deadline = true;
  CHECK_THAT(reports::deadline_words(task),
             Contains("When is not known") && Contains("SetReadDeadline"));
  task.deadline = 20s;
  CHECK(reports::deadline_words(task) ==
        "A deadline of the program ends the wait in about 20 s, whatever TCP does "
        "(SetReadDeadline or SetDeadline).");
}

TEST_CASE("a number of SYNs is the sysctl's, unless the program has set another") {
  look::LookedConnection one = connection(TcpState::syn_sent);
  const audit::KernelSettings kernel{.syn_retries = 2, .are_assumed = false};
  one.settings.syn_retries = 2;  // what getsockopt(2) returns where it is not set
  CHECK_THAT(words(one, Awaited::handshake, kernel), Contains("(tcp_syn_retries = 2)"));
  one.settings.syn_retries = 1;
  CHECK_THAT(words(one, Awaited::handshake, kernel), Contains("(TCP_SYNCNT = 1)"));
  CHECK_THAT(words(one, Awaited::handshake, {.syn_retries = 6, .are_assumed = true}),
             Contains("(TCP_SYNCNT or tcp_syn_retries = 1)"));
}
