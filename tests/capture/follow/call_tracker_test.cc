// Which call is under way, and which socket a descriptor is.
#include "capture/follow/call_tracker.hh"

#include <cerrno>

#include "tests/catch.hh"

using namespace tcplab::capture;

namespace {

const auto kOwnEnd = *Endpoint::parse("10.0.0.1:40000");
const auto kServerEnd = *Endpoint::parse("10.0.0.2:8080");
const FlowKey kFlow{kOwnEnd, kServerEnd};

/// The calls of a program on kang, by process.
class CallsOf {
public:
  explicit CallsOf(CallTracker& tracker, int process = 1) : tracker_(tracker), process_(process) {}

  CallTracker::Step enters(const std::string& name, int fd) {
    return tracker_.note(call(++id_, CallPhase::enter, name, fd), {});
  }
  /// The call that was entered last returns.
  CallTracker::Step returns(const std::string& name, int fd, std::int64_t result) {
    return returns_as(id_, name, fd, result);
  }
  /// A call returns whose entry was no event.
  CallTracker::Step did(const std::string& name, int fd, std::int64_t result,
                        const std::string& arguments = "") {
    return returns_as(++id_, name, fd, result, arguments);
  }
  CallTracker::Step spliced(int from, int to, int socket, std::int64_t result) {
    Call made = result_of(++id_, "splice", socket, result);
    made.source_fd = from;
    made.arguments = "fd " + std::to_string(from) + " -> fd " + std::to_string(to);
    return tracker_.note(made, {});
  }
  CallTracker::Step named(const std::string& name, int fd, std::int64_t result) {
    Call made = result_of(++id_, name, fd, result);
    made.local = kOwnEnd;
    made.remote = kServerEnd;
    return tracker_.note(made, {});
  }
  TrackedSocketPointer socket(int fd) const {
    return tracker_.socket_of(call(0, CallPhase::enter, "read", fd));
  }

private:
  CallTracker::Step returns_as(std::uint64_t id, const std::string& name, int fd,
                               std::int64_t result, const std::string& arguments = "") {
    Call made = result_of(id, name, fd, result);
    made.arguments = arguments;
    return tracker_.note(made, {});
  }
  Call result_of(std::uint64_t id, const std::string& name, int fd, std::int64_t result) const {
    Call made = call(id, CallPhase::leave, name, fd);
    made.result = result < 0 ? -1 : result;
    made.error = result < 0 ? static_cast<int>(-result) : 0;
    return made;
  }
  Call call(std::uint64_t id, CallPhase phase, const std::string& name, int fd) const {
    Call made;
    made.host = "kang";
    made.program = "dnc";
    made.pid = process_;
    made.id = id;
    made.phase = phase;
    made.call = name;
    made.fd = fd;
    return made;
  }

  CallTracker& tracker_;
  int process_;
  std::uint64_t id_ = 0;
};

}  // namespace

TEST_CASE("a socket keeps its last calls, those that found it ready too") {
  CallTracker tracker(3);
  CallsOf calls(tracker);
  calls.did("socket", -1, 5);
  calls.named("connect", 5, 0);
  const TrackedSocketPointer socket = calls.socket(5);
  Call poll;
  poll.host = socket->host;
  poll.program = socket->program;
  poll.pid = 1;
  poll.id = 100;
  poll.phase = CallPhase::leave;
  poll.call = "epoll_wait";
  poll.fd = 9;
  poll.ready = {{.fd = 5, .events = 1}, {.fd = 6, .events = 1}};
  tracker.note(poll, {});
  calls.did("read", 5, 4);
  calls.enters("read", 5);
  const auto names = [&socket] {
    std::vector<std::string> all;
    for (const TrackedCallPointer& call : socket->last_calls) all.push_back(call->call.call);
    return all;
  };
  CHECK(names() == std::vector<std::string>{"connect", "epoll_wait", "read"});
  calls.returns("read", 5, -ETIMEDOUT);
  CHECK(names() == std::vector<std::string>{"epoll_wait", "read", "read"});
  CHECK(socket->last_calls.back()->call.error == ETIMEDOUT);
  CHECK(socket->calls_returned == 4);
  CHECK(CallTracker().note(poll, {}).call->has_returned);
}

TEST_CASE("the calls of sockets that were closed long ago are forgotten") {
  CallTracker tracker(3);
  CallsOf calls(tracker);
  const auto open_and_close = [&] {
    calls.did("socket", -1, 5);
    calls.did("setsockopt", 5, 0, "TCP_NODELAY = 1");
    const TrackedSocketPointer socket = calls.socket(5);
    calls.did("close", 5, 0);
    return socket;
  };
  const TrackedSocketPointer first = open_and_close();
  constexpr int kKept = 256;
  for (int i = 1; i < kKept; ++i) open_and_close();
  CHECK(first->last_calls.size() == 2);
  open_and_close();
  CHECK(first->last_calls.empty());
}

TEST_CASE("a call is under way until it returns, and both events are of one call") {
  CallTracker tracker;
  CallsOf kang(tracker);
  kang.named("connect", 3, 0);
  const auto entry = kang.enters("read", 3);
  CHECK(entry.socket->under_way == entry.call);
  CHECK(tracker.under_way("kang").size() == 1);
  CHECK(tracker.under_way("kodos").empty());
  const auto end = kang.returns("read", 3, 5);
  CHECK(end.call == entry.call);
  CHECK(end.call->was_entered);
  CHECK(end.socket->under_way == nullptr);
  CHECK(end.socket->received == 5);
  CHECK(tracker.under_way("kang").empty());
}

TEST_CASE("a thread that writes does not end the wait of one that reads") {
  CallTracker tracker;
  CallsOf kang(tracker);
  kang.named("connect", 3, 0);
  const auto wait = kang.enters("read", 3);
  const auto write = kang.did("write", 3, 7);
  CHECK_FALSE(write.call->was_entered);
  CHECK(write.socket->sent == 7);
  CHECK(write.socket->under_way == wait.call);
}

TEST_CASE("a copy of a descriptor is the same socket, until each is closed") {
  CallTracker tracker;
  CallsOf kang(tracker);
  const auto made = kang.named("connect", 3, 0).socket;
  kang.did("dup", 3, 4);
  kang.did("fcntl", 3, 5, "F_DUPFD_CLOEXEC, 5");
  kang.did("fcntl", 3, 2, "F_GETFL");
  CHECK(kang.socket(4) == made);
  CHECK(kang.socket(5) == made);
  CHECK(kang.socket(2) == nullptr);
  kang.did("close", 3, 0);
  CHECK(kang.socket(3) == nullptr);
  CHECK(kang.did("write", 4, 2).socket == made);
  CHECK(tracker.socket_of("kang", kFlow) == made);
}

TEST_CASE("a child has the sockets of its parent, and closes only its own descriptors") {
  CallTracker tracker;
  CallsOf parent(tracker, 1);
  CallsOf child(tracker, 2);
  const auto accepted = parent.named("accept", 3, 4).socket;
  CHECK(parent.socket(4) == accepted);
  CHECK(child.socket(4) == accepted);
  SECTION("the parent closes it") {
    parent.did("close", 4, 0);
    CHECK(child.did("read", 4, 9).socket == accepted);
    CHECK(parent.socket(4) == nullptr);
  }
  SECTION("the child closes it") {
    child.did("close", 4, 0);
    CHECK(child.socket(4) == nullptr);
    CHECK(parent.socket(4) == accepted);
  }
  SECTION("the program ends") {
    tracker.ended({.host = "kang", .program = "dnc", .change = ProgramChange::exited});
    CHECK(parent.socket(4) == nullptr);
    CHECK(tracker.socket_of("kang", kFlow) == accepted);
  }
  SECTION("its host loses its power") {
    tracker.lost_power("kang");
    CHECK(tracker.socket_of("kang", kFlow) == nullptr);
  }
}

TEST_CASE("a connect that goes on has ends, but no connection until another call shows it") {
  CallTracker tracker;
  CallsOf kang(tracker);
  const auto attempt = kang.named("connect", 3, -EINPROGRESS).socket;
  CHECK_FALSE(attempt->connection);
  CHECK(attempt->ends() == kFlow);
  CHECK(tracker.socket_of("kang", kFlow) == attempt);
  CHECK(kang.named("connect", 3, -EALREADY).socket == attempt);
  CHECK_FALSE(attempt->connection);
  CHECK(kang.named("sendto", 3, 1).socket == attempt);
  CHECK(attempt->connection == kFlow);
}

TEST_CASE("a second attempt after a refusal is another connection with the same options") {
  CallTracker tracker;
  CallsOf kang(tracker);
  kang.did("socket", -1, 3);
  kang.did("setsockopt", 3, 0, "TCP_NODELAY = 1");
  kang.did("setsockopt", 3, -ENOPROTOOPT, "TCP_MD5SIG");
  const auto first = kang.named("connect", 3, -ECONNREFUSED).socket;
  const auto second = kang.named("connect", 3, 0).socket;
  CHECK(first != second);
  REQUIRE(second->options.size() == 1);
  CHECK(second->options.front()->call.arguments == "TCP_NODELAY = 1");
  CHECK(kang.did("socket", -1, 3).call->has_returned);
  CHECK(kang.socket(3)->options.empty());
}

TEST_CASE("of an option that is set again, the last value is kept") {
  CallTracker tracker;
  CallsOf kang(tracker);
  const auto socket = kang.named("connect", 3, 0).socket;
  for (int i = 0; i < 1000; ++i) kang.did("setsockopt", 3, 0, "TCP_QUICKACK = 1");
  kang.did("setsockopt", 3, 0, "SO_KEEPALIVE = 1");
  kang.did("setsockopt", 3, 0, "TCP_QUICKACK = 0");
  REQUIRE(socket->options.size() == 2);
  CHECK(socket->options[0]->call.arguments == "SO_KEEPALIVE = 1");
  CHECK(socket->options[1]->call.arguments == "TCP_QUICKACK = 0");
}

TEST_CASE("octets that are only peeked at are not read") {
  CallTracker tracker;
  CallsOf kang(tracker);
  const auto socket = kang.named("connect", 3, 0).socket;
  kang.did("recv", 3, 10, "10 bytes, MSG_PEEK");
  kang.did("recv", 3, 10, "10 bytes");
  CHECK(socket->received == 10);
}

TEST_CASE("the result of recvmmsg and sendmmsg is no number of octets") {
  Call call{.phase = CallPhase::leave, .call = "recvmmsg", .result = 2};
  CHECK(octets_of(call) == 0);  // not known
  call.value = std::int64_t{30};
  CHECK(octets_of(call) == 30);
  call.call = "recvmsg";
  CHECK(octets_of(call) == 2);
  call.result = -1;
  CHECK(octets_of(call) == 0);
  CallTracker tracker;
  CallsOf kang(tracker);
  const auto socket = kang.named("connect", 3, 0).socket;
  kang.did("recvmmsg", 3, 2);
  kang.did("sendmmsg", 3, 2);
  kang.did("send", 3, 7);
  CHECK(socket->received == 0);
  CHECK(socket->sent == 7);
}

TEST_CASE("a splice moves octets in one direction") {
  CallTracker tracker;
  CallsOf kang(tracker);
  const auto socket = kang.named("connect", 3, 0).socket;
  kang.spliced(3, 5, 3, 10);
  kang.spliced(33, 3, 3, 7);
  CHECK(socket->received == 10);
  CHECK(socket->sent == 7);
}

TEST_CASE("after a RST, the local end without its address is the same connection") {
  CallTracker tracker;
  CallsOf kang(tracker);
  const auto socket = kang.named("connect", 3, 0).socket;
  Call reset;
  reset.host = "kang";
  reset.program = "dnc";
  reset.pid = 1;
  reset.id = 99;
  reset.phase = CallPhase::leave;
  reset.call = "read";
  reset.fd = 3;
  reset.local = *Endpoint::parse("0.0.0.0:40000");
  reset.remote = kServerEnd;
  CHECK(tracker.note(reset, {}).socket == socket);
  CHECK(socket->connection == kFlow);
  reset.local = *Endpoint::parse("10.0.0.1:40001");  // a call that was not seen made another one
  CHECK(tracker.note(reset, {}).socket != socket);
}

TEST_CASE("a program that passes descriptors on may not be the only writer") {
  CallTracker tracker;
  CallsOf kang(tracker);
  const auto socket = kang.named("connect", 3, 0).socket;
  kang.did("sendmsg", 3, 5);
  CHECK_FALSE(socket->is_passed_on);
  kang.did("sendmsg", 9, 1);
  CHECK(socket->is_passed_on);
}
