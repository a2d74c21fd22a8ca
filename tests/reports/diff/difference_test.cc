// Checks what `tcplab diff` says about two runs: only differences in behaviour count.
#include "reports/diff/difference.hh"

#include <algorithm>
#include <cerrno>
#include <sstream>

#include "tests/catch.hh"
#include "tests/reports/sample_behaviour.hh"

using namespace tcplab::reports;
using namespace std::chrono_literals;
using tcplab::capture::TcpState;
using tests::behaviour_of;
using tests::SampleRun;

namespace {

std::string difference(const SampleRun& one, const SampleRun& other) {
  std::ostringstream out;
  const Behaviour before = behaviour_of(one);
  const Behaviour after = behaviour_of(other);
  const Difference found = find_difference(before, after);
  write_difference(out, Style{}, before, after, found);
  return out.str() + (found.is_none() ? "alike" : "differ");
}

std::string script_of(const std::vector<std::string>& one, const std::vector<std::string>& other) {
  std::string text;
  const auto steps = edits(one, other);
  REQUIRE(steps);
  for (const Edit& edit : *steps) {
    switch (edit.kind) {
      case Edit::Kind::same:
        text += " " + one[edit.one];
        break;
      case Edit::Kind::removed:
        text += " -" + one[edit.one];
        break;
      case Edit::Kind::added:
        text += " +" + other[edit.other];
        break;
    }
  }
  return text;
}

SampleRun one_read(long result, int error) {
  SampleRun run;
  run.hosts().at(1ms).call("kang", "write", 3, 22).later(1ms).frame("kang", "P.", 1, 1, 22);
  run.later(1ms).call("kang", "read", 3, result, error);
  return run;
}

}  // namespace

TEST_CASE("The fewest edits lead from one list to the other") {
  CHECK(script_of({"a", "b", "c"}, {"a", "x", "c"}) == " a -b +x c");
  CHECK(script_of({}, {"a"}) == " +a");
  CHECK(script_of({"a", "b"}, {}) == " -a -b");
  CHECK(script_of({"b", "c", "d"}, {"a", "b", "d"}) == " +a b -c d");
}

TEST_CASE("Common beginnings and ends of long lists are skipped") {
  std::vector<std::string> one(100000, "data");
  std::vector<std::string> other = one;
  const auto same = edits(one, other);
  REQUIRE(same);
  CHECK(same->size() == one.size());
  one[7] = "ACK";
  other.erase(other.begin() + 2000);
  const auto steps = edits(one, other);
  REQUIRE(steps);
  const auto count = [&](Edit::Kind kind) { return std::ranges::count(*steps, kind, &Edit::kind); };
  CHECK(count(Edit::Kind::removed) == 1);
  CHECK(count(Edit::Kind::added) == 0);
  CHECK(script_of({"a", "b", "a"}, {"a", "b", "a", "b", "a"}) == " a b a +b +a");
}

TEST_CASE("Lists that are too long to compare are reported, and count as different") {
  SampleRun one;
  SampleRun other;
  for (int i = 0; i < 5000; ++i) {
    one.call("kang", "read", 4, 2 * i + 1);
    other.call("kang", "read", 4, 2 * i + 2);
  }
  CHECK_FALSE(edits(std::vector<std::string>(5000, "a"), std::vector<std::string>(5000, "b")));
  const std::string text = difference(one, other);
  CHECK(text.find("5000 and 5000 lines are too many") != std::string::npos);
  CHECK(text.find("read(") == std::string::npos);
  CHECK(text.substr(text.size() - 6) == "differ");
}

TEST_CASE("A run behaves the same as itself") {
  const std::string text = difference(tests::power_cycle(), tests::power_cycle());
  CHECK(text.find("Both behave alike") != std::string::npos);
  CHECK(text.substr(text.size() - 5) == "alike");
}

TEST_CASE("Different times alone make no difference") {
  SampleRun late = one_read(0, 0);
  late.later(10s).verdict(true, "x", "y");
  SampleRun early = one_read(0, 0);
  early.later(1ms).verdict(true, "x", "y");
  CHECK(difference(late, early).find("Both behave alike") != std::string::npos);
}

TEST_CASE("A different result of a call is shown beside the result that it replaces") {
  const std::string text = difference(one_read(-1, ECONNRESET), one_read(0, 0));
  CHECK(text.find("calls of kang's dnc-2\n      write = 22\n  -   read fails ECONNRESET\n"
                  "  +   read = 0\n") != std::string::npos);
  CHECK(text.substr(text.size() - 6) == "differ");
}

TEST_CASE("The number of a new process or descriptor makes no difference") {
  for (const char* call : {"fork", "socket", "accept"}) {
    INFO(call);
    SampleRun one;
    SampleRun other;
    one.hosts().at(1ms).call("kang", call, 3, 3);
    other.hosts().at(1ms).call("kang", call, 3, 174);
    CHECK(difference(one, other).ends_with("\nalike"));
  }
}

TEST_CASE("A result that a script has injected is another result") {
  const SampleRun real = one_read(-1, ECONNRESET);
  SampleRun invented;
  invented.hosts().at(1ms).call("kang", "write", 3, 22).later(1ms).frame("kang", "P.", 1, 1, 22);
  tcplab::capture::Call read{.host = "kang", .program = "dnc-2"};
  read.phase = tcplab::capture::CallPhase::leave;
  read.call = "read";
  read.fd = 3;
  read.result = -1;
  read.error = ECONNRESET;
  read.injected = true;
  invented.later(1ms).add(read);
  const std::string text = difference(real, invented);
  CHECK(text.find("  -   read fails ECONNRESET\n  +   read fails ECONNRESET, injected\n") !=
        std::string::npos);
}

TEST_CASE("An event that only occurs more often is shown with its count") {
  SampleRun twice = one_read(0, 0);
  twice.later(1ms).frame("kang", "P.", 1, 1, 22).later(1ms).frame("kang", "P.", 1, 1, 22);
  SampleRun once = one_read(0, 0);
  once.later(1ms).frame("kang", "P.", 1, 1, 22);
  const std::string text = difference(once, twice);
  CHECK(text.find(
            "-   TCP P. data 22 retransmission\n  +   TCP P. data 22 retransmission (2 times)\n") !=
        std::string::npos);
}

TEST_CASE("Events after the last verdict make no difference") {
  SampleRun ends = one_read(0, 0);
  ends.later(1ms).verdict(true, "x", "y");
  SampleRun continues = one_read(0, 0);
  continues.later(1ms).verdict(true, "x", "y");
  continues.later(1ms).call("kang", "close", 3, 0).later(1ms).frame("kang", "F.", 23, 1);
  continues.state("kang", TcpState::established, TcpState::fin_wait1);
  CHECK(difference(ends, continues).find("Both behave alike") != std::string::npos);
  CHECK(difference(continues, ends).find("Both behave alike") != std::string::npos);
}

TEST_CASE("Verdicts are compared by the line of the script, and described in words") {
  SampleRun one;
  one.hosts().later(1ms).verdict(true, "read fails after 3.1 s", "y");
  SampleRun other;
  other.hosts().later(1ms).verdict(true, "read fails after 3.2 s", "y");
  CHECK(find_difference(behaviour_of(one), behaviour_of(other)).is_none());
  SampleRun failed;
  failed.hosts().later(1ms).verdict(false, "read fails after 3.3 s", "z");
  const Difference found = find_difference(behaviour_of(one), behaviour_of(failed));
  REQUIRE(found.lists.size() == 1);
  REQUIRE(found.lists[0].lines.size() == 2);
  CHECK(found.lists[0].lines[0].text == "met: read fails after 3.1 s");
  CHECK(found.lists[0].lines[1].text == "not met: read fails after 3.3 s");
}

TEST_CASE("A program's progress at the last verdict makes no difference") {
  SampleRun slow = one_read(0, 0);
  slow.later(1ms).verdict(true, "x", "y").later(1ms).call("kang", "close", 3, 0);
  SampleRun quick = one_read(0, 0);
  quick.later(1ms).call("kang", "close", 3, 0).later(1ms).verdict(true, "x", "y");
  SampleRun slowest = one_read(0, 0);
  slowest.later(1ms).verdict(true, "x", "y");
  CHECK(difference(slow, quick).find("Both behave alike") != std::string::npos);
  CHECK(difference(quick, slowest).find("Both behave alike") != std::string::npos);
}

TEST_CASE("A call that the other run does not make for a long time is a difference") {
  SampleRun closes = one_read(0, 0);
  closes.later(1ms).call("kang", "close", 3, 0).later(2s).verdict(true, "x", "y");
  SampleRun hangs = one_read(0, 0);
  hangs.later(2s).verdict(true, "x", "y");
  CHECK(difference(closes, hangs).find("  -   close = 0\n") != std::string::npos);
  CHECK(difference(hangs, closes).find("  +   close = 0\n") != std::string::npos);
}

TEST_CASE("One more repetition just before the end makes no difference, but many do") {
  const auto writes = [](int count) {
    SampleRun run = one_read(0, 0);
    for (int i = 0; i < count; ++i) run.later(200ms).call("kang", "write", 3, 7);
    return run.later(1ms).verdict(true, "x", "y");
  };
  CHECK(difference(writes(5), writes(4)).find("Both behave alike") != std::string::npos);
  CHECK(difference(writes(9), writes(4)).find("write = 7 (9 times)") != std::string::npos);
}

TEST_CASE("A different result before the last verdict is a difference, whatever follows") {
  SampleRun one = one_read(-1, ECONNRESET);
  one.later(1ms).verdict(true, "x", "y").later(1ms).call("kang", "close", 3, 0);
  SampleRun other = one_read(0, 0);
  other.later(1ms).verdict(true, "x", "y");
  const std::string text = difference(one, other);
  CHECK(text.find("  -   read fails ECONNRESET\n  +   read = 0\n") != std::string::npos);
  CHECK(text.find("close") == std::string::npos);
}

TEST_CASE("Verdicts that differ only in the script's line are shown with it") {
  SampleRun one = one_read(0, 0);
  one.later(1ms).verdict(true, "x", "y", "prints 'x'");
  SampleRun other = one_read(0, 0);
  other.later(1ms).verdict(true, "x", "y", "prints('x')");
  CHECK(difference(one, other).find("  -   met: prints 'x'\n  +   met: prints('x')\n") !=
        std::string::npos);
}

TEST_CASE("A verdict that only one run has is a difference") {
  SampleRun both = one_read(0, 0);
  both.later(1ms).verdict(true, "x", "y").later(1ms).verdict(true, "z", "y");
  SampleRun one = one_read(0, 0);
  one.later(1ms).verdict(true, "x", "y");
  CHECK(difference(both, one).find("      met: x\n  -   met: z\n") != std::string::npos);
}

TEST_CASE("A repeated FIN is a retransmission, but a SYN with another number is not") {
  SampleRun run;
  run.hosts().at(1ms).frame("kang", "S", 900, 0).later(1ms).frame("kang", "P.", 901, 1, 22);
  run.later(1ms).frame("kang", "F.", 923, 1).later(1ms).frame("kang", "F.", 923, 1);
  run.later(1ms).frame("kang", "S", 300, 0);
  SampleRun none;
  none.hosts();
  const std::string text = difference(run, none);
  CHECK(text.find("  -   TCP S\n  -   TCP P. data 22\n  -   TCP F.\n  -   TCP F. retransmission\n"
                  "  -   TCP S\n") != std::string::npos);
}
