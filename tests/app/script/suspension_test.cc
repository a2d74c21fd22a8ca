#include "app/script/suspension.hh"

#include <cerrno>
#include <chrono>

#include "tests/catch.hh"
#include "tests/samples.hh"

using namespace tcplab;
using namespace tcplab::app;
using namespace std::chrono_literals;
using tests::event;
using tests::returned;

namespace {

const base::Instant kEnd = base::from_nanoseconds(7);

std::unique_ptr<Pattern> reset_read() {
  auto pattern = std::make_unique<CallPattern>();
  pattern->host = "kang";
  pattern->program = "dnc";
  pattern->call = "read";
  pattern->error = ECONNRESET;
  pattern->result = -1;
  return pattern;
}

std::unique_ptr<Eventually> eventually(std::unique_ptr<Pattern> pattern = reset_read()) {
  return std::make_unique<Eventually>(kEnd, 5s, std::move(pattern));
}

std::unique_ptr<Pattern> read_returns(int result) {
  auto pattern = std::make_unique<CallPattern>();
  pattern->host = "kang";
  pattern->program = "dnc";
  pattern->call = "read";
  pattern->result = result;
  return pattern;
}

capture::Event numbered(std::uint64_t number, capture::Body body) {
  capture::Event made = event(std::move(body));
  made.number = number;
  return made;
}

}  // namespace

TEST_CASE("a time wait is met at its deadline, whatever happens") {
  TimeWait wait(kEnd - 5s, 5s);
  CHECK(wait.deadline() == kEnd);
  CHECK(wait.look(event(returned("read", 0))) == Decision::open);
  CHECK(wait.at_deadline() == Decision::met);
  CHECK(wait.expected().empty());
}

TEST_CASE("a time wait tells its whole time, which does not become negative") {
  CHECK(TimeWait(kEnd, 1h).awaited() == "60 min to pass");
  CHECK(TimeWait(kEnd, 0s).awaited() == "0 us to pass");
}

TEST_CASE("an expectation is met by the event that it waits for") {
  Eventually wait(kEnd, 5s, reset_read());
  CHECK(wait.look(event(returned("write", 22))) == Decision::open);
  CHECK(wait.decisive() == nullptr);
  CHECK(wait.look(event(returned("read", -1, ECONNRESET))) == Decision::met);
  REQUIRE(wait.decisive() != nullptr);
  CHECK(wait.seen() == "read(3) = -1 ECONNRESET");
}

TEST_CASE("an unmet expectation reports the nearest miss") {
  Eventually wait(kEnd, 5s, reset_read());
  wait.look(event(returned("write", 22)));
  CHECK(wait.nearest().empty());
  wait.look(event(returned("read", 0)));
  CHECK(wait.at_deadline() == Decision::failed);
  CHECK(wait.expected() + wait.limit() == "kang's dnc: read returns -1 ECONNRESET, within 5 s");
  CHECK(wait.seen() == "it did not come");
  CHECK(wait.nearest() == "read(3) = 0");
}

TEST_CASE("an unmet expectation says what is there instead") {
  Eventually wait(kEnd, 5s, reset_read());
  wait.instead = [] { return "it waits in read(3) for 5 s"; };
  CHECK(wait.at_deadline() == Decision::failed);
  CHECK(wait.seen() == "it waits in read(3) for 5 s");

  Never quiet(kEnd, 1s, std::make_unique<Eventually>(kEnd, 1s, reset_read()));
  CHECK(quiet.at_deadline() == Decision::met);
  CHECK(quiet.seen() == "it did not come");
}

TEST_CASE("never fails at the event, and is met at the deadline") {
  Never quiet(kEnd, 1s, eventually());
  CHECK(quiet.look(event(returned("read", 0))) == Decision::open);
  CHECK(quiet.at_deadline() == Decision::met);
  CHECK(quiet.seen() == "it did not come");
  CHECK(quiet.expected() == "never for 1 s: kang's dnc: read returns -1 ECONNRESET");

  Never disturbed(kEnd, 1s, eventually());
  CHECK(disturbed.look(event(returned("read", -1, ECONNRESET))) == Decision::failed);
  CHECK(disturbed.seen() == "read(3) = -1 ECONNRESET");
}

TEST_CASE("an expectation ends at once when its event can no longer come") {
  Eventually wait(kEnd, 5s, reset_read());
  std::string obstacle;
  wait.ruled_out = [&] { return obstacle; };
  CHECK(wait.at_present() == Decision::open);
  obstacle = "kang's dnc exited with status 1";
  CHECK(wait.at_present() == Decision::failed);
  CHECK(wait.seen() == "kang's dnc exited with status 1");
  CHECK(wait.limit().empty());
}

TEST_CASE("an expectation holds already, unless an earlier event says otherwise") {
  Eventually wait(kEnd, 5s, reset_read());
  wait.holds_already = [] { return true; };
  CHECK(wait.at_present() == Decision::met);
  CHECK(wait.decisive() == nullptr);
  CHECK(wait.seen() == "it is");

  Eventually fresh(kEnd, 5s, reset_read());
  fresh.holds_already = [] { return true; };
  fresh.look(event(returned("read", 0)));
  CHECK(fresh.at_present() == Decision::open);
}

TEST_CASE("an expectation that holds at its deadline is met, unless an event says otherwise") {
  Eventually wait(kEnd, 5s, reset_read());
  wait.holds_already = [] { return true; };
  CHECK(wait.at_deadline() == Decision::met);
  CHECK(wait.seen() == "it is");

  Eventually changed(kEnd, 5s, reset_read());
  changed.holds_already = [] { return true; };
  changed.look(event(returned("read", 0)));
  CHECK(changed.at_deadline() == Decision::failed);
}

TEST_CASE("an expectation starts at its cursor, and moves it to its event") {
  Cursors cursors;
  cursors.move("call kang/dnc", 7);
  auto wait = eventually();
  wait->stream = "call kang/dnc";
  CHECK(wait->begin({cursors, 20}) == 7);
  CHECK(wait->begin({cursors, 20, true}) == 20);
  CHECK(wait->look(numbered(9, returned("read", -1, ECONNRESET))) == Decision::met);
  wait->move(cursors);
  CHECK(cursors.event_at("call kang/dnc") == 9);
}

TEST_CASE("never waits to the end though its event can no longer come") {
  auto ended = eventually();
  ended->ruled_out = [] { return std::string("kang's dnc exited with status 0"); };
  Never quiet(kEnd, 1s, std::move(ended));
  CHECK(quiet.at_present() == Decision::open);
  CHECK(quiet.at_deadline() == Decision::met);
}

TEST_CASE("never fails if what must not hold does") {
  bool holds = false;
  Never quiet(kEnd, 1s, std::make_unique<Condition>(kEnd, 1s, "kodos listens on port 80", [&] {
                return Condition::Status{holds, holds ? "it does" : "nothing listens there"};
              }));
  CHECK(quiet.at_present() == Decision::open);
  holds = true;
  CHECK(quiet.at_deadline() == Decision::failed);
  CHECK(quiet.expected() == "never for 1 s: kodos listens on port 80");
  CHECK(quiet.seen() == "it does");
}

TEST_CASE("the first of several is that of the earliest event, and moves its cursor alone") {
  Cursors cursors;
  cursors.move("resets", 3);
  std::vector<std::unique_ptr<Suspension>> choices;
  choices.push_back(eventually());
  choices.back()->stream = "resets";
  choices.push_back(eventually(read_returns(5)));
  choices.back()->stream = "reads";
  FirstOf first(kEnd, std::move(choices));
  CHECK(first.begin({cursors, 9}) == 0);
  // Before the cursor of the one that it would meet.
  CHECK(first.look(numbered(2, returned("read", -1, ECONNRESET))) == Decision::open);
  CHECK(first.look(numbered(4, returned("read", 5))) == Decision::met);
  CHECK(first.winner() == 1);
  REQUIRE(first.decisive() != nullptr);
  CHECK(first.decisive()->number == 4);
  first.move(cursors);
  CHECK(cursors.event_at("reads") == 4);
  CHECK(cursors.event_at("resets") == 3);
}

TEST_CASE("the first of several has no winner when time is up, or when none can be met") {
  std::vector<std::unique_ptr<Suspension>> choices;
  choices.push_back(eventually());
  FirstOf late(kEnd, std::move(choices));
  CHECK(late.at_present() == Decision::open);
  CHECK(late.at_deadline() == Decision::failed);
  CHECK_FALSE(late.winner());
  CHECK(late.decisive() == nullptr);

  auto ended = eventually();
  ended->ruled_out = [] { return std::string("kang's dnc exited with status 0"); };
  choices.clear();
  choices.push_back(std::move(ended));
  FirstOf hopeless(kEnd, std::move(choices));
  CHECK(hopeless.at_present() == Decision::failed);
}

TEST_CASE("a condition is checked after every event, and at the deadline") {
  bool holds = false;
  int asked = 0;
  Condition condition(kEnd, 2s, "kodos has no connection", [&] {
    ++asked;
    return Condition::Status{holds, holds ? "it has none" : "ESTABLISHED"};
  });
  CHECK(condition.at_present() == Decision::open);
  CHECK(condition.at_deadline() == Decision::failed);
  CHECK(condition.seen() == "ESTABLISHED");
  holds = true;
  CHECK(condition.at_present() == Decision::met);
  CHECK(condition.at_deadline() == Decision::met);
  CHECK(condition.seen() == "it has none");
  CHECK(asked == 4);
  CHECK(condition.expected() + condition.limit() == "kodos has no connection, within 2 s");
}

TEST_CASE("a condition that can no longer hold fails at once, without naming its limit") {
  bool ended = false;
  Condition condition(kEnd, 5s, "kodos's dnc listens", [&] {
    return Condition::Status{false, ended ? "it exited with status 1" : "not yet", ended};
  });
  CHECK(condition.at_present() == Decision::open);
  ended = true;
  CHECK(condition.at_present() == Decision::failed);
  CHECK(condition.expected() + condition.limit() == "kodos's dnc listens");
  CHECK(condition.seen() == "it exited with status 1");
}

TEST_CASE("a condition without a time limit does not name one") {
  const Condition now(kEnd, 0s, "it holds", [] { return Condition::Status{true, ""}; });
  CHECK(now.expected() == "it holds");
}
