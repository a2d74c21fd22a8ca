#include "reports/story/knowledge.hh"

#include <cerrno>

#include "tests/catch.hh"
#include "tests/reports/sample_run.hh"

namespace tcplab::reports::tests {

namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using enum TcpState;

/// Returns the views of both hosts after all the events; kang's comes first.
std::vector<HostView> views_after(const SampleRun& run) {
  Knowledge knowledge;
  for (const Event& event : run.events()) knowledge.see(event);
  return knowledge.views();
}

SampleRun connected() {
  SampleRun run;
  run.start({}).hosts();
  run.enter("kodos", "accept", 3).enter("kang", "connect", 3);
  run.frame("kang", "S", 0, 0).state("kang", closed, syn_sent).state("kodos", listen, syn_recv);
  run.frame("kodos", "S.", 0, 1).state("kang", syn_sent, established);
  run.frame("kang", ".", 1, 1).state("kodos", syn_recv, established);
  return run.leave("kang", "connect", 3, 0).leave("kodos", "accept", 3, 4);
}

bool has(const std::string& text, const std::string& part) {
  INFO("\"" << text << "\" has no \"" << part << "\"");
  CHECK(text.find(part) != std::string::npos);
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("without a failure, program, kernel and truth agree") {
  const auto views = views_after(connected());
  REQUIRE(views.size() == 2);
  CHECK(views[0].program == "dnc-2: connected to kodos:8080");
  CHECK(views[0].kernel == "ESTABLISHED with kodos:8080");
  CHECK(views[0].truth == "kodos's end is in ESTABLISHED");
  CHECK_FALSE(views[0].is_mistaken);
  CHECK(views[0].states == std::vector{established});
  CHECK(views[1].program == "dnc: connected to kang:40000");
}

TEST_CASE("a connect that goes on has not failed") {
  SampleRun run;
  run.start({}).hosts().enter("kang", "connect", 3);
  run.leave("kang", "connect", 3, -1, EINPROGRESS);
  CHECK(views_after(run)[0].program == "dnc-2: connecting to kodos:8080");
  run.call("kang", "read", 3, -1, EAGAIN);
  has(views_after(run)[0].program, "connecting to kodos:8080");
  run.call("kang", "read", 3, 5);
  has(views_after(run)[0].program, "connected to kodos:8080; read 5 bytes");
}

TEST_CASE("after a power cycle, the peer's kernel still has the connection") {
  SampleRun run = connected();
  run.at(seconds(1))
      .action("kodos", capture::ActionVerb::power_cycle)
      .state("kodos", established, closed, capture::StateCause::power);
  auto views = views_after(run);
  CHECK(views[0].is_mistaken);
  CHECK(views[0].truth == "kodos was power cycled at 1.000 s");
  CHECK(views[1].kernel == "there is none");
  has(views[1].program, "ended when its host lost power");

  run.host("kodos", "10.0.0.2", 2).call("kang", "write", 3, 22);
  run.frame("kang", "P.", 1, 1, 22);
  views = views_after(run);
  CHECK(views[0].program == "dnc-2: connected to kodos:8080; wrote 22 bytes, no answer");
  CHECK(views[0].kernel == "ESTABLISHED with kodos:8080, 22 bytes unacknowledged");
  CHECK(views[0].truth == "kodos has no such connection: it was power cycled at 1.000 s");
  CHECK(views[0].is_mistaken);
  CHECK(views[1].kernel.empty());
}

TEST_CASE("after a RST, the kernel knows more than its program") {
  SampleRun run = connected();
  run.call("kang", "write", 3, 22).frame("kang", "P.", 1, 1, 22);
  run.frame("kodos", "R", 1, 0).state("kang", established, closed);
  auto views = views_after(run);
  CHECK(views[0].kernel == "no connection: it was reset by kodos:8080");
  CHECK(views[0].truth == "dnc-2 has not been told yet");
  run.call("kang", "read", 3, -1, ECONNRESET);
  views = views_after(run);
  CHECK(views[0].truth.empty());
  has(views[0].program, "read failed with ECONNRESET");
}

TEST_CASE("retransmissions are counted, even of a held or lost frame") {
  SampleRun run = connected();
  run.lose("kang", "P.", 1, 1, 22, "lost").lose("kang", "P.", 1, 1, 22, "lost");
  CHECK(views_after(run)[0].kernel ==
        "ESTABLISHED with kodos:8080, 22 bytes unacknowledged, retransmitted 1 time");
  capture::Packet held = run.packet("kang", "P.", 1, 1, 22);
  held.fate = capture::Fate::held;
  run.add(held);
  held.fate = capture::Fate::delivered;
  held.delivered = held.sent + milliseconds(5);
  run.add(held);
  has(views_after(run)[0].kernel, "retransmitted 2 times");
  run.frame("kodos", ".", 1, 23);
  CHECK(views_after(run)[0].kernel == "ESTABLISHED with kodos:8080");
}

TEST_CASE("SYN and FIN are named, not counted as bytes") {
  SampleRun run;
  run.start({}).hosts();
  run.lose("kang", "S", 0, 0, 0, "lost").state("kang", closed, syn_sent);
  CHECK(views_after(run)[0].kernel == "SYN_SENT with kodos:8080, SYN unacknowledged");
  SampleRun closing_run = connected();
  closing_run.lose("kang", "F.", 1, 1, 0, "lost").state("kang", established, fin_wait1);
  CHECK(views_after(closing_run)[0].kernel == "FIN_WAIT1 with kodos:8080, FIN unacknowledged");
}

TEST_CASE("a host without power and an unplugged host are described") {
  SampleRun run = connected();
  run.action("kodos", capture::ActionVerb::unplug);
  has(views_after(run)[0].truth, "kodos's cable is unplugged");
  run.action("kodos", capture::ActionVerb::plug);
  CHECK(views_after(run)[0].truth == "kodos's end is in ESTABLISHED");
  run.at(seconds(2)).action("kodos", capture::ActionVerb::power_off);
  has(views_after(run)[0].truth, "kodos lost its power at 2.000 s");
  CHECK(views_after(run)[0].is_mistaken);
}

TEST_CASE("nothing is claimed about an unseen endpoint, which may be behind a NAT") {
  SampleRun run;
  run.start({}).hosts();
  run.frame("kang", "S", 0, 0).state("kang", closed, syn_sent);
  run.state("kang", syn_sent, established);
  const auto views = views_after(run);
  CHECK(views[0].truth.empty());
  CHECK_FALSE(views[0].is_mistaken);
}

TEST_CASE("a waiting, a frozen and an ended program are described") {
  SampleRun run = connected();
  run.enter("kang", "poll", -1);
  has(views_after(run)[0].program, "waits in poll()");
  run.action("kang", capture::ActionVerb::freeze, "dnc-2");
  has(views_after(run)[0].program, "is frozen");
  run.action("kang", capture::ActionVerb::thaw, "dnc-2");
  CHECK(views_after(run)[0].program.find("is frozen") == std::string::npos);
  capture::Program ended;
  ended.host = "kang";
  ended.program = "dnc-2";
  ended.change = capture::ProgramChange::exited;
  run.add(ended);
  has(views_after(run)[0].program, "exited with status 0");
}

TEST_CASE("freezing a program does not freeze another whose name is a prefix") {
  SampleRun run;
  run.start({}).hosts();
  for (const char* name : {"dnc", "dnc-2"})
    run.add(capture::Program{.host = "kang", .program = name, .command = "dnc -l 8080"});
  run.action("kang", capture::ActionVerb::freeze, "dnc-2");
  CHECK(views_after(run)[0].program == "dnc: runs\ndnc-2: is frozen");
}

TEST_CASE("after a reboot, the peer's view says why the connection is gone") {
  SampleRun run = connected();
  run.at(seconds(1)).action("kodos", capture::ActionVerb::reboot);
  run.state("kodos", established, closed, capture::StateCause::power);
  const auto views = views_after(run);
  has(views[0].truth, "was rebooted at 1.000 s");
  CHECK(views[1].kernel != "there is none");
}

}  // namespace tcplab::reports::tests
