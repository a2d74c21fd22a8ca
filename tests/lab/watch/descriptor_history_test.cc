// The connection of a descriptor at a time, from the calls that name one.
#include "lab/watch/descriptor_history.hh"

#include <cerrno>

#include "tests/catch.hh"

using namespace tcplab;
using lab::ConnectionKey;
using lab::DescriptorHistory;
using namespace std::chrono_literals;

namespace {

constexpr int kProcess = 100;
const base::Endpoint kServer{*base::IpAddress::parse("10.0.0.2"), 8080};

ConnectionKey connection(std::uint16_t port) {
  return {{*base::IpAddress::parse("10.0.0.1"), port}, kServer};
}

base::Instant at(int seconds) { return base::Instant{} + std::chrono::seconds(seconds); }

capture::Call call(const std::string& name, int fd, std::optional<ConnectionKey> key = {},
                   std::int64_t result = 0) {
  capture::Call made;
  made.pid = kProcess;
  made.phase = capture::CallPhase::leave;
  made.call = name;
  made.fd = fd;
  made.result = result;
  if (key) made.local = key->local;
  if (key) made.remote = key->remote;
  return made;
}

bool is_on(const ConnectionKey& key, const capture::Call& made, int fd, int seconds,
           const DescriptorHistory& history = {}) {
  return lab::is_on(key, {.number = 1, .at = at(seconds), .body = made}, fd, history);
}

}  // namespace

TEST_CASE("a descriptor is the connection that it was at that time") {
  DescriptorHistory history;
  history.note(call("connect", 3, connection(1)), at(10));
  history.note(call("read", 3), at(11));
  history.note(call("connect", 3, connection(2)), at(20));
  CHECK_FALSE(history.find(kProcess, 3, at(9)));
  CHECK(history.find(kProcess, 3, at(10)) == connection(1));
  CHECK(history.find(kProcess, 3, at(19)) == connection(1));
  CHECK(history.find(kProcess, 3, at(20)) == connection(2));
  CHECK_FALSE(history.find(kProcess, 4, at(20)));
}

TEST_CASE("accept names the new descriptor, and a child has its parent's") {
  DescriptorHistory history;
  history.note(call("accept", 3, connection(1), 5), at(10));
  CHECK_FALSE(history.find(kProcess, 3, at(11)));
  CHECK(history.find(kProcess, 5, at(11)) == connection(1));
  CHECK(history.find(kProcess + 1, 5, at(11)) == connection(1));
}

TEST_CASE("a call is on the connection that it names") {
  CHECK(is_on(connection(1), call("recvfrom", 3, connection(1)), 3, 1));
  CHECK_FALSE(is_on(connection(2), call("recvfrom", 3, connection(1)), 3, 1));
  capture::Call refused = call("connect", 3, connection(1), -1);
  refused.local.reset();
  CHECK(is_on(connection(1), refused, 3, 1));
  refused.call = "recvfrom";
  CHECK_FALSE(is_on(connection(1), refused, 3, 1));
}

TEST_CASE("a poll that reports several sockets is on each of their connections") {
  DescriptorHistory history;
  history.note(call("connect", 3, connection(1)), at(1));
  history.note(call("connect", 4, connection(2)), at(2));
  capture::Call polled = call("poll", -1, {}, 2);
  polled.ready = {{3, 1}, {4, 1}};
  CHECK(is_on(connection(1), polled, 3, 3, history));
  CHECK(is_on(connection(2), polled, 4, 3, history));
  CHECK_FALSE(is_on(connection(2), polled, 3, 3, history));
  // A call of dnc names no connection.
  CHECK(is_on(connection(2), call("read", 4), 4, 3, history));
}
