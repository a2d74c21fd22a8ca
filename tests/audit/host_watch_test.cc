// Follows connections through calls and states.
#include "audit/host_watch.hh"

#include "tests/catch.hh"

using namespace tcplab;
using namespace std::chrono_literals;
using audit::HostWatch;
using capture::Call;
using capture::Event;
using capture::State;
using capture::TcpState;

namespace {

const base::Endpoint kHere = *base::Endpoint::parse("10.0.0.1:40000");
const base::Endpoint kThere = *base::Endpoint::parse("10.0.0.2:80");

Call call(const std::string& name, const std::string& arguments, std::int64_t result = 0) {
  Call done;
  done.host = "client";
  done.program = "client";
  done.phase = capture::CallPhase::leave;
  done.call = name;
  done.fd = name == "socket" ? -1 : 5;
  done.arguments = arguments;
  done.result = result;
  return done;
}

Call connect() {
  Call done = call("connect", "10.0.0.2:80");
  done.local = kHere;
  done.remote = kThere;
  return done;
}

State state(TcpState from, TcpState to) {
  State seen;
  seen.host = "client";
  seen.local = kHere;
  seen.remote = kThere;
  seen.from = from;
  seen.to = to;
  return seen;
}

template <typename Body>
void note(HostWatch& watch, base::nanoseconds at, Body body) {
  Event event;
  event.at = base::Instant(at);
  event.body = std::move(body);
  watch.note(event);
}

}  // namespace

TEST_CASE("a connection has the options of its socket, whatever is seen first") {
  for (const bool state_comes_first : {true, false}) {
    HostWatch watch("client", false);
    note(watch, 1ms, call("socket", "AF_INET, SOCK_STREAM", 5));
    note(watch, 2ms, call("setsockopt", "TCP_KEEPIDLE = 60"));
    if (state_comes_first) note(watch, 3ms, state(TcpState::closed, TcpState::syn_sent));
    note(watch, 4ms, connect());
    if (!state_comes_first) note(watch, 5ms, state(TcpState::closed, TcpState::syn_sent));
    note(watch, 6ms, call("setsockopt", "TCP_KEEPINTVL = 30"));
    REQUIRE(watch.connections().size() == 1);
    CHECK(watch.connections().front().options.idle == 60);
    CHECK(watch.connections().front().options.interval == 30);
  }
}

TEST_CASE("a connection has the options of its socket while connect(2) waits") {
  HostWatch watch("client", false);
  note(watch, 1s, call("socket", "AF_INET, SOCK_STREAM", 5));
  note(watch, 2s, call("setsockopt", "TCP_USER_TIMEOUT = 60000"));
  Call waits = call("connect", "10.0.0.2:80");
  waits.phase = capture::CallPhase::enter;
  waits.remote = kThere;  // the local end is not known yet
  note(watch, 3s, waits);
  State begins = state(TcpState::closed, TcpState::syn_sent);
  note(watch, 3s, begins);
  REQUIRE(watch.connections().size() == 1);
  CHECK(watch.connections().front().options.user_timeout == 60s);
  begins.remote.port = 81;  // another connection
  note(watch, 4s, begins);
  CHECK_FALSE(watch.connections().back().options.user_timeout);
}
