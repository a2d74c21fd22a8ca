// The sample runs. Their times and orders come from real runs on Linux 6.18.
#include <poll.h>

#include <cerrno>
#include <csignal>

#include "tests/reports/sample_run.hh"

namespace tcplab::reports::tests {

namespace {

using capture::ActionVerb;
using capture::EffectKind;
using capture::StateCause;
using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::seconds;
using enum TcpState;

capture::Program started(const std::string& host, const std::string& command) {
  capture::Program program;
  program.host = host;
  program.program = host == "kang" ? "dnc-2" : "dnc";
  program.command = command;
  return program;
}

/// Returns the end of a program on a host that lost power. The lab notices it after the host is up
/// again.
capture::Program found_dead() {
  capture::Program program;
  program.host = "kodos";
  program.program = "dnc";
  program.change = capture::ProgramChange::killed;
  program.code = SIGKILL;
  return program;
}

capture::FaultRule two_frames() {
  return {.verb = ActionVerb::lose,
          .selection = "2 of ",
          .from = "kang",
          .to = "kodos",
          .filter = "tcp"};
}

capture::FaultRule hold_fin() { return {.verb = ActionVerb::hold, .name = "the FIN"}; }

void set_up(SampleRun& run) {
  run.at(microseconds(310)).hosts();
  run.later(milliseconds(2)).add(started("kodos", "dnc -l 8080"));
  run.later(milliseconds(3)).call("kodos", "socket", -1, 3);
  run.call("kodos", "bind", 3, 0).call("kodos", "listen", 3, 0);
  run.state("kodos", closed, listen, StateCause::poll).enter("kodos", "accept", 3);
  run.later(milliseconds(4)).add(started("kang", "dnc kodos 8080"));
  run.later(milliseconds(2)).call("kang", "socket", -1, 3);
}

void connect(SampleRun& run) {
  run.enter("kang", "connect", 3).later(microseconds(31));
  run.frame("kang", "S", 0, 0).state("kang", closed, syn_sent).state("kodos", listen, syn_recv);
  run.later(microseconds(22)).frame("kodos", "S.", 0, 1).state("kang", syn_sent, established);
  run.later(microseconds(9)).frame("kang", ".", 1, 1).state("kodos", syn_recv, established);
  run.leave("kang", "connect", 3, 0).later(microseconds(4));
  run.leave("kodos", "accept", 3, 4).later(microseconds(12));
  run.enter("kang", "poll", -1).later(microseconds(5)).enter("kodos", "poll", -1);
}

capture::RunStart warm_up_start() {
  capture::RunStart run;
  run.scenario = "warmup";
  run.title = "Warm-up: one side exits";
  run.asks = "What do both ends go through when the program on one of them exits?";
  run.source = "TCP puzzlers, the warm-up";
  run.article =
      "kodos's poll says 1, its read 0; it closes. kang stays in TIME_WAIT for 2 minutes.";
  run.here = "The same, but TIME_WAIT lasts 60 seconds: it is fixed in the kernel.";
  run.why = "TCP_TIMEWAIT_LEN in include/net/tcp.h; RFC 9293 section 3.4.2 asks for 2 MSL.";
  return run;
}

capture::RunStart power_cycle_start() {
  capture::RunStart run;
  run.scenario = "power-cycle";
  run.title = "Power cycle";
  run.asks = "What happens to an established, idle connection when one end is power cycled?";
  run.source = "TCP puzzlers, puzzler 1";
  run.article =
      "For 20 minutes, nothing. Then kang's write of 22 bytes succeeds, and 0.8 ms later its read "
      "fails with ECONNRESET.";
  run.here = "The same: write 22; revents IN, ERR and HUP; read ECONNRESET once, and 0 after it.";
  run.why =
      "A host without power says nothing, so its peer learns nothing. The new kernel knows of no "
      "such connection and answers the first segment with a RST (RFC 9293 section 3.5.2).";
  return run;
}

}  // namespace

SampleRun warm_up() {
  SampleRun run;
  run.start(warm_up_start());
  set_up(run);
  connect(run);
  run.at(milliseconds(60))
      .action("kang", ActionVerb::type, "dnc-2", "hello\n")
      .later(microseconds(90));
  run.poll_returns("kang", 0, POLLIN).call("kang", "read", 0, 6, 0, "hello\\n");
  run.enter("kang", "write", 3).later(microseconds(11));
  run.frame("kang", "P.", 1, 1, 6).frame("kodos", ".", 1, 7);
  run.leave("kang", "write", 3, 6, 0, "hello\\n").enter("kang", "poll", -1);
  run.poll_returns("kodos", POLLIN).call("kodos", "read", 4, 6, 0, "hello\\n");
  run.enter("kodos", "poll", -1);
  run.at(milliseconds(90))
      .action({.host = "kang", .verb = ActionVerb::stop, .program = "dnc-2", .signal = SIGTERM})
      .later(microseconds(200));
  run.frame("kang", "F.", 7, 1).state("kang", established, fin_wait1);
  run.state("kodos", established, close_wait).poll_returns("kodos", POLLIN);
  run.call("kodos", "read", 4, 0).enter("kodos", "close", 4);
  run.frame("kodos", "F.", 1, 8).state("kodos", close_wait, last_ack);
  run.state("kang", fin_wait1, time_wait).leave("kodos", "close", 4, 0);
  run.frame("kang", ".", 8, 2).state("kodos", last_ack, closed).later(milliseconds(1));
  run.verdict(true, "kang's side passes through FIN_WAIT1, TIME_WAIT",
              "both, 90.251 ms after start");
  run.at(seconds(60) + milliseconds(91)).state("kang", time_wait, closed, StateCause::destroyed);
  run.verdict(true, "TIME_WAIT ends after 60 s", "after 60.0 s");
  return run.end(capture::Outcome::passed);
}

SampleRun power_cycle() {
  SampleRun run;
  run.start(power_cycle_start());
  set_up(run);
  connect(run);
  run.at(milliseconds(43)).verdict(true, "kang is in state ESTABLISHED", "ESTABLISHED");
  run.later(microseconds(150)).action("kodos", ActionVerb::power_cycle);
  run.state("kodos", listen, closed, StateCause::power)
      .state("kodos", established, closed, StateCause::power);
  run.at(milliseconds(58))
      .host("kodos", "10.0.0.2", 2)
      .add(found_dead())
      .action({.verb = ActionVerb::wait, .span = seconds(20)});
  run.at(seconds(20) + milliseconds(58))
      .verdict(true, "kang is still in state ESTABLISHED", "ESTABLISHED for 20 s, without a break");
  run.verdict(true, "kodos has no connection", "none");
  run.action("kang", ActionVerb::type, "dnc-2", "kodos, are you there?\n").later(microseconds(80));
  run.poll_returns("kang", 0, POLLIN).call("kang", "read", 0, 22, 0, "kodos, are you there?\\n");
  run.enter("kang", "write", 3).later(microseconds(14));
  run.frame("kang", "P.", 1, 1, 22).leave("kang", "write", 3, 22, 0, "kodos, are you there?\\n");
  run.enter("kang", "poll", -1).later(microseconds(8));
  run.frame("kodos", "R", 1, 0).state("kang", established, closed);
  run.poll_returns("kang", POLLIN | POLLERR | POLLHUP);
  run.call("kang", "read", 3, -1, ECONNRESET).later(milliseconds(1));
  run.verdict(true, "kang: write returns 22", "write(3) = 22");
  run.verdict(true, "kodos > kang: tcp[tcpflags] & tcp-rst != 0 within 200 ms",
              "frame 5, after 62 us");
  run.verdict(true, "kang: read fails with ECONNRESET", "read(3) = -1 ECONNRESET, after 71 us");
  return run.end(capture::Outcome::passed);
}

SampleRun with_loss() {
  SampleRun run = power_cycle();
  run = {};
  capture::RunStart start;
  start.scenario = "loss";
  start.title = "The second segment is lost";
  run.start(start);
  set_up(run);
  connect(run);
  run.at(milliseconds(50)).action({.verb = ActionVerb::lose, .fault = two_frames()});
  run.enter("kang", "write", 3).later(microseconds(14));
  run.lose("kang", "P.", 1, 1, 22, {.kind = EffectKind::lost, .fault = two_frames()})
      .leave("kang", "write", 3, 22, 0, "kodos, are you there?\\n");
  run.later(milliseconds(204))
      .lose("kang", "P.", 1, 1, 22, {.kind = EffectKind::lost, .fault = two_frames()});
  run.later(milliseconds(416)).frame("kang", "P.", 1, 1, 22).frame("kodos", ".", 1, 23);
  run.poll_returns("kodos", POLLIN).call("kodos", "read", 4, 22, 0, "kodos, are you there?\\n");
  run.later(seconds(7)).frame("kang", ".", 22, 1).frame("kodos", ".", 1, 23);
  capture::Packet held = run.later(milliseconds(20)).packet("kodos", "F.", 1, 23, 0);
  held.fate = capture::Fate::held;
  held.effects = {{.kind = EffectKind::held, .fault = hold_fin()}};
  run.add(held).state("kodos", established, fin_wait1);
  run.later(seconds(3));
  held.fate = capture::Fate::delivered;
  held.delivered = held.sent + seconds(3);
  run.add(held).state("kang", established, close_wait);
  capture::Packet forged = run.later(milliseconds(1)).packet("kang", "R", 23, 0, 0);
  forged.fate = capture::Fate::forged;
  forged.delivered = forged.sent + microseconds(20);
  run.add(forged).state("kodos", fin_wait1, closed);
  run.call("kodos", "getsockopt", 4, 0, ECONNRESET);
  run.add(capture::Flood{"kang", "kodos", 51234, 74'400'000, milliseconds(310)});
  run.verdict(false, "kodos: read returns 0 within 2 s",
              "read(4) = 22 at 0.671 s, and after that no read at all until the time was up");
  return run.end(capture::Outcome::failed);
}

/// A run with an old duplicate, a retransmission, and a segment to a closed connection.
SampleRun with_kernels() {
  SampleRun run;
  capture::RunStart start;
  start.scenario = "kernels";
  run.start(start);
  set_up(run);
  connect(run);
  capture::Kernel said{.host = "kodos",
                       .what = capture::KernelAction::drop,
                       .reason = "TCP_RFC7323_PAWS",
                       .frame = run.at(milliseconds(50)).next_frame()};
  run.frame("kang", "P.", 1, 1, 5).add(said).frame("kodos", ".", 1, 1);
  said = {.host = "kang", .what = capture::KernelAction::retransmit, .state = established};
  run.later(milliseconds(204)).add(said);
  said = {.host = "kodos", .what = capture::KernelAction::reset, .reason = "NO_SOCKET"};
  said.frame = run.next_frame();
  run.frame("kang", "P.", 1, 1, 22).add(said);
  said = {.host = "kang", .what = capture::KernelAction::error, .error = ECONNRESET};
  said.frame = run.next_frame();
  run.frame("kodos", "R", 1, 0).add(said).state("kang", established, closed);
  return run.end(capture::Outcome::passed);
}

SampleRun three_hosts() {
  SampleRun run;
  capture::RunStart start;
  start.scenario = "stranger";
  run.start(start);
  run.at(microseconds(300)).hosts().host("krusty", "10.0.0.3");
  run.later(milliseconds(5)).enter("kodos", "accept", 3);
  connect(run);
  capture::Packet probe = run.later(milliseconds(7)).packet("kang", "S", 0, 0, 0);
  probe.from = "krusty";
  probe.to = "kang";
  probe.source = *capture::Endpoint::parse("10.0.0.3:5000");
  probe.destination = *capture::Endpoint::parse("10.0.0.1:22");
  probe.sequence = 99;
  run.add(probe);
  std::swap(probe.from, probe.to);
  std::swap(probe.source, probe.destination);
  probe.flags = "R.";
  probe.sequence = 0;
  probe.acknowledgment = 100;
  run.later(microseconds(50)).add(probe);
  run.action("krusty", ActionVerb::power_off);
  capture::Packet who_has;
  who_has.frame = run.next_frame();
  who_has.from = "kang";
  who_has.protocol = "ARP";
  who_has.summary = "who-has 10.0.0.3 tell 10.0.0.1";
  return run.add(who_has).end(capture::Outcome::passed);
}

SampleRun hostile_text() {
  SampleRun run;
  capture::RunStart start;
  start.scenario = "hostile";
  start.title = "Title \x1b[2J with \xff and \xe2\x80\xae bidi";
  run.start(start);
  run.hosts().enter("kodos", "accept", 3);
  connect(run);
  run.call("kang", "read", 3, 5, 0, "\x1b]0;gone\x07\xc3");
  run.add(
      capture::Note{"a note\r\nwith \x9b"
                    "31m and \xc2\x9b"
                    "31m"});
  run.action("kang", ActionVerb::type, "dnc-2", "\x1b[31m\n");
  run.verdict(false, "exp\x1b[0m", "seen\b\b");
  return run.end(capture::Outcome::failed);
}

}  // namespace tcplab::reports::tests
