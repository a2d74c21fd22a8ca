// Checks the comments on each frame of a capture file.
#include "reports/comments/frame_comments.hh"

#include <cerrno>
#include <csignal>

#include "tests/catch.hh"
#include "tests/reports/sample_run.hh"

namespace tcplab::reports::tests {

namespace {

using namespace std::chrono_literals;
using Lines = std::vector<std::string>;

const auto kKang = *capture::Endpoint::parse("10.0.0.1:40000");
const auto kKodos = *capture::Endpoint::parse("10.0.0.2:8080");

/// Its calls name their connection, as dnc's do.
SampleRun established() {
  SampleRun run;
  run.hosts();
  run.enter("kang", "connect", 3);
  run.later(10us).frame("kang", "S", 0, 0).frame("kodos", "S.", 0, 1);
  run.leave("kang", "connect", 3, 0);
  auto& call = std::get<capture::Call>(const_cast<capture::Event&>(run.events().back()).body);
  call.local = kKang;
  call.remote = kKodos;
  return run.later(5us).frame("kang", ".", 1, 1);
}

FrameComments comments_of(const SampleRun& run) {
  FrameComments comments;
  for (const Event& event : run.events()) comments.event(event);
  comments.settle(capture::Instant::max());
  return comments;
}

/// Returns the comments of the last frame, on its sender's side.
Lines last_of(const SampleRun& run) { return comments_of(run).of_sender(run.next_frame() - 1); }

}  // namespace

TEST_CASE("a handshake's frames name the call, the answers, and the call that is woken") {
  const SampleRun run = established();
  const FrameComments comments = comments_of(run);
  CHECK(comments.of_sender(1) == Lines{"caused by kang's dnc-2: connect(3, kodos:8080) = 0"});
  CHECK(comments.of_sender(2) == Lines{"kodos's kernel answers packet id 1"});
  CHECK(comments.of_receiver(2, "kang") == Lines{"wakes kang's dnc-2: connect(3, kodos:8080) = 0"});
  CHECK(comments.of_receiver(2, "kodos") == Lines{});
  CHECK(comments.of_sender(3) == Lines{"kang's kernel acknowledges packet id 2"});
  CHECK_FALSE(comments.knows(4));
}

TEST_CASE("a segment names the write that its data comes from, not the write at its time") {
  SampleRun run = established();
  run.call("kang", "write", 3, 5, 0, "first");  // the kernel keeps it back
  run.enter("kang", "write", 3).later(1us);
  run.frame("kang", "P.", 1, 1, 5);
  run.leave("kang", "write", 3, 6, 0, "second").later(1us);
  run.frame("kang", "P.", 6, 1, 6);
  const FrameComments comments = comments_of(run);
  CHECK(comments.of_sender(4) ==
        Lines{"carries what was written by kang's dnc-2: write(3) = 5 \"first\""});
  CHECK(comments.of_sender(5) ==
        Lines{"carries what was written by kang's dnc-2: write(3) = 6 \"second\""});
}

TEST_CASE("a segment names the write that is still in progress when it is sent") {
  SampleRun run = established();
  run.enter("kang", "write", 3).later(1us).frame("kang", "P.", 1, 1, 5);
  CHECK(last_of(run) == Lines{"caused by kang's dnc-2: write(3) …"});
  run.leave("kang", "write", 3, 5, 0, "hello");
  CHECK(last_of(run) == Lines{"caused by kang's dnc-2: write(3) = 5 \"hello\""});
}

TEST_CASE("a write is not named if another program may have the descriptor by then") {
  SampleRun run = established();
  run.call("kang", "sendmsg", 9, 1);
  run.enter("kang", "write", 3).later(1us).frame("kang", "P.", 1, 1, 5);
  CHECK(last_of(run) == Lines{});
}

TEST_CASE("a segment wakes only the read that was waiting for it") {
  SampleRun run = established();
  run.enter("kang", "read", 3).later(1ms).frame("kodos", "P.", 1, 1, 5);
  run.leave("kang", "read", 3, 5, 0, "first").later(1us);
  run.frame("kodos", "P.", 6, 1, 6).later(1us);
  run.enter("kang", "read", 3).later(1us).frame("kodos", "P.", 12, 1, 5);
  run.leave("kang", "read", 3, 6, 0, "second");
  const FrameComments comments = comments_of(run);
  CHECK(comments.of_receiver(4, "kang") == Lines{"wakes kang's dnc-2: read(3) = 5 \"first\""});
  CHECK(comments.of_receiver(5, "kang") == Lines{});
  CHECK(comments.of_receiver(6, "kang") == Lines{});
}

TEST_CASE("a segment does not wake a read whose error is injected") {
  SampleRun run = established();
  run.enter("kang", "read", 3).later(1ms).frame("kodos", "P.", 1, 1, 5);
  run.leave("kang", "read", 3, -1, EINTR);
  CHECK(comments_of(run).of_receiver(4, "kang").size() == 1);
  std::get<capture::Call>(const_cast<capture::Event&>(run.events().back()).body).injected = true;
  CHECK(comments_of(run).of_receiver(4, "kang").empty());
}

TEST_CASE("retransmissions, acknowledgments and probes are attributed to the kernel") {
  SampleRun run = established();
  run.call("kang", "write", 3, 5, 0, "hello").lose("kang", "P.", 1, 1, 5, "line");
  CHECK(last_of(run) == Lines{"carries what was written by kang's dnc-2: write(3) = 5 \"hello\"",
                              "lost: lose \"line\""});
  run.later(200ms).frame("kang", "P.", 1, 1, 5);
  CHECK(last_of(run) == Lines{"kang's kernel retransmits packet id 4"});
  run.frame("kodos", ".", 1, 6);
  CHECK(last_of(run) == Lines{"kodos's kernel acknowledges packet id 5"});
  run.later(7s).frame("kang", ".", 5, 1);
  CHECK(last_of(run) == Lines{"kang's kernel sends a keepalive probe"});
}

TEST_CASE("each end's state changes are on its own side") {
  SampleRun run = established();
  run.enter("kang", "close", 3).later(1us);
  run.frame("kang", "F.", 1, 1);
  run.state("kang", TcpState::established, TcpState::fin_wait1);
  run.state("kodos", TcpState::established, TcpState::close_wait);
  run.leave("kang", "close", 3, 0);
  const FrameComments comments = comments_of(run);
  CHECK(comments.of_sender(4) ==
        Lines{"caused by kang's dnc-2: close(3) = 0", "kang: ESTABLISHED -> FIN_WAIT1"});
  CHECK(comments.of_receiver(4, "kodos") == Lines{"kodos: ESTABLISHED -> CLOSE_WAIT"});
}

TEST_CASE("a FIN that no call sent is caused by the end of its program") {
  SampleRun run = established();
  run.frame("kang", "F.", 1, 1);
  CHECK(last_of(run) == Lines{});
  run.add(capture::Program{.host = "kang",
                           .program = "dnc-2",
                           .change = capture::ProgramChange::killed,
                           .command = {},
                           .code = SIGKILL,
                           .stream = {},
                           .text = {}});
  CHECK(last_of(run) == Lines{"caused by the end of kang's dnc-2: killed by SIGKILL"});
}

TEST_CASE("a RST names the verb by which its sender lost the connection") {
  SampleRun run = established();
  run.action("kodos", capture::ActionVerb::power_cycle)
      .state("kodos", TcpState::established, TcpState::closed, capture::StateCause::power);
  run.later(1s).frame("kang", "P.", 1, 1, 5).frame("kodos", "R", 1, 0);
  CHECK(last_of(run) == Lines{"kodos's kernel answers packet id 4",
                              "kodos has lost this connection: power_cycle, line 9"});
}

TEST_CASE("a frame lost because a host is gone names the verb that removed the host") {
  SampleRun run = established();
  run.action("kodos", capture::ActionVerb::power_off);
  run.lose("kang", "P.", 1, 1, 5, {.kind = capture::EffectKind::receiver_gone});
  CHECK(last_of(run) == Lines{"lost: kodos is not on the wire (power_off, line 9)"});
}

TEST_CASE("a forged frame has no comment on its sender's side") {
  SampleRun run = established();
  capture::Packet forged = run.packet("kodos", "R.", 1, 1, 0);
  forged.fate = capture::Fate::forged;
  forged.effects = {{.kind = capture::EffectKind::forged}};
  forged.delivered = forged.sent;
  run.add(forged);
  const FrameComments comments = comments_of(run);
  CHECK(comments.of_receiver(4, "kang") == Lines{"forged by the script"});
  CHECK(comments.of_sender(4) == Lines{});
}

}  // namespace tcplab::reports::tests
