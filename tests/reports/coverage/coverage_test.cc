// Checks coverage: state changes map to edges of RFC 9293's diagram by the frames around them,
// calls are counted by their results, and changes that the diagram does not have are findings.
#include "reports/coverage/coverage.hh"

#include <poll.h>

#include <array>
#include <cerrno>
#include <nlohmann/json.hpp>
#include <sstream>

#include "capture/event/event_words.hh"
#include "reports/coverage/coverage_rows.hh"
#include "reports/coverage/coverage_text.hh"
#include "tests/catch.hh"
#include "tests/reports/sample_run.hh"

namespace tcplab::reports::tests {

namespace {

using capture::StateCause;
using enum TcpState;

RunCoverage covered(const SampleRun& run) {
  RunCoverage coverage;
  for (const Event& event : run.events()) coverage.event(event);
  coverage.finish();
  return coverage;
}

Coverage sum(const SampleRun& run) {
  Coverage coverage;
  coverage.add(covered(run));
  return coverage;
}

bool has(const RunCoverage& run, TcpState from, TcpState to, std::string_view event) {
  for (const Edge* edge : run.edges())
    if (edge->from == from && edge->to == to && edge->event == event) return true;
  return false;
}

bool has(const RunCoverage& run, const std::string& call, const std::string& value) {
  return run.answers().contains(CallOutcome{call, value});
}

/// Returns a run in which kang's connection changes state when kang receives a frame from kodos.
SampleRun receives(const std::string& flags, TcpState from, TcpState to) {
  SampleRun run;
  return run.hosts().frame("kodos", flags, 0, 0).state("kang", from, to);
}

capture::State change(TcpState from, TcpState to, StateCause cause) {
  capture::State state;
  state.host = "kang";
  state.local = *capture::Endpoint::parse("10.0.0.1:40000");
  state.remote = *capture::Endpoint::parse("10.0.0.2:8080");
  state.from = from;
  state.to = to;
  state.cause = cause;
  return state;
}

}  // namespace

TEST_CASE("received segments, sent segments and no segment give different edges") {
  CHECK(has(covered(receives("R", established, closed)), established, closed, "rcv RST"));
  CHECK(has(covered(receives("F.", fin_wait2, time_wait)), fin_wait2, time_wait,
            "rcv FIN / snd ACK"));
  SampleRun abort;
  abort.hosts().state("kang", established, closed).frame("kang", "R.", 0, 0);
  CHECK(has(covered(abort), established, closed, "ABORT / snd RST"));
  SampleRun timeout;
  timeout.hosts().state("kang", established, closed, StateCause::destroyed);
  CHECK(has(covered(timeout), established, closed, "USER TIMEOUT"));
  SampleRun power;
  power.hosts().state("kang", established, closed, StateCause::power);
  CHECK(has(covered(power), established, closed, "power off"));
}

TEST_CASE("the end of a connection and its RST are matched by time") {
  using std::chrono::milliseconds;
  SampleRun received;
  received.hosts().frame("kodos", "R", 0, 0).later(milliseconds(3));
  received.state("kang", fin_wait1, closed, StateCause::destroyed);
  CHECK(has(covered(received), fin_wait1, closed, "rcv RST"));
  SampleRun sent;
  sent.hosts().state("kang", established, closed, StateCause::destroyed).frame("kang", "R.", 0, 0);
  CHECK(has(covered(sent), established, closed, "ABORT / snd RST"));
  SampleRun long_ago;
  long_ago.hosts().frame("kodos", "R", 0, 0).later(milliseconds(300));
  long_ago.state("kang", fin_wait2, closed, StateCause::destroyed);
  CHECK(has(covered(long_ago), fin_wait2, closed, "tcp_fin_timeout / delete TCB"));
}

TEST_CASE("a RST that answers a later segment did not end the connection") {
  SampleRun run;
  run.hosts()
      .state("kang", fin_wait2, closed, StateCause::destroyed)
      .later(std::chrono::milliseconds(1));
  run.frame("kodos", "P.", 1, 1, 5).frame("kang", "R", 1, 0);
  CHECK(has(covered(run), fin_wait2, closed, "tcp_fin_timeout / delete TCB"));
  CHECK_FALSE(has(covered(run), fin_wait2, closed, "ABORT / snd RST"));
}

TEST_CASE("a close call distinguishes a silent abort from a timeout") {
  SampleRun run;
  run.hosts().call("kang", "close", 3, 0).state("kang", last_ack, closed, StateCause::poll);
  CHECK(has(covered(run), last_ack, closed, "ABORT / delete TCB"));
  SampleRun orphan;
  orphan.hosts().call("kang", "close", 3, 0).later(std::chrono::seconds(1));
  orphan.call("kodos", "close", 3, 0).state("kang", last_ack, closed, StateCause::destroyed);
  CHECK(has(covered(orphan), last_ack, closed, "USER TIMEOUT"));
}

TEST_CASE("a reset request returns to LISTEN only if there is a listener") {
  SampleRun active = receives("R", syn_recv, closed);
  CHECK(has(covered(active), syn_recv, closed, "rcv RST, after an active OPEN"));
  capture::State listener = change(closed, listen, StateCause::poll);
  listener.local = *capture::Endpoint::parse("0.0.0.0:40000");  // kang's port
  listener.remote = {};
  SampleRun passive;
  passive.hosts().add(listener).frame("kodos", "R", 0, 0).state("kang", syn_recv, closed);
  CHECK(has(covered(passive), syn_recv, listen, "rcv RST"));
  listener.from = listen;
  listener.to = closed;
  SampleRun gone;
  gone.hosts().add(change(closed, listen, StateCause::poll)).add(listener);
  gone.frame("kodos", "R", 0, 0).state("kang", syn_recv, closed);
  CHECK(has(covered(gone), syn_recv, closed, "rcv RST, after an active OPEN"));
}

TEST_CASE("several transitions seen as one count as a jump, not as an edge") {
  const RunCoverage run = covered(receives("F.", established, closing));
  CHECK(run.edges().empty());
  CHECK(run.jumps().contains({established, closing}));
  CHECK(run.findings().empty());
}

TEST_CASE("a connection whose start was not seen does not count as a SYN cookie") {
  SampleRun seen_later;
  seen_later.hosts().add(change(closed, established, StateCause::poll));
  CHECK(covered(seen_later).edges().empty());
  CHECK(covered(seen_later).jumps().contains({closed, established}));
  CHECK(has(covered(receives(".", closed, established)), closed, established,
            "rcv ACK with a SYN cookie"));
}

TEST_CASE("what a script makes a peer do shows nothing of a TCP") {
  SampleRun run;
  run.add(capture::HostUp{.host = "kang", .is_peer = true});
  run.add(capture::HostUp{.host = "kodos"});
  run.frame("kodos", ".", 0, 0).state("kang", last_ack, established);
  CHECK(covered(run).findings().empty());
  CHECK(covered(run).jumps().empty());
  run.frame("kang", ".", 0, 0).state("kodos", last_ack, established);
  CHECK(covered(run).findings().size() == 1);
}

TEST_CASE("a transition that is not in the diagram is a finding") {
  const RunCoverage run = covered(receives(".", last_ack, established));
  REQUIRE(run.findings().size() == 1);
  CHECK(run.findings().front() ==
        "kang 10.0.0.1:40000 > 10.0.0.2:8080: LAST_ACK to ESTABLISHED around frame 1, which "
        "is not in RFC 9293");
  for (const TcpState to : {established, fin_wait1, fin_wait2, closing, time_wait})
    CHECK(judge(change(close_wait, to, StateCause::frame)) == StateChangeKind::finding);
  CHECK(judge(change(time_wait, established, StateCause::frame)) == StateChangeKind::finding);
}

namespace {

constexpr std::array kAll = {closed,    listen,    syn_sent, syn_recv,   established, fin_wait1,
                             fin_wait2, time_wait, closing,  close_wait, last_ack};

/// For each state, one row with a letter for each state that it can change to, in kAll's order: e
/// for an edge, m for merged, ! for a finding.
using Table = std::array<std::string_view, kAll.size()>;

void check_rulings(const Table& table, StateCause cause) {
  for (std::size_t row = 0; row < kAll.size(); ++row) {
    std::string rulings;
    for (const TcpState to : kAll)
      rulings +=
          to == kAll[row] ? '.' : "em!"[static_cast<int>(judge(change(kAll[row], to, cause)))];
    INFO("from " << capture::name(kAll[row]) << ", cause " << word(cause));
    CHECK(rulings == table[row]);
  }
}

}  // namespace

TEST_CASE("if a frame causes a change, each pair of states is an edge, merged, or a finding") {
  //             C L S S  E F F T C  C L
  //             L I S R  S 1 2 W G  W A
  check_rulings({".eeee!!!!e!",   // CLOSED: a connection starts with a SYN, or with a SYN cookie
                 "e.ee!m!!!!!",   // LISTEN: a close may follow (Fast Open)
                 "e!.eem!!!!!",   // SYN_SENT
                 "ee!.eemmmem",   // SYN_RECV: a close may come before the segment, or after it
                 "e!!!.emmmem",   // ESTABLISHED
                 "e!!!!.eee!!",   // FIN_WAIT1
                 "e!!!!!.e!!!",   // FIN_WAIT2
                 "e!ee!!!.!!!",   // TIME_WAIT: reopened, or reused
                 "e!!!!!!e.!!",   // CLOSING
                 "e!!!!!!!!.e",   // CLOSE_WAIT
                 "e!!!!!!!!!."},  // LAST_ACK
                StateCause::frame);
}

TEST_CASE(
    "a poll may miss a whole conversation, but a connection cannot pass through CLOSED unseen") {
  //             C L S S  E F F T C  C L
  //             L I S R  S 1 2 W G  W A
  check_rulings({".eeeemmmmem",   // CLOSED
                 "e.eemmmmmmm",   // LISTEN
                 "e!.eemmmmmm",   // SYN_SENT
                 "eem.eemmmem",   // SYN_RECV: to SYN_SENT through TIME_WAIT
                 "e!mm.emmmem",   // ESTABLISHED
                 "e!mmm.eeemm",   // FIN_WAIT1
                 "e!mmmm.emmm",   // FIN_WAIT2
                 "e!eemmm.mmm",   // TIME_WAIT
                 "e!mmmmme.mm",   // CLOSING
                 "e!!!!!!!!.e",   // CLOSE_WAIT
                 "e!!!!!!!!!."},  // LAST_ACK
                StateCause::poll);
}

TEST_CASE("states of a host's connection with itself are judged like polled states") {
  capture::State state = change(syn_sent, close_wait, StateCause::frame);
  CHECK(judge(state) == StateChangeKind::finding);
  state.remote = *capture::Endpoint::parse("10.0.0.1:8080");
  CHECK(judge(state) == StateChangeKind::merged);
}

TEST_CASE("every edge has its own trigger and its source") {
  for (const Edge& edge : state_diagram()) {
    INFO(capture::name(edge.from) << " to " << capture::name(edge.to) << ": " << edge.event);
    CHECK_FALSE(edge.source.empty());
    Triggers others = 0;
    for (const Edge& other : state_diagram())
      if (&other != &edge && other.from == edge.from && other.to == edge.to)
        others |= other.triggers;
    CHECK((edge.triggers & others) == 0);
  }
}

TEST_CASE("calls are counted by their results") {
  SampleRun run;
  run.hosts().call("kang", "read", 3, -1, ECONNRESET).call("kang", "recv", 3, 0);
  run.call("kang", "read", 0, 5).call("kang", "fcntl", 3, 0);
  run.call("kang", "recv", 0, -1, ENOTSOCK);  // standard input, used as a socket
  run.enter("kang", "poll", -1).poll_returns("kang", POLLIN | POLLERR | POLLHUP);
  run.enter("kang", "poll", -1).poll_returns("kang", 0, POLLIN);
  capture::Call call{.host = "kang", .phase = capture::CallPhase::leave, .call = "getsockopt"};
  call.fd = 3;
  call.arguments = "SO_ERROR";
  call.error = EPIPE;
  run.add(call);
  call.call = "write";
  call.arguments = "22 bytes";
  call.result = 10;
  run.add(call);
  call.call = "read";
  call.result = -1;
  call.error = EIO;
  call.injected = true;  // no answer of TCP
  run.add(call);
  const RunCoverage covered_run = covered(run);
  CHECK(has(covered_run, "read", "ECONNRESET"));
  CHECK(has(covered_run, "read", "0"));
  CHECK(has(covered_run, "poll", "IN|ERR|HUP"));
  CHECK(has(covered_run, "SO_ERROR", "EPIPE"));
  CHECK(has(covered_run, "write", "short"));
  CHECK(has(covered_run, "read", "ENOTSOCK"));
  CHECK(covered_run.answers().size() == 6);
}

TEST_CASE("coverage is written as a table, as a page and as JSON") {
  SampleRun run;
  run.start({.scenario = "resets"}).hosts().call("kang", "read", 3, -1, ENOSYS);
  run.frame("kodos", "R", 0, 0).state("kang", established, closed);
  run.frame("kodos", ".", 0, 0).state("kang", last_ack, established);
  const Coverage coverage = sum(run);
  std::ostringstream table;
  write_coverage(table, coverage, {.width = 200});
  CHECK(table.str().find("✓ ESTABLISHED to CLOSED   rcv RST\n    resets\n") != std::string::npos);
  CHECK(table.str().find("– LISTEN to SYN_SENT") != std::string::npos);
  CHECK(table.str().find("impossible here: Linux has no such call") != std::string::npos);
  CHECK(table.str().find("1 transitions are not in RFC 9293") != std::string::npos);
  const std::string page = coverage_markdown(coverage);
  CHECK(page.find("| IN\\|HUP | ") != std::string::npos);
  CHECK(page.find("| ENOSYS | seen, but not in the man pages | resets |") != std::string::npos);
  const auto json = nlohmann::json::parse(coverage_json(coverage));
  CHECK(json["runs"] == 1);
  CHECK(json["findings"][0]["scenario"] == "resets");
  CHECK(json["sections"][0]["rows"].size() == 20);  // Figure 5's arrows
}

}  // namespace tcplab::reports::tests
