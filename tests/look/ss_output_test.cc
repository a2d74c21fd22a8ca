// Reads what ss -tnoiep writes.
#include "look/ss_output.hh"

#include "base/error.hh"
#include "tests/catch.hh"

using namespace tcplab;
using namespace std::chrono_literals;
using capture::TcpState;
using Catch::Matchers::Contains;

namespace {

// iproute2 6.1; the addresses are examples.
constexpr const char* kOutput =
    "State  Recv-Q Send-Q Local Address:Port  Peer Address:Port Process\n"
    "ESTAB  0      22     10.0.0.1:40000     10.0.0.2:5432  "
    "users:((\"python3\",pid=4711,fd=3)) timer:(on,1.204ms,3) uid:1000 ino:9 sk:1 <->\n"
    "\t ts sack cubic wscale:7,7 rto:1632 backoff:3 rtt:0.03/0.01 mss:1448 cwnd:1 bytes_sent:44 "
    "data_segs_out:4 lastsnd:428 lastrcv:9000 lastack:9000 unacked:1 retrans:1/3 snd_wnd:65536\n"
    "ESTAB  0      0      [fd00::1]:40001    [fd00::2]:80  "
    "users:((\"nginx\",pid=12,fd=5),(\"nginx\",pid=11,fd=5)) timer:(keepalive,119min,0) uid:0\n"
    "\t cubic rto:204 lastsnd:5000 lastrcv:5000 lastack:5000\n"
    "LISTEN 2      128    0.0.0.0:80         0.0.0.0:*\n"
    "\t cubic cwnd:10\n";

}  // namespace

TEST_CASE("times of ss are read as it writes them") {
  CHECK(look::parse_ss_time("200ms") == 200ms);
  CHECK(look::parse_ss_time("1.204ms") == 1204ms);
  CHECK(look::parse_ss_time("12sec") == 12s);
  CHECK(look::parse_ss_time("1min59sec") == 119s);
  CHECK(look::parse_ss_time("119min") == 119min);
  for (const char* text : {"", "x", "12", "12secs", "min", "1.2"})
    CHECK_FALSE(look::parse_ss_time(text));
}

TEST_CASE("the output of ss becomes processes with connections") {
  const look::SsOutput output = look::read_ss_output(kOutput);
  CHECK(output.skipped == 0);
  REQUIRE(output.processes.size() == 4);  // 11, 12, 4711, and nobody's
  const look::LookedProcess& python = output.processes[2];
  CHECK(python.id == 4711);
  REQUIRE(python.connections.size() == 1);
  const look::LookedConnection& one = python.connections[0];
  CHECK(one.descriptors == std::vector<int>{3});
  CHECK(one.remote->to_string() == "10.0.0.2:5432");
  CHECK(one.facts.state == TcpState::established);
  CHECK(one.facts.unacknowledged == 22);
  CHECK(one.facts.retransmissions == 3);
  CHECK(one.facts.until_timer == 1204ms);
  CHECK(one.facts.rto == 1632ms);
  CHECK(one.facts.in_flight == 1);
  CHECK(one.facts.has_sent);
  CHECK_FALSE(one.facts.has_received);
  CHECK(one.facts.peer_window == 65536U);

  const look::LookedConnection& shared = output.processes[0].connections[0];
  CHECK(output.processes[0].id == 11);
  CHECK(shared.facts.has_keepalive_timer);
  CHECK(shared.facts.since_heard == 5s);
  CHECK(shared.local.to_string() == "[fd00::1]:40001");
  CHECK(output.processes[3].id == 0);
  CHECK(output.processes[3].connections[0].facts.state == TcpState::listen);
}

TEST_CASE("the wait of each connection follows from what ss shows") {
  const look::SsOutput output = look::read_ss_output(kOutput);
  const auto waits = look::waits_of(output.processes[2]);
  REQUIRE(waits.size() == 1);
  CHECK(waits[0].end.kind == audit::WaitEndKind::retransmissions);
  CHECK_FALSE(waits[0].may_last_for_ever);
  CHECK(look::waits_of(output.processes[0])[0].end.kind == audit::WaitEndKind::keepalive);
}

TEST_CASE("a timer that is due has no time in the output of ss") {
  const look::SsOutput output =
      look::read_ss_output("ESTAB 0 9 10.0.0.1:5 10.0.0.2:9 timer:(persist,,2) ino:9 sk:1\n");
  const audit::SocketFacts& facts = output.processes.at(0).connections.at(0).facts;
  CHECK(facts.until_timer == std::chrono::nanoseconds(0));
  CHECK(facts.has_window_timer);
  CHECK(facts.probes == 2);
}

TEST_CASE("a timer that ss does not write is no timer") {
  const look::SsOutput output =
      look::read_ss_output("ESTAB 0 9 10.0.0.1:5 10.0.0.2:9 timer:(on,xxsec,9) ino:9 sk:1\n");
  REQUIRE(output.processes.size() == 1);
  const audit::SocketFacts& facts = output.processes[0].connections.at(0).facts;
  CHECK_FALSE(facts.until_timer);
  CHECK(facts.retransmissions == 0);
}

TEST_CASE("what is no output of ss, or lacks its details, is refused with the command") {
  CHECK_THROWS_WITH(look::read_ss_output("hello\n"),
                    Contains("no TCP connection") && Contains("ss -tnoiep | tcplab look -"));
  CHECK(look::read_ss_output("State Recv-Q Send-Q Local Address:Port\n").processes.empty());
  CHECK_THROWS_WITH(look::read_ss_output(""), Contains("no TCP connection"));
  CHECK_THROWS_WITH(look::read_ss_output("ESTAB 0 0 10.0.0.1:1 10.0.0.2:2\n"),
                    Contains("no details") && Contains("ss -tnoiep"));
  const std::string line = "ESTAB 0 0 10.0.0.1:1 10.0.0.2:2 timer:(on,x,y\n";
  CHECK_NOTHROW(look::read_ss_output(line));
  for (std::size_t size = 0; size < std::string(kOutput).size(); ++size) {
    try {
      for (const auto& process :
           look::read_ss_output(std::string(kOutput).substr(0, size)).processes)
        look::waits_of(process);
    } catch (const base::UsageError&) {
    }
  }
}

TEST_CASE("numbers that no kernel has do no harm") {
  for (const char* rest :
       {"timer:(on,9223372036854775807min,1) rto:200 unacked:1",
        "timer:(on,1sec,4000000000) unacked:1", "timer:(on,1sec,255) rto:1e300 unacked:1",
        "lastsnd:nan rto:-1 unacked:1", "timer:(keepalive,-5sec,99) lastack:inf",
        "timer:(persist,1.2.3ms,) rto:0"})
    for (const char* state : {"ESTAB", "SYN-SENT", "FIN-WAIT-1", "CLOSE-WAIT"}) {
      INFO(state << " " << rest);
      const std::string line = std::string(state) + " 0 1 10.0.0.1:1 10.0.0.2:2 " + rest + "\n";
      const look::SsOutput output = look::read_ss_output(line);
      CHECK(look::waits_of(output.processes[0]).size() == 1);
    }
}
