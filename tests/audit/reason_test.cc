// Checks each rule of why a cell ended as it did, one fact at a time.
#include <cerrno>

#include "audit/cell_reason.hh"
#include "tests/catch.hh"

using namespace tcplab::audit;
using namespace std::chrono_literals;
using tcplab::base::from_nanoseconds;
using tcplab::capture::AuditOutcome;
using tcplab::capture::SegmentHeader;
using tcplab::capture::SegmentTrait;
using tcplab::capture::SegmentTraits;

namespace {

WatchedConnection established() {
  WatchedConnection connection;
  connection.is_established = true;
  connection.tracker.send({.sequence = 99, .syn = true});
  connection.tracker.receive(
      {.sequence = 7, .acknowledgment = 100, .window = 1000, .syn = true, .ack = true});
  return connection;
}

WatchedConnection with_data() {
  WatchedConnection connection = established();
  connection.tracker.send({.sequence = 100, .acknowledgment = 8, .length = 5, .ack = true});
  return connection;
}

Reason hanging(const WatchedConnection& connection, bool endless = false, bool frozen = false) {
  return reason_of({.outcome = AuditOutcome::hangs,
                    .connection = &connection,
                    .failure = from_nanoseconds(1000),
                    .has_icmp_error = {},
                    .is_server_frozen = frozen,
                    .has_endless_wait = endless});
}

Reason failed_with(int error, const WatchedConnection& connection,
                   std::optional<bool> has_icmp_error = false) {
  const Sighting seen{.noticed = {.by = NoticedBy::error, .call = "recv", .error = error}};
  return reason_of({.outcome = AuditOutcome::error,
                    .sighting = &seen,
                    .connection = &connection,
                    .has_icmp_error = has_icmp_error});
}

}  // namespace

TEST_CASE("a client that hangs waits for the timer that its kernel runs") {
  CHECK(hanging(WatchedConnection{}) == Reason::waits_for_syn);
  CHECK(hanging(with_data()) == Reason::waits_for_retransmissions);
  CHECK(hanging(established(), true) == Reason::forever);
  CHECK(hanging(established(), false) == Reason::waits_for_own_timer);
  WatchedConnection probing = established();
  probing.options.keepalive = true;
  CHECK(hanging(probing, true) == Reason::waits_for_keepalive);
  CHECK(hanging(probing, true, true) == Reason::peer_answers);
}

TEST_CASE("a peer answers if a segment comes after the failure and after one of ours") {
  WatchedConnection connection = established();
  connection.last_received = from_nanoseconds(2000);
  CHECK(hanging(connection, true) == Reason::forever);
  connection.last_sent_at = from_nanoseconds(900);
  CHECK(hanging(connection, true) == Reason::forever);
  connection.last_sent_at = from_nanoseconds(1900);
  CHECK(hanging(connection, true) == Reason::peer_answers);
  connection.last_sent = SegmentTraits{SegmentTrait::window_probe};
  CHECK(hanging(connection, true) == Reason::zero_window);
}

TEST_CASE("nothing is claimed about a client without a connection") {
  CHECK(reason_of({.outcome = AuditOutcome::hangs}) == Reason::not_known);
  CHECK(reason_of({.outcome = AuditOutcome::error}) == Reason::not_known);
  CHECK(reason_of({.outcome = AuditOutcome::not_reached}) == Reason::not_known);
}

TEST_CASE("ETIMEDOUT comes from the timer that ran") {
  CHECK(failed_with(ETIMEDOUT, WatchedConnection{}) == Reason::syn_timeout);
  CHECK(failed_with(ETIMEDOUT, with_data()) == Reason::retransmissions);
  CHECK(failed_with(ETIMEDOUT, established()) == Reason::not_known);
  WatchedConnection limited = with_data();
  limited.options.user_timeout = 30s;
  CHECK(failed_with(ETIMEDOUT, limited) == Reason::user_timeout);
  limited.options.user_timeout = 0s;  // the kernel's default
  CHECK(failed_with(ETIMEDOUT, limited) == Reason::retransmissions);
  WatchedConnection probed = established();
  probed.last_sent = SegmentTraits{SegmentTrait::keepalive_probe};
  CHECK(failed_with(ETIMEDOUT, probed) == Reason::keepalive);
}

TEST_CASE("EHOSTUNREACH decides only before the connection is established") {
  CHECK(failed_with(EHOSTUNREACH, WatchedConnection{}) == Reason::no_neighbour);
  CHECK(failed_with(EHOSTUNREACH, WatchedConnection{}, true) == Reason::unreachable);
  CHECK(failed_with(EHOSTUNREACH, WatchedConnection{}, std::nullopt) == Reason::not_known);
  CHECK(failed_with(EHOSTUNREACH, with_data(), true) == Reason::retransmissions);
}

TEST_CASE("a RST answers the segment that was sent last") {
  CHECK(failed_with(ECONNRESET, established()) == Reason::not_known);
  WatchedConnection reset = established();
  reset.was_reset = true;
  CHECK(failed_with(ECONNRESET, reset) == Reason::reset);
  reset.reset_answers = SegmentTraits{SegmentTrait::keepalive_probe};
  CHECK(failed_with(ECONNRESET, reset) == Reason::probe_reset);
  reset.reset_answers = SegmentTraits{SegmentTrait::new_data};
  CHECK(failed_with(ECONNRESET, reset) == Reason::reset);  // that data was acknowledged
  WatchedConnection lost = with_data();
  lost.was_reset = true;
  lost.reset_answers = SegmentTraits{SegmentTrait::retransmission};
  CHECK(failed_with(EPIPE, lost) == Reason::data_reset);
  lost.was_refused = true;
  CHECK(failed_with(ECONNRESET, lost) == Reason::data_reset);
  CHECK(failed_with(ECONNREFUSED, lost) == Reason::refused);
}

TEST_CASE("a slow lookup of the server's name is the reason until there is a connection") {
  const auto slow = [](AuditOutcome outcome, const WatchedConnection* connection,
                       const Sighting* seen = nullptr) {
    return reason_of({.outcome = outcome,
                      .sighting = seen,
                      .connection = connection,
                      .has_icmp_error = {},
                      .is_lookup_slow = true});
  };
  const Sighting end{.noticed = {.by = NoticedBy::ended}};
  const WatchedConnection open = established();
  CHECK(slow(AuditOutcome::error, nullptr, &end) == Reason::name_lookup);
  CHECK(slow(AuditOutcome::recovered, &open) == Reason::name_lookup);
  CHECK(slow(AuditOutcome::hangs, nullptr) == Reason::waits_for_name);
  CHECK(slow(AuditOutcome::unaffected, nullptr) == Reason::nothing);
  const Sighting reset{.noticed = {.by = NoticedBy::error, .call = "recv", .error = ECONNREFUSED}};
  CHECK(slow(AuditOutcome::error, &open, &reset) != Reason::name_lookup);
}

TEST_CASE("data that was never on the wire is unacknowledged, too") {
  WatchedConnection connection = established();
  connection.written = 33;
  CHECK(connection.has_unsent());
  CHECK(failed_with(ETIMEDOUT, connection) == Reason::retransmissions);
  CHECK(hanging(connection, true) == Reason::waits_for_retransmissions);
  connection.last_sent_at = connection.last_received = from_nanoseconds(2000);
  CHECK(hanging(connection, true) == Reason::zero_window);
  WatchedConnection sent = with_data();
  sent.written = 5;
  CHECK_FALSE(sent.has_unsent());
}

TEST_CASE("of two limits of a SYN, the shorter ends it") {
  const auto ends_after = [](std::chrono::seconds time) {
    WatchedConnection connection;
    connection.options = {.user_timeout = 10s, .syn_count = 1};
    connection.opened = from_nanoseconds(1000);
    const Sighting seen{.noticed = {.by = NoticedBy::error, .call = "connect", .error = ETIMEDOUT},
                        .at = connection.opened + time};
    return reason_of({.outcome = AuditOutcome::error,
                      .sighting = &seen,
                      .connection = &connection,
                      .has_icmp_error = {}});
  };
  CHECK(ends_after(7s) == Reason::syn_timeout);
  CHECK(ends_after(10s) == Reason::user_timeout);
}

TEST_CASE("a connection that never came was refused, whatever the errno") {
  WatchedConnection refused;
  refused.was_reset = refused.was_refused = true;
  CHECK(failed_with(ECONNRESET, refused) == Reason::refused);
}

TEST_CASE("a client without the answer waits for the server's retransmissions") {
  const WatchedConnection client = established();
  WatchedConnection server = with_data();
  const auto reason = [&](bool frozen = false) {
    return reason_of({.outcome = AuditOutcome::hangs,
                      .connection = &client,
                      .server_end = &server,
                      .failure = from_nanoseconds(1000),
                      .has_icmp_error = {},
                      .is_server_frozen = frozen,
                      .has_endless_wait = true});
  };
  CHECK(reason() == Reason::forever);
  server.last_retransmission = from_nanoseconds(900);
  CHECK(reason() == Reason::forever);
  server.last_retransmission = from_nanoseconds(2000);
  CHECK(reason() == Reason::server_retransmits);
  CHECK(reason(true) == Reason::server_retransmits);
  server.finished = from_nanoseconds(9000);  // it has given up
  CHECK(reason() == Reason::forever);
  server.finished.reset();
  server.tracker.receive({.sequence = 8, .acknowledgment = 105, .window = 1000, .ack = true});
  CHECK(reason() == Reason::forever);
}
