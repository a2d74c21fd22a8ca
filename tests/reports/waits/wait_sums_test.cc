// The sums of waits that a flame graph draws.
#include "reports/waits/wait_sums.hh"

#include <poll.h>

#include <cerrno>
#include <numeric>

#include "tests/catch.hh"
#include "tests/reports/waits/sample_waits.hh"

using namespace tcplab;
using namespace std::chrono_literals;
using reports::TraceWait;
using reports::WaitOutcomeKind;
using reports::WaitSum;
using reports::WaitSums;
using reports::tests::waited;

namespace {

constexpr std::size_t kAll = 1000;

TraceWait from_port(int port, base::nanoseconds took) {
  TraceWait wait = waited("recvfrom", 1, took);
  wait.call.local = base::Endpoint::parse("10.0.0.1:1");
  wait.call.local->port = static_cast<std::uint16_t>(port);
  return wait;
}

std::string text_of(const WaitSums& sums, std::size_t index) { return sums.texts().at(index); }

/// Sums of these waits.
WaitSums sums_of(const std::vector<TraceWait>& waits) {
  WaitSums sums;
  for (const TraceWait& wait : waits) sums.add(wait);
  return sums;
}

base::nanoseconds total(const std::vector<WaitSum>& list) {
  return std::accumulate(list.begin(), list.end(), 0ns,
                         [](base::nanoseconds time, const auto& sum) { return time + sum.time; });
}

}  // namespace

TEST_CASE("waits that are alike are one sum, exact to the nanosecond") {
  const WaitSums sums = sums_of({from_port(7, 10'000'001ns), from_port(7, 20'000'002ns)});
  const std::vector<WaitSum> list = sums.limited(kAll);
  REQUIRE(list.size() == 1);
  CHECK(list[0].time == 30'000'003ns);
  CHECK(list[0].count == 2);
  CHECK(sums.time() == 30'000'003ns);
  CHECK(text_of(sums, list[0].key.program) == "python3");
  CHECK(text_of(sums, list[0].key.call) == "recvfrom");
  CHECK(text_of(sums, list[0].key.peer) == "10.0.0.2:5432");
  CHECK(text_of(sums, list[0].key.connection) == "10.0.0.1:7 > 10.0.0.2:5432");
  CHECK(text_of(sums, list[0].key.end) == "data");
  const std::vector<std::size_t>& stack = sums.stacks().at(list[0].key.stack);
  REQUIRE(stack.size() == 2);
  CHECK(text_of(sums, stack[0]) == "<module> (/srv/a.py:9)");
}

TEST_CASE("waits that differ in one thing are two sums") {
  const TraceWait wait = from_port(7, 10ms);
  TraceWait other = wait;
  SECTION("the program") { other.process = "python4"; }
  SECTION("the stack") { other.call.stack.pop_back(); }
  SECTION("the call") { other.call.call = "read"; }
  SECTION("the connection alone") { other.call.local->port = 8; }
  SECTION("the end") { other.call.result = 0; }
  SECTION("its kind alone") {
    other = waited("poll", 1, 10ms);
    other.call.revents = POLLIN | POLLERR;
  }
  CHECK(sums_of({wait, other}).limited(kAll).size() == 2);
}

TEST_CASE("frames that differ in their address alone are the same") {
  TraceWait one = from_port(7, 10ms);
  TraceWait other = one;
  one.call.stack = {"recv+0x1e (libc.so.6)"};
  other.call.stack = {"recv+0x2f (libc.so.6)"};
  CHECK(sums_of({one, other}).limited(kAll).size() == 1);
}

TEST_CASE("the end of a wait is an error, what it waited for, or nothing") {
  const auto kind_of = [](const TraceWait& wait) { return reports::end_of(wait).kind; };
  CHECK(kind_of(waited("recvfrom", 1, 10ms)) == WaitOutcomeKind::came);
  CHECK(kind_of(waited("recvfrom", 0, 10ms)) == WaitOutcomeKind::came);
  CHECK(kind_of(waited("recvfrom", -ETIMEDOUT, 10ms)) == WaitOutcomeKind::error);
  TraceWait wait = waited("poll", 1, 10ms);
  wait.call.revents = POLLIN | POLLHUP;
  CHECK(kind_of(wait) == WaitOutcomeKind::came);
  wait.call.revents = POLLERR;
  CHECK(kind_of(wait) == WaitOutcomeKind::error);
  wait.call.result = wait.call.revents = 0;
  CHECK(kind_of(wait) == WaitOutcomeKind::nothing);
  wait = waited("recvfrom", 0, 10ms);
  wait.call.phase = capture::CallPhase::enter;
  CHECK(reports::end_of(wait) == reports::WaitOutcome{"not ended", WaitOutcomeKind::nothing});
}

TEST_CASE("a wait of accept names its port, or none; another without ends names nothing") {
  TraceWait wait = waited("accept4", 5, 10ms);
  wait.call.local = base::Endpoint::parse("10.0.0.2:80");
  CHECK(reports::peer_of(wait).empty());
  CHECK(reports::connection_of(wait) == "listens on port 80");
  wait.call.local.reset();
  CHECK(reports::connection_of(wait) == "a listening socket");
  wait = waited("epoll_wait", 0, 10ms);
  wait.call.remote.reset();
  CHECK(reports::connection_of(wait).empty());
  const WaitSums sums = sums_of({wait});
  CHECK(text_of(sums, sums.limited(kAll).at(0).key.peer) == "connection not known");
}

TEST_CASE("a limit merges the shortest sums, and keeps the time") {
  WaitSums sums;
  for (int port = 1; port <= 100; ++port) sums.add(from_port(port, port * 1ms));
  CHECK(sums.limited(100).size() == 100);
  const std::vector<WaitSum> list = sums.limited(99);
  REQUIRE(list.size() == 50);  // 49, and one for the other connections
  CHECK(total(list) == sums.time());
  CHECK(text_of(sums, list[0].key.connection) == "other connections");  // 1 + 2 + ... + 51 ms
  CHECK(list[0].time == 1326ms);
  CHECK(list[0].count == 51);
  CHECK(text_of(sums, list[1].key.connection) == "10.0.0.1:100 > 10.0.0.2:5432");
}

TEST_CASE("a limit merges stacks if connections are not enough") {
  WaitSums sums;
  for (int line = 1; line <= 100; ++line) {
    TraceWait wait = from_port(7, line * 1ms);
    wait.call.stack = {"f (/a.py:" + std::to_string(line) + ")"};
    sums.add(wait);
  }
  const std::vector<WaitSum> list = sums.limited(10);
  CHECK(list.size() == 6);
  CHECK(total(list) == sums.time());
  const std::vector<std::size_t>& merged = sums.stacks().at(list[0].key.stack);
  REQUIRE(merged.size() == 1);
  CHECK(text_of(sums, merged[0]) == "[other stacks]");
}

TEST_CASE("of 100,000 waits on as many connections, a browser gets a few") {
  WaitSums sums;
  for (int number = 0; number < 100'000; ++number) {
    TraceWait wait = from_port(number % 60'000 + 1, 10ms);
    wait.call.remote->port = static_cast<std::uint16_t>(number / 60'000 + 1);
    sums.add(wait);
  }
  const std::vector<WaitSum> list = sums.limited(4000);
  CHECK(list.size() == 2001);
  CHECK(total(list) == 1000s);
  CHECK(sums.count() == 100'000);
  CHECK(sums.longest().size() == WaitSums::kListed);
}

TEST_CASE("the longest waits are kept as they are, the longest first") {
  WaitSums sums;
  for (int port = 1; port <= 60; ++port) sums.add(from_port(port, (port * 7 % 61) * 1ms));
  REQUIRE(sums.longest().size() == WaitSums::kListed);
  CHECK(sums.longest().front().duration() == 60ms);
  CHECK(sums.longest().back().duration() == 11ms);
  CHECK(std::ranges::is_sorted(sums.longest(), std::greater{}, &TraceWait::duration));
  CHECK(WaitSums().longest().empty());
}
