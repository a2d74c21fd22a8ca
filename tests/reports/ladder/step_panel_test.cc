#include "reports/ladder/step_panel.hh"

#include "reports/text/socket_text.hh"
#include "tests/catch.hh"
#include "tests/reports/golden.hh"

using namespace tcplab;
using namespace tcplab::reports;
using tcplab::reports::tests::check_golden;
using namespace std::chrono_literals;
using capture::TcpState;

namespace {

capture::Endpoint at(const std::string& text) { return capture::Endpoint::parse(text).value(); }

capture::SocketDetail socket(TcpState state, std::uint8_t timer, std::uint32_t expires_ms) {
  capture::SocketDetail detail;
  detail.socket.state = state;
  detail.socket.local = at("10.0.0.1:40000");
  detail.socket.remote = at("10.0.0.2:8080");
  detail.socket.timer = timer;
  detail.socket.timer_expires_ms = expires_ms;
  return detail;
}

std::string timer(TcpState state, std::uint8_t number, std::uint32_t expires_ms) {
  return timer_text(socket(state, number, expires_ms).socket);
}

HostNames names() {
  HostNames names;
  names.learn({"kang", 1, {{"eth0", "", {"10.0.0.1/24"}}}});
  names.learn({"kodos", 1, {{"eth0", "", {"10.0.0.2/24"}}}});
  return names;
}

/// kang's FIN is held, and kang has retransmitted it meanwhile.
StepPanel closing() {
  capture::SocketDetail kang = socket(TcpState::fin_wait1, 1, 420);
  kang.socket.send_queue = 1;
  kang.sending = capture::SendingInfo{
      .rto = 816ms, .rtt = 45us, .unacked = 1, .cwnd = 1, .ssthresh = 7, .all_retransmits = 1};
  capture::SocketDetail kodos = socket(TcpState::established, 0, 0);
  std::swap(kodos.socket.local, kodos.socket.remote);
  kodos.socket.receive_queue = 23;
  kodos.sending =
      capture::SendingInfo{.rto = 204ms, .rtt = 80us, .cwnd = 10, .ssthresh = 0x7fffffff};
  const std::string fin =
      "Flags [F.], seq 24, ack 1, win 502, options [nop,nop,TS val 1 ecr 2], "
      "length 0";
  return {
      .stand =
          {.frames = {{.frame = 7, .from = "kang", .to = "kodos", .summary = fin, .held = 3200ms},
                      {.frame = 8, .from = "kang", .to = "kodos", .summary = fin, .held = 400ms}},
           .hosts = {{"kang", true, {kang}}, {"kodos", true, {kodos}}}},
      .hosts = {{.host = "kang", .program = "dnc: wrote 23 bytes; was killed by SIGINT"},
                {.host = "kodos", .program = "dnc: connected to kang:40000; waits in poll()"}},
      .names = names(),
      .waits = "kodos's dnc in state CLOSE_WAIT, within 5 s",
      .height = 40};
}

std::string text_of(const StepPanel& panel, const Style& style) {
  std::string text;
  for (const StyledText& line : step_panel_lines(panel, style)) text += render(line, style) + "\n";
  return text;
}

}  // namespace

TEST_CASE("a panel in a wide window shows the hosts side by side") {
  check_golden("step-panel-100", text_of(closing(), {.width = 100}));
}

TEST_CASE("a panel in a narrow window shows the hosts below each other") {
  StepPanel panel = closing();
  panel.height = 24;
  check_golden("step-panel-70", text_of(panel, {.width = 70}));
}

TEST_CASE("a panel without UTF-8 is ASCII, and can show a frame that goes to the left") {
  StepPanel panel = closing();
  std::swap(panel.stand.frames[0].from, panel.stand.frames[0].to);
  panel.stand.frames.resize(1);
  panel.stand.hosts[0].has_power = false;
  check_golden("step-panel-ascii", text_of(panel, {.width = 100, .unicode = false}));
}

TEST_CASE("a panel can have no frame, and can show help") {
  StepPanel panel = closing();
  panel.stand.frames.clear();
  const std::string text = text_of(panel, {.width = 100});
  CHECK(text.find("no frame in transit") != std::string::npos);
  CHECK(text.find("space: deliver") == std::string::npos);  // there is nothing to deliver
  CHECK(text.find(" n: to the next state change") != std::string::npos);
  panel.shows_help = true;
  check_golden("step-panel-help", text_of(panel, {.width = 100}));
}

TEST_CASE("a panel says what was retransmitted during the pause") {
  StepPanel panel = closing();
  CHECK(text_of(panel, {.width = 100}).find("has retransmitted") == std::string::npos);
  panel.stand.frames[0].retransmissions = 2;
  CHECK(text_of(panel, {.width = 100})
            .find("kang has retransmitted it 2 times: if you deliver it, the copies are dropped") !=
        std::string::npos);
  panel.stand.frames[0].retransmissions = 1;
  CHECK(text_of(panel, {.width = 100}).find("it once: if you deliver it, the copy is dropped") !=
        std::string::npos);
}

TEST_CASE("a panel says that time stands still, and for no frame how long it is held") {
  StepPanel panel = closing();
  CHECK(text_of(panel, {.width = 100}).find("time stands still") == std::string::npos);
  panel.stand.time_stops = true;
  const std::string text = text_of(panel, {.width = 100});
  CHECK(text.find("paused: time stands still, for the hosts and the script") != std::string::npos);
  CHECK(text.find(" held for ") == std::string::npos);
  panel.shows_help = true;
  CHECK(text_of(panel, {.width = 100}).find("jumps to the next timer") != std::string::npos);
}

TEST_CASE("a panel never exceeds its window") {
  const int height = GENERATE(16, 20, 24, 40);
  const int width = GENERATE(60, 79, 80, 99, 200);
  StepPanel panel = closing();
  panel.height = height;
  panel.shows_help = GENERATE(false, true);
  const auto lines = step_panel_lines(panel, {.width = width});
  CHECK(int(lines.size()) < height);
  for (const StyledText& line : lines) CHECK(line.columns() <= width);
  CHECK(lines.back().text().find("space: deliver") != std::string::npos);
}

TEST_CASE("while frames pass without a pause, the panel is one line") {
  StepPanel panel = closing();
  panel.stand.is_stepping = false;
  CHECK(text_of(panel, {.width = 100}) ==
        " frames pass without a pause · s: pause again · q: quit\n");
}

TEST_CASE("each timer has its text") {
  CHECK(timer(TcpState::syn_sent, 1, 800) == "retransmits the SYN in 800 ms");
  CHECK(timer(TcpState::syn_recv, 1, 1000) == "retransmits the SYN-ACK in 1.0 s");
  CHECK(timer(TcpState::established, 1, 204) == "retransmits in 204 ms");
  CHECK(timer(TcpState::established, 2, 7100) == "keepalive in 7.1 s");
  CHECK(timer(TcpState::time_wait, 3, 58200) == "TIME_WAIT ends in 58.2 s");
  CHECK(timer(TcpState::fin_wait2, 3, 900) == "FIN_WAIT2 ends in 900 ms");
  CHECK(timer(TcpState::established, 4, 400) == "probes the zero window in 400 ms");
  CHECK(timer(TcpState::established, 0, 0) == "no timer");
}

TEST_CASE("a minisocket has no queues") {
  CHECK(queues_text(socket(TcpState::time_wait, 3, 100)).empty());
  CHECK(sending_text(socket(TcpState::time_wait, 3, 100)).empty());
}
