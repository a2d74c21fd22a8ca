#include "app/suite/snapshot_json.hh"

#include "tests/catch.hh"

using namespace tcplab;
using namespace std::chrono_literals;

TEST_CASE("a snapshot is the same after it is written as JSON and read") {
  capture::SocketDetail closing;
  closing.socket.state = capture::TcpState::fin_wait1;
  closing.socket.local = base::Endpoint::parse("10.0.0.1:40000").value();
  closing.socket.remote = base::Endpoint::parse("10.0.0.2:8080").value();
  closing.socket.send_queue = 23;
  closing.socket.receive_queue = 7;
  closing.socket.timer = 1;
  closing.socket.timer_expires_ms = 204;
  closing.socket.retransmits = 2;
  closing.sending = capture::SendingInfo{.rto = 204ms,
                                         .rtt = 40us,
                                         .unacked = 2,
                                         .retransmits = 2,
                                         .backoff = 1,
                                         .lost = 1,
                                         .cwnd = 10,
                                         .ssthresh = 7,
                                         .all_retransmits = 3,
                                         .not_sent = 5,
                                         .mss = 1448};
  capture::SocketDetail waiting = closing;
  waiting.socket.state = capture::TcpState::time_wait;
  waiting.socket.local = base::Endpoint::parse("[fd00::1]:40000").value();
  waiting.sending.reset();
  const reports::Snapshot stand{
      .is_stepping = false,
      .time_stops = true,
      .frames = {{.frame = 7,
                  .from = "kang",
                  .to = "kodos",
                  .summary = "Flags [F.]",
                  .why = "delayed \xff",
                  .held = 3200ms,
                  .retransmissions = 2}},
      .hosts = {{"kang", true, {closing, waiting}}, {"kodos", false, {}}}};
  const reports::Snapshot read = app::parse_snapshot(app::to_json(stand));
  CHECK_FALSE(read.is_stepping);
  CHECK(read.time_stops);
  REQUIRE(read.frames.size() == 1);
  CHECK(read.frames[0].frame == 7);
  CHECK(read.frames[0].held == 3200ms);
  CHECK(read.frames[0].retransmissions == 2);
  CHECK(read.frames[0].summary == "Flags [F.]");
  REQUIRE(read.hosts.size() == 2);
  CHECK_FALSE(read.hosts[1].has_power);
  REQUIRE(read.hosts[0].sockets.size() == 2);
  CHECK(read.hosts[0].sockets[0].sending == closing.sending);
  CHECK(read.hosts[0].sockets[0].socket.timer_expires_ms == 204);
  CHECK(read.hosts[0].sockets[1].socket.local == waiting.socket.local);
  CHECK_FALSE(read.hosts[0].sockets[1].sending);
}
