// Checks which connect(2) a SYN is said to come from.
#include "reports/comments/call_ledger.hh"

#include <cerrno>

#include "tests/catch.hh"

namespace tcplab::reports::tests {

namespace {

using capture::Endpoint;
using capture::FlowKey;

const auto kServer = *Endpoint::parse("10.0.0.2:8080");

Endpoint client(int port) { return *Endpoint::parse("10.0.0.1:" + std::to_string(port)); }

/// A ledger that notes the connect(2) calls of one program on kang.
class Connects {
public:
  void enter(int fd) {
    ++id_;
    ledger_.note(call(fd, capture::CallPhase::enter), {});
  }

  /// Notes that the last call returned: 0, or -1 and the error.
  void leave(int fd, Endpoint local, int error = 0) {
    capture::Call left = call(fd, capture::CallPhase::leave);
    left.local = local;
    left.remote = kServer;
    left.result = error == 0 ? 0 : -1;
    left.error = error;
    ledger_.note(left, {});
  }

  void close(int fd) {
    ++id_;
    capture::Call left = call(fd, capture::CallPhase::leave);
    left.call = "close";
    ledger_.note(left, {});
  }

  /// Returns the descriptor whose connect(2) sent the SYN from that port; -1 if none is named.
  int of_syn(int port) {
    const auto entry = ledger_.connect_of("kang", FlowKey{client(port), kServer});
    return entry ? entry->call.fd : -1;
  }

private:
  capture::Call call(int fd, capture::CallPhase phase) const {
    capture::Call made;
    made.host = "kang";
    made.program = "dnc";
    made.id = id_;
    made.phase = phase;
    made.call = "connect";
    made.fd = fd;
    made.remote = kServer;
    return made;
  }

  std::uint64_t id_ = 0;
  CallLedger ledger_;
};

}  // namespace

TEST_CASE("a SYN comes from the connect that is under way to its destination") {
  Connects connects;
  connects.enter(3);
  CHECK(connects.of_syn(40000) == 3);
}

TEST_CASE("a SYN comes from the connect that returned its endpoints, whatever else is under way") {
  Connects connects;
  connects.enter(3);
  connects.leave(3, client(40000));
  connects.enter(4);
  CHECK(connects.of_syn(40000) == 3);
  CHECK(connects.of_syn(40001) == 4);
}

TEST_CASE("no connect is named if several may have sent the SYN") {
  Connects connects;
  connects.enter(3);
  connects.leave(3, client(40000), EINPROGRESS);
  connects.enter(4);
  connects.leave(4, client(40000), EINPROGRESS);
  CHECK(connects.of_syn(40000) == -1);
}

TEST_CASE("connects in progress differ by their local endpoints") {
  Connects connects;
  for (int fd = 3; fd < 40; ++fd) {
    connects.enter(fd);
    connects.leave(fd, client(40000 + fd), EINPROGRESS);
  }
  CHECK(connects.of_syn(40039) == 39);
  CHECK(connects.of_syn(40003) == 3);
  CHECK(connects.of_syn(41000) == -1);
}

TEST_CASE("a descriptor that is closed sends no SYN") {
  Connects connects;
  connects.enter(3);
  connects.leave(3, client(40000), EINPROGRESS);
  connects.close(3);
  CHECK(connects.of_syn(40000) == -1);
}

TEST_CASE("a port that is used again belongs to the newer connect") {
  Connects connects;
  connects.enter(3);
  connects.leave(3, client(40000));
  CHECK(connects.of_syn(40000) == 3);
  connects.close(3);
  connects.enter(4);
  CHECK(connects.of_syn(40000) == 4);
}

}  // namespace tcplab::reports::tests
