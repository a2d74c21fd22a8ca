// Which calls prove that a socket was connected, and the nearest ones that do not.
#include "capture/follow/connection_evidence.hh"

#include <poll.h>

#include <cerrno>

#include "tests/catch.hh"

using namespace tcplab::capture;

namespace {

struct NotedCall {
  std::string name;
  std::int64_t result = 0;  // negative: the error
  std::string arguments;
  unsigned readiness = 0;
  int reported = 0;  // by SO_ERROR
};

bool is_proved_by(const std::vector<NotedCall>& calls) {
  ConnectionEvidence evidence;
  for (const NotedCall& noted : calls) {
    Call call;
    call.phase = CallPhase::leave;
    call.call = noted.name;
    call.fd = 5;
    call.arguments = noted.arguments;
    call.result = noted.result < 0 ? -1 : noted.result;
    call.error = noted.result < 0 ? static_cast<int>(-noted.result) : noted.reported;
    evidence.note(call, noted.readiness);
  }
  return evidence.is_proved();
}

const NotedCall kAttempt{"connect", -EINPROGRESS, "127.0.0.1:1"};
const NotedCall kNoError{"getsockopt", 0, "SO_ERROR = 0"};
const NotedCall kRefused{"getsockopt", 0, "SO_ERROR = ECONNREFUSED", 0, ECONNREFUSED};
const NotedCall kRoom{"poll", 1, "", POLLOUT};
const NotedCall kRoomOfSelect{"select", 1, "", POLLOUT};
const NotedCall kFailed{"poll", 1, "", POLLIN | POLLOUT | POLLERR | POLLHUP};
const NotedCall kEnd{"recvfrom", 0, "10 bytes"};
const NotedCall kReset{"recvfrom", -ECONNRESET, "10 bytes"};

}  // namespace

TEST_CASE("a socket was connected if its connect(2), its data or its readiness say so") {
  CHECK(is_proved_by({{"connect", 0, "127.0.0.1:1"}}));
  CHECK_FALSE(is_proved_by({{"connect", -ECONNREFUSED, "127.0.0.1:1"}}));
  CHECK_FALSE(is_proved_by({kAttempt}));
  CHECK(is_proved_by({kAttempt, {"connect", -EISCONN, "127.0.0.1:1"}}));
  CHECK(is_proved_by({kAttempt, {"sendto", 1, "1 byte"}}));
  CHECK_FALSE(is_proved_by({kAttempt, {"sendto", -EAGAIN, "1 byte"}}));
  CHECK(is_proved_by({kAttempt, kRoom}));
  CHECK_FALSE(is_proved_by({kAttempt, kFailed}));
  CHECK_FALSE(is_proved_by({kAttempt, {"poll", 1, "", POLLOUT | POLLHUP}}));
}

TEST_CASE("SO_ERROR = 0 proves a connection only after the attempt has found room") {
  CHECK(is_proved_by({kAttempt, kRoomOfSelect, kNoError}));
  CHECK_FALSE(is_proved_by({kAttempt, kRoomOfSelect}));
  CHECK_FALSE(is_proved_by({kNoError, kAttempt, {"sendto", -ECONNREFUSED, "1 byte"}}));
  CHECK_FALSE(is_proved_by({kAttempt, kNoError}));
  CHECK_FALSE(is_proved_by({kRoomOfSelect, kNoError, kAttempt}));
  CHECK_FALSE(is_proved_by({kAttempt, kRoomOfSelect, kRefused, kNoError}));
  CHECK_FALSE(is_proved_by({kAttempt, kRoomOfSelect, kRefused, kAttempt, kNoError}));
}

TEST_CASE("the end of the stream proves a connection unless the attempt has failed") {
  CHECK(is_proved_by({kAttempt, kEnd}));
  CHECK_FALSE(is_proved_by({kAttempt, kRefused, kEnd, {"sendto", -EPIPE, "1 byte"}}));
  CHECK_FALSE(is_proved_by({kAttempt, {"recvfrom", -ECONNREFUSED, "10 bytes"}, kEnd}));
  CHECK_FALSE(is_proved_by({kAttempt, {"shutdown", 0, "SHUT_RDWR"}, kEnd}));
  CHECK_FALSE(is_proved_by({kAttempt, {"recvfrom", 0, "0 bytes"}}));
  CHECK(is_proved_by({kAttempt, {"recvfrom", -EAGAIN, "10 bytes"}, kEnd}));
}

TEST_CASE("a reset of a read or write proves a connection, one of connect(2) does not") {
  CHECK(is_proved_by({kAttempt, kReset}));
  CHECK(is_proved_by({{"sendto", -ECONNRESET, "1 byte"}}));
  CHECK_FALSE(is_proved_by({{"connect", -ECONNRESET, "127.0.0.1:1"}}));
  CHECK_FALSE(is_proved_by({kAttempt, {"connect", 0, "AF_UNSPEC"}, kReset}));
  CHECK_FALSE(is_proved_by({kAttempt, {"recvfrom", -ECONNREFUSED, "10 bytes"}}));
}

TEST_CASE("what proved a connection counts until connect(2) starts another attempt") {
  std::vector<NotedCall> calls{kAttempt, kRoom};
  calls.resize(100, {"recvfrom", -EAGAIN, "10 bytes"});
  CHECK(is_proved_by(calls));
  calls.push_back({"connect", -EALREADY, "127.0.0.1:1"});
  CHECK(is_proved_by(calls));
  calls.push_back(kAttempt);
  CHECK_FALSE(is_proved_by(calls));
}
