// The JSON of a failure record, there and back.
#include "look/failure_json.hh"

#include <cerrno>
#include <limits>
#include <nlohmann/json.hpp>

#include "base/error.hh"
#include "tests/catch.hh"

using namespace tcplab;
using namespace std::chrono_literals;

namespace {

capture::Event call_event(const std::string& name, int error) {
  capture::Call call;
  call.pid = 7;
  call.phase = capture::CallPhase::leave;
  call.call = name;
  call.fd = 3;
  call.result = error == 0 ? 1 : -1;
  call.error = error;
  return {.number = 0, .at = base::from_nanoseconds(5), .body = call};
}

look::FailureRecord sample_record() {
  look::FailureRecord record{.machine = "db1",
                             .kernel = "6.1",
                             .wall_clock = 9s,
                             .act = look::FailureAct::stopped,
                             .failure = call_event("recvfrom", ETIMEDOUT),
                             .process = 4711,
                             .own_process = 7,
                             .identity = {.vector = "01", .random = "02"},
                             .command = "client\xff",
                             .read_at = base::from_nanoseconds(6),
                             .threads_at = base::from_nanoseconds(8)};
  record.threads = {{.id = 4711, .name = "client", .call = "recvfrom", .descriptors = {3, 4}},
                    {.id = 4712, .does = look::ThreadDoes::waits, .frames = {"fetch (a.py:7)"}}};
  record.tasks = {{.name = "goroutine 7", .requester = {.name = "goroutine 1"}}};
  look::RecordedConnection connection;
  connection.looked.descriptors = {3};
  connection.looked.local = *base::Endpoint::parse("10.0.0.1:40000");
  connection.looked.remote = base::Endpoint::parse("10.0.0.2:80");
  connection.looked.facts.state = capture::TcpState::close;
  connection.looked.facts.retransmissions = 7;
  connection.looked.facts.since_sent = 3s;
  connection.looked.settings.keepalive = false;
  connection.looked.settings.user_timeout = 2s;
  connection.is_forgotten = true;
  connection.was_connected = true;
  connection.octets_sent = 5'000'000'000;
  connection.options_set = {"TCP_USER_TIMEOUT = 2000"};
  connection.calls_returned = 60;
  connection.calls = {call_event("read", 0), call_event("recvfrom", ETIMEDOUT)};
  connection.peer = look::PeerSide{.host = "kodos",
                                   .read_at = base::from_nanoseconds(9),
                                   .socket = {},
                                   .calls_open = {call_event("read", 0)}};
  record.connections = {connection};
  return record;
}

/// Says why the text of a record is refused, after one of its members got another value.
std::string refusal_of(const std::string& pointer, const nlohmann::json& value) {
  auto json = nlohmann::json::parse(to_text(sample_record()));
  json[nlohmann::json::json_pointer(pointer)] = value;
  try {
    look::parse_failure_record(json.dump());
  } catch (const base::UsageError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("a failure record is the same after it was written and read") {
  const look::FailureRecord record = sample_record();
  const std::string text = to_text(record);
  const look::FailureRecord read = look::parse_failure_record(text);
  CHECK(to_text(read) == text);
  CHECK(read.own_process == 7);
  CHECK(read.act == look::FailureAct::stopped);
  CHECK(read.command == "client\ufffd");
  CHECK(std::get<capture::Call>(read.failure.body).error == ETIMEDOUT);
  CHECK(read.threads.at(0).descriptors == std::vector{3, 4});
  CHECK(read.threads.at(1).does == look::ThreadDoes::waits);
  CHECK(read.tasks.at(0).requester.name == "goroutine 1");
  const look::RecordedConnection& connection = read.connections.at(0);
  CHECK(connection.looked.facts.since_sent == 3s);
  CHECK_FALSE(connection.looked.facts.since_received);
  CHECK(connection.looked.settings.keepalive == false);
  CHECK_FALSE(connection.looked.settings.idle);
  CHECK(connection.octets_sent == 5'000'000'000);
  CHECK(connection.peer->calls_open.size() == 1);
  CHECK_FALSE(connection.peer->socket);
}

TEST_CASE("a damaged failure record is refused with its reason") {
  CHECK(refusal_of("/machine", "kang").empty());
  CHECK(refusal_of("/format", "other").starts_with("is no record"));
  CHECK(refusal_of("/version", 3).find("version 3") != std::string::npos);
  CHECK(refusal_of("/own_pid", 1e12) == "\"own_pid\" is not a whole number");
  CHECK(refusal_of("/own_pid", 1'000'000'000'000) == "\"own_pid\" is out of range");
  CHECK(refusal_of("/act", "left") == "\"act\" is not a known word: left");
  CHECK(refusal_of("/threads/0/does", "sleeps") == "\"does\" is not a known word: sleeps");
  CHECK(refusal_of("/threads/0/fds", "3") == "\"fds\" is not a list");
  CHECK(refusal_of("/threads/0/fds/0", "3") == "\"fds\" is not a whole number");
  CHECK(refusal_of("/connections/0/state", 7) == "\"state\" is not a string");
  CHECK(refusal_of("/connections/0/remote", "kodos") == "\"remote\" is not an address with a port");
  CHECK(refusal_of("/connections/0/options", 1) == "\"options\" is not an object");
  CHECK(refusal_of("/connections/0/calls/0/kind", "note").find("not a call") != std::string::npos);
  CHECK(refusal_of("/connections/0/frames", nlohmann::json::array({1})) ==
        "\"frames\" is not an event");
  CHECK(refusal_of("/wall_clock", std::numeric_limits<std::int64_t>::max()) ==
        "\"wall_clock\" is not a time since 1970");
  CHECK(refusal_of("/identity", nullptr) == "\"identity\" is not an object");
}
