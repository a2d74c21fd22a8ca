// What ends a wait, from what a kernel knows; and when it gives up.
#include "audit/wait_end.hh"

#include "audit/retransmission_times.hh"
#include "tests/catch.hh"

using namespace tcplab::audit;
using namespace std::chrono_literals;
using tcplab::base::nanoseconds;
using tcplab::capture::TcpState;

namespace {

SocketFacts a_socket() {
  SocketFacts facts;
  facts.state = TcpState::established;
  facts.rto = 204ms;
  facts.peer_window = 65536;
  return facts;
}

TimeoutOptions without_options() {
  TimeoutOptions settings;
  settings.keepalive = false;
  settings.user_timeout = 0s;
  return settings;
}

WaitEnd end_of(const SocketFacts& facts, const TimeoutOptions& settings = without_options(),
               Awaited awaited = Awaited::data) {
  return end_of_wait(facts, settings, {.are_assumed = false}, awaited);
}

nanoseconds given_up(const Retransmitting& now, int retries2,
                     std::optional<nanoseconds> user_timeout) {
  return until_given_up(now, {.retries2 = retries2}, user_timeout);
}

nanoseconds connecting_given_up(const Retransmitting& now, int retries, int linear_timeouts,
                                std::optional<nanoseconds> user_timeout) {
  return until_connecting_given_up(now, retries, {.syn_linear_timeouts = linear_timeouts},
                                   user_timeout);
}

double in_seconds(nanoseconds time) { return tcplab::base::in_seconds(time); }

}  // namespace

TEST_CASE("a kernel gives up at the first timeout at or past its limit") {
  // tcp_retries2 = 15 allows 924.6 s from the first retransmission (tcp_model_timeout()). The
  // timeout that is due after 924.4 s is late enough.
  CHECK(in_seconds(given_up({200ms, 0, 200ms}, 15, {})) == Approx(0.2 + 924.4));
  // With another RTO, the timeouts come at other times: 0.3 * (2 + 4 + ... + 256), then 120 s each.
  CHECK(in_seconds(given_up({300ms, 0, 300ms}, 15, {})) >= 924.6);
  CHECK(in_seconds(given_up({200ms, 0, 100ms}, 3, {})) == Approx(0.1 + 0.4 + 0.8 + 1.6 + 3.2));
}

TEST_CASE("the end does not depend on when one looks") {
  const std::optional<nanoseconds> user_timeout =
      GENERATE(std::optional<nanoseconds>{}, std::optional<nanoseconds>(30s));
  const nanoseconds end = given_up({250ms, 0, 250ms}, 8, user_timeout);
  nanoseconds passed = 250ms;
  nanoseconds rto = 250ms;
  for (std::uint32_t timeouts = 1; passed < end - 40s; ++timeouts) {
    rto = std::min<nanoseconds>(rto * 2, 120s);
    INFO(timeouts);
    CHECK(in_seconds(passed + given_up({rto, timeouts, rto}, 8, user_timeout)) ==
          Approx(in_seconds(end)));
    passed += rto;
  }
}

TEST_CASE("TCP_USER_TIMEOUT counts from the first retransmission, and clips the last timer") {
  CHECK(in_seconds(given_up({200ms, 0, 200ms}, 15, 10s)) == Approx(10.2));
  CHECK(in_seconds(given_up({1600ms, 3, 1s}, 15, 10s)) == Approx(1 + 10 - 0.4 - 0.8 - 1.6));
  CHECK(in_seconds(given_up({200ms, 0, 200ms}, 3, 0s)) < 10);  // 0: off
}

TEST_CASE("connect gives up after its retries, the first of them linear") {
  CHECK(connecting_given_up({1s, 0, 1s}, 6, 0, {}) == 127s);
  CHECK(connecting_given_up({1s, 0, 1s}, 6, 4, {}) == 131s);
  CHECK(connecting_given_up({1s, 2, 500ms}, 6, 4, {}) == 128500ms);
  CHECK(connecting_given_up({4s, 2, 3s}, 2, 0, {}) == 3s);
  // Its time is limited, too: 3 s for one retry, 7 s for two.
  CHECK(connecting_given_up({1s, 0, 1s}, 1, 4, {}) == 3s);
  CHECK(connecting_given_up({1s, 0, 1s}, 2, 4, {}) == 7s);
  CHECK(connecting_given_up({4s, 2, 3s}, 6, 0, 10s) == 6s);
}

TEST_CASE("nothing of TCP ends a wait without keepalive while everything is acknowledged") {
  const WaitEnd end = end_of(a_socket());
  CHECK(end.kind == WaitEndKind::peer);
  CHECK(end.may_last_for_ever);
  CHECK_FALSE(end.within);
}

TEST_CASE("keepalive ends a wait only if the peer's kernel does not answer") {
  TimeoutOptions settings = without_options();
  settings.keepalive = true;
  settings.idle = 10s;
  settings.interval = 5s;
  settings.probes = 3;
  SocketFacts facts = a_socket();
  facts.since_heard = 4s;
  WaitEnd end = end_of(facts, settings);
  CHECK(end.kind == WaitEndKind::keepalive);
  CHECK(end.within == 6s + 15s);
  CHECK_FALSE(end.may_last_for_ever);
  facts.probes = 2;
  facts.since_heard = 17s;  // the second was 2 s ago
  end = end_of(facts, settings);
  CHECK(end.within == 3s + 5s);
}

TEST_CASE("unacknowledged data ends a wait, keepalive or not") {
  SocketFacts facts = a_socket();
  facts.unacknowledged = 22;
  facts.in_flight = 1;
  facts.retransmissions = 5;
  facts.rto = 6528ms;
  facts.until_timer = 2s;
  TimeoutOptions settings = without_options();
  settings.keepalive = GENERATE(true, false);
  WaitEnd end = end_of(facts, settings);
  CHECK(end.kind == WaitEndKind::retransmissions);
  settings.user_timeout = 30s;
  end = end_of(facts, settings);
  CHECK(end.kind == WaitEndKind::user_timeout);
  CHECK(*end.within < 30s);
}

TEST_CASE("a closed window is no silence of the peer") {
  SocketFacts facts = a_socket();
  facts.unacknowledged = 1000;
  facts.peer_window = 0;
  WaitEnd end = end_of(facts, without_options(), Awaited::room);
  CHECK(end.kind == WaitEndKind::window);
  CHECK(end.may_last_for_ever);
  facts.in_flight = 1;  // the nearest case: the window was closed by what is in flight
  CHECK(end_of(facts, without_options(), Awaited::room).kind == WaitEndKind::retransmissions);
  facts.in_flight = 0;
  TimeoutOptions settings = without_options();
  settings.user_timeout = 20s;
  end = end_of(facts, settings, Awaited::room);
  CHECK_FALSE(end.may_last_for_ever);
}

TEST_CASE("a call that could return does not wait for the peer") {
  SocketFacts facts = a_socket();
  facts.unread = 3;
  CHECK(end_of(facts).kind == WaitEndKind::unread);
  CHECK(end_of(facts, without_options(), Awaited::room).kind == WaitEndKind::peer);
  facts.unread = 0;
  facts.state = TcpState::close_wait;
  CHECK(end_of(facts).kind == WaitEndKind::peer_closed);
  facts.state = TcpState::last_ack;
  CHECK(end_of(facts).kind == WaitEndKind::both_closed);
  facts.state = TcpState::close;
  CHECK(end_of(facts).kind == WaitEndKind::not_connected);
  facts.state = TcpState::listen;
  CHECK(end_of(facts).kind == WaitEndKind::client);
  CHECK_FALSE(end_of(facts).may_last_for_ever);
}

TEST_CASE("the sysctls of the RTO bound the time to give up") {
  const KernelSettings shorter{.retries2 = 15, .rto_max = 1s};
  // 0.4 + 0.8 s, then 1 s each: tcp_model_timeout() allows 0.2 * 7 + 13 * 1 s.
  CHECK(in_seconds(until_given_up({200ms, 0, 200ms}, shorter, {})) == Approx(0.2 + 1.2 + 13));
}
