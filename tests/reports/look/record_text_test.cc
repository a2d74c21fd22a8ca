// The words for a failure record.
#include "reports/look/record_text.hh"

#include <cerrno>
#include <sstream>

#include "base/clock.hh"
#include "tests/catch.hh"

using namespace tcplab;
using namespace std::chrono_literals;

namespace {

capture::Event event_of(const std::string& name, std::int64_t result, int error = 0,
                        const std::string& arguments = "") {
  capture::Call call;
  call.pid = 7;
  call.phase = capture::CallPhase::leave;
  call.call = name;
  call.fd = 3;
  call.arguments = arguments;
  call.result = result;
  call.error = error;
  return {.number = 0, .at = base::from_nanoseconds(1'000'000'000), .body = call};
}

/// A connection of descriptor 3 that a timeout has ended.
look::RecordedConnection forgotten_connection() {
  look::RecordedConnection connection;
  connection.looked.descriptors = {3};
  connection.looked.local = *base::Endpoint::parse("10.0.0.1:40000");
  connection.looked.remote = base::Endpoint::parse("10.0.0.2:80");
  connection.looked.facts.state = capture::TcpState::close;
  connection.looked.facts.unacknowledged = 1;
  connection.is_forgotten = true;
  connection.was_connected = true;
  connection.calls_returned = 1;
  connection.calls = {event_of("recvfrom", -1, ETIMEDOUT, "9 bytes")};
  return connection;
}

std::string text_of(const look::RecordedConnection& connection,
                    std::vector<look::LookedThread> others = {}) {
  look::FailureRecord record{.machine = "db1",
                             .kernel = "6.1",
                             .failure = event_of("recvfrom", -1, ETIMEDOUT, "9 bytes"),
                             .process = 7,
                             .own_process = 7,
                             .command = "client"};
  record.threads = {{.id = 7, .name = "client", .call = "recvfrom", .descriptors = {3}}};
  record.threads.insert(record.threads.end(), others.begin(), others.end());
  record.connections = {connection};
  std::ostringstream out;
  reports::write_record(out, "core.7.tcplab.json", record, {.width = 400});
  return out.str();
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("a record says which call failed, where and when") {
  const std::string text = text_of(forgotten_connection());
  CHECK(has(text,
            "client  (process 7)\n"
            "  recvfrom(3, 9 bytes) failed with ETIMEDOUT, in thread 7\n"
            "    1970-01-01 00:00:01.000000Z on db1, Linux 6.1; tcplab sent SIGABRT to "
            "the program there\n"
            "    from core.7.tcplab.json\n"));
  CHECK(has(text,
            "fd 3  10.0.0.1:40000 > 10.0.0.2:80  CLOSE; 1 octet unacknowledged  <- the call "
            "that failed"));
  CHECK(has(text, "    1 call:\n      00:00:01.000000Z  recvfrom(3, 9 bytes) = -1 ETIMEDOUT\n"));
}

TEST_CASE("a forgotten connection says what its socket's counters still show") {
  auto connection = forgotten_connection();
  const std::string forgotten = "The kernel has forgotten the connection";
  CHECK(has(text_of(connection), forgotten + ". The ends are known from earlier calls."));
  connection.looked.facts.retransmissions = 1;
  CHECK(has(text_of(connection), forgotten + ", after it had retransmitted once without an ack"));
  connection.looked.facts.retransmissions = 15;
  connection.looked.facts.probes = 2;
  CHECK(has(text_of(connection),
            "retransmitted 15 times in a row without an acknowledgment and it "
            "had sent 2 probes without an answer."));
}

TEST_CASE("a SYN or a FIN without an acknowledgment is no octet of the program") {
  auto connection = forgotten_connection();
  connection.was_connected = false;
  CHECK_FALSE(has(text_of(connection), "unacknowledged"));
  CHECK(has(text_of(connection), "No call has shown that it was ever connected."));
  connection.was_connected = true;
  connection.calls.push_back(event_of("shutdown", 0, 0, "SHUT_WR"));
  CHECK_FALSE(has(text_of(connection), "unacknowledged"));
  connection.calls.back() = event_of("shutdown", 0, 0, "SHUT_RD");
  CHECK(has(text_of(connection), "1 octet unacknowledged"));
}

TEST_CASE("a peer in the lab is described as far as it could be asked") {
  auto connection = forgotten_connection();
  connection.peer = look::PeerSide{.host = "kodos"};
  CHECK(has(text_of(connection), "its peer, kodos: its kernel has no such connection"));
  connection.peer->can_be_asked = false;
  CHECK(has(text_of(connection), "its peer, kodos: its TCP stack cannot be asked"));
  connection.peer->has_power = false;
  CHECK(has(text_of(connection), "its peer, kodos: without power"));
  connection.peer = look::PeerSide{
      .host = "kodos",
      .socket = capture::Socket{.state = capture::TcpState::close_wait, .receive_queue = 3}};
  connection.peer->calls_open = {event_of("sendto", 0, 0, "9 bytes")};
  CHECK(has(text_of(connection), "its peer, kodos: CLOSE_WAIT; 3 octets unread\n"));
  CHECK(has(text_of(connection), "waits there in sendto(3, 9 bytes)"));
}

TEST_CASE("threads at the same place are shown once, and others each") {
  const auto thread = [](int id, const std::string& frame) {
    return look::LookedThread{.id = id, .name = "pool", .frames = {frame}};
  };
  const std::string text = text_of(forgotten_connection(), {thread(8, "wait"),
                                                            thread(9, "wait"),
                                                            thread(10, "work"),
                                                            {.id = 11, .name = "a"},
                                                            {.id = 12, .name = "b"}});
  CHECK(has(text,
            "thread 8 pool, and 1 more at the same place\n      at wait\n  thread 10 pool\n"
            "      at work\n  thread 11 a\n  thread 12 b\n"));
}
