#include "scenarios/engine/script/suspension.hh"

#include <cerrno>
#include <chrono>

#include "tests/catch.hh"
#include "tests/scenarios/samples.hh"

using namespace tcplab;
using namespace tcplab::engine;
using namespace std::chrono_literals;
using tests::event;
using tests::returned;

namespace {

const base::Instant kDeadline = base::from_nanoseconds(7);

std::unique_ptr<Pattern> reset_read() {
  auto pattern = std::make_unique<CallPattern>();
  pattern->host = "kang";
  pattern->program = "dnc";
  pattern->call = "read";
  pattern->error = ECONNRESET;
  pattern->result = -1;
  return pattern;
}

}  // namespace

TEST_CASE("a time wait is met at its deadline, whatever happens") {
  TimeWait wait(kDeadline);
  CHECK(wait.deadline() == kDeadline);
  CHECK(wait.look(event(returned("read", 0))) == Decision::open);
  CHECK(wait.at_deadline() == Decision::met);
  CHECK(wait.expected().empty());
}

TEST_CASE("an expectation is met by the event that it waits for") {
  Eventually wait(kDeadline, 5s, reset_read());
  CHECK(wait.look(event(returned("write", 22))) == Decision::open);
  CHECK(wait.decisive() == nullptr);
  CHECK(wait.look(event(returned("read", -1, ECONNRESET))) == Decision::met);
  REQUIRE(wait.decisive() != nullptr);
  CHECK(wait.seen() == "read(3) = -1 ECONNRESET");
}

TEST_CASE("an unmet expectation reports the nearest miss") {
  Eventually wait(kDeadline, 5s, reset_read());
  wait.look(event(returned("write", 22)));
  CHECK(wait.nearest().empty());
  wait.look(event(returned("read", 0)));
  CHECK(wait.at_deadline() == Decision::failed);
  CHECK(wait.expected() + wait.limit() == "kang's dnc: read returns -1 ECONNRESET, within 5 s");
  CHECK(wait.seen() == "it did not come");
  CHECK(wait.nearest() == "read(3) = 0");
}

TEST_CASE("never fails at the event, and is met at the deadline") {
  Never quiet(kDeadline, 1s, reset_read());
  CHECK(quiet.look(event(returned("read", 0))) == Decision::open);
  CHECK(quiet.at_deadline() == Decision::met);
  CHECK(quiet.seen() == "it did not come");
  CHECK(quiet.expected() == "never for 1 s: kang's dnc: read returns -1 ECONNRESET");

  Never disturbed(kDeadline, 1s, reset_read());
  CHECK(disturbed.look(event(returned("read", -1, ECONNRESET))) == Decision::failed);
  CHECK(disturbed.seen() == "read(3) = -1 ECONNRESET");
}

TEST_CASE("a condition is checked after every event, and at the deadline") {
  bool holds = false;
  int asked = 0;
  Condition condition(kDeadline, 2s, "kodos has no connection", [&] {
    ++asked;
    return Condition::Status{holds, holds ? "it has none" : "ESTABLISHED"};
  });
  CHECK(condition.look(event(returned("read", 0))) == Decision::open);
  CHECK(condition.at_deadline() == Decision::failed);
  CHECK(condition.seen() == "ESTABLISHED");
  holds = true;
  CHECK(condition.look(event(returned("read", 0))) == Decision::met);
  CHECK(condition.at_deadline() == Decision::met);
  CHECK(condition.seen() == "it has none");
  CHECK(asked == 4);
  CHECK(condition.expected() + condition.limit() == "kodos has no connection, within 2 s");
}

TEST_CASE("a condition that can no longer hold fails at once, without naming its limit") {
  bool ended = false;
  Condition condition(kDeadline, 5s, "kodos's dnc listens", [&] {
    return Condition::Status{false, ended ? "it exited with status 1" : "not yet", ended};
  });
  CHECK(condition.look(event(returned("bind", -1, EADDRINUSE))) == Decision::open);
  ended = true;
  CHECK(condition.look(event(returned("bind", -1, EADDRINUSE))) == Decision::failed);
  CHECK(condition.expected() + condition.limit() == "kodos's dnc listens");
  CHECK(condition.seen() == "it exited with status 1");
}

TEST_CASE("a condition without a time limit does not name one") {
  const Condition now(kDeadline, 0s, "it holds", [] { return Condition::Status{true, ""}; });
  CHECK(now.expected() == "it holds");
}
