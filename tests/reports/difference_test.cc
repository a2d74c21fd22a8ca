// What changed between two runs, in terms of behaviour.
#include "reports/difference.hh"

#include <cerrno>
#include <sstream>

#include "tests/catch.hh"
#include "tests/reports/sample_run.hh"

using namespace tcplab::reports;
using namespace std::chrono_literals;
using tests::SampleRun;

namespace {

Behaviour behaviour_of(const SampleRun& run) {
  Behaviour behaviour;
  for (const auto& event : run.events()) behaviour.event(event);
  return behaviour;
}

std::string difference(const SampleRun& one, const SampleRun& other) {
  std::ostringstream out;
  const bool alike = tell_difference(out, Style{}, behaviour_of(one), behaviour_of(other));
  return out.str() + (alike ? "alike" : "differ");
}

std::string script_of(const std::vector<std::string>& one, const std::vector<std::string>& other) {
  std::string text;
  for (const Edit& edit : edits(one, other)) {
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

TEST_CASE("A run behaves like itself") {
  const std::string text = difference(tests::power_cycle(), tests::power_cycle());
  CHECK(text.find("Both behave alike") != std::string::npos);
  CHECK(text.substr(text.size() - 5) == "alike");
}

TEST_CASE("When it happened makes no difference") {
  SampleRun late = one_read(0, 0);
  late.later(10s).verdict(true, "x", "y");
  SampleRun early = one_read(0, 0);
  early.later(1ms).verdict(true, "x", "y");
  CHECK(difference(late, early).find("Both behave alike") != std::string::npos);
}

TEST_CASE("Another answer of a call is shown beside what it replaces") {
  const std::string text = difference(one_read(-1, ECONNRESET), one_read(0, 0));
  CHECK(text.find("calls of kang's dnc-2\n      write = 22\n  -   read fails ECONNRESET\n"
                  "  +   read = 0\n") != std::string::npos);
  CHECK(text.substr(text.size() - 6) == "differ");
}

TEST_CASE("What only comes more often says how often") {
  SampleRun twice = one_read(0, 0);
  twice.later(1ms).frame("kang", "P.", 1, 1, 22).later(1ms).frame("kang", "P.", 1, 1, 22);
  SampleRun once = one_read(0, 0);
  once.later(1ms).frame("kang", "P.", 1, 1, 22);
  const std::string text = difference(once, twice);
  CHECK(text.find("-   TCP P. data 22 again\n  +   TCP P. data 22 again (2 times)\n") !=
        std::string::npos);
}
