#include "audit/cell_reason.hh"

#include <cerrno>

namespace tcplab::audit {

using capture::AuditOutcome;
using capture::SegmentTrait;

namespace {

bool has_user_timeout(const SocketOptions& options) {
  return options.user_timeout && options.user_timeout->count() > 0;
}

/// Whether the peer has answered a segment that was sent after the failure.
bool answered_since(const WatchedConnection& connection, base::Instant failure) {
  return connection.last_sent_at && *connection.last_sent_at > failure &&
         connection.last_received && *connection.last_received >= *connection.last_sent_at;
}

/// ETIMEDOUT: tcp_write_timeout() and tcp_keepalive_timer() in net/ipv4/tcp_timer.c.
/// A SYN has both limits, and the first counts.
Reason timeout_reason(const WatchedConnection& connection, base::Instant at) {
  if (!connection.is_established) {
    const bool is_over = has_user_timeout(connection.options) &&
                         at - connection.opened >= *connection.options.user_timeout;
    return is_over ? Reason::user_timeout : Reason::syn_timeout;
  }
  if (connection.has_unacknowledged() ||
      (connection.last_sent && connection.last_sent->has(SegmentTrait::window_probe)))
    return has_user_timeout(connection.options) ? Reason::user_timeout : Reason::retransmissions;
  const bool has_probed =
      connection.last_sent && connection.last_sent->has(SegmentTrait::keepalive_probe);
  return has_probed ? Reason::keepalive : Reason::not_known;
}

Reason reset_reason(const WatchedConnection& connection) {
  if (!connection.was_reset) return Reason::not_known;
  if (connection.was_refused && !connection.is_established) return Reason::refused;
  if (!connection.reset_answers) return Reason::reset;
  const capture::SegmentTraits& answered = *connection.reset_answers;
  if (answered.has(SegmentTrait::keepalive_probe)) return Reason::probe_reset;
  const bool is_data = answered.has(SegmentTrait::new_data) ||
                       answered.has(SegmentTrait::retransmission) ||
                       answered.has(SegmentTrait::partial_retransmission) ||
                       answered.has(SegmentTrait::spurious_retransmission);
  return is_data && connection.has_unacknowledged() ? Reason::data_reset : Reason::reset;
}

Reason error_reason(const ReasonFacts& facts) {
  if (facts.connection == nullptr) return Reason::not_known;
  switch (facts.sighting->noticed.error) {
    case ETIMEDOUT:
      return timeout_reason(*facts.connection, facts.sighting->at);
    case ECONNRESET:
    case EPIPE:
    case ECONNREFUSED:
      if (facts.sighting->noticed.error == ECONNREFUSED && facts.connection->was_refused)
        return Reason::refused;
      if (facts.connection->was_reset) return reset_reason(*facts.connection);
      if (facts.connection->fin_received) return Reason::end_of_stream;
      return Reason::not_known;
    case EHOSTUNREACH:
    case ENETUNREACH:
      // On a connection these are soft: a timer decides, and the last soft error is its errno
      // (tcp_write_err() in net/ipv4/tcp_timer.c).
      if (facts.connection->is_established)
        return timeout_reason(*facts.connection, facts.sighting->at);
      if (!facts.has_icmp_error) return Reason::not_known;
      return *facts.has_icmp_error ? Reason::unreachable : Reason::no_neighbour;
    default:
      return Reason::not_known;
  }
}

Reason noticed_reason(const ReasonFacts& facts) {
  switch (facts.sighting->noticed.by) {
    case NoticedBy::error:
      return error_reason(facts);
    case NoticedBy::end_of_stream:
      return facts.connection != nullptr && facts.connection->fin_received ? Reason::end_of_stream
                                                                           : Reason::not_known;
    case NoticedBy::hang_up:
      if (facts.connection == nullptr) return Reason::not_known;
      if (facts.connection->was_reset) return reset_reason(*facts.connection);
      return facts.connection->fin_received ? Reason::end_of_stream
                                            : timeout_reason(*facts.connection, facts.sighting->at);
    case NoticedBy::own_timer:
      return Reason::own_timer;
    case NoticedBy::closed:
    case NoticedBy::ended:
      if (facts.connection == nullptr) return Reason::own_end;
      if (facts.connection->was_reset) return reset_reason(*facts.connection);
      return facts.connection->fin_received ? Reason::end_of_stream : Reason::own_end;
  }
  return Reason::not_known;
}

/// Whether the server's kernel retransmits what the client has not acknowledged. It may have given
/// up.
bool retransmits(const WatchedConnection* end, base::Instant failure) {
  return end != nullptr && !end->finished && end->has_unacknowledged() &&
         end->last_retransmission && *end->last_retransmission > failure;
}

Reason hang_reason(const ReasonFacts& facts) {
  if (facts.connection == nullptr)
    return facts.is_lookup_slow ? Reason::waits_for_name : Reason::not_known;
  const WatchedConnection& connection = *facts.connection;
  if (connection.closed()) return Reason::not_known;
  if (!connection.is_established) return Reason::waits_for_syn;
  const bool probes_window =
      connection.last_sent && connection.last_sent->has(SegmentTrait::window_probe);
  if ((probes_window || connection.has_unsent()) && answered_since(connection, facts.failure))
    return Reason::zero_window;
  if (connection.has_unacknowledged() || probes_window) return Reason::waits_for_retransmissions;
  if (retransmits(facts.server_end, facts.failure)) return Reason::server_retransmits;
  if (facts.is_server_frozen || answered_since(connection, facts.failure))
    return Reason::peer_answers;
  if (connection.options.keepalive.value_or(false)) return Reason::waits_for_keepalive;
  return facts.has_endless_wait ? Reason::forever : Reason::waits_for_own_timer;
}

}  // namespace

Reason reason_of(const ReasonFacts& facts) {
  if (facts.outcome == AuditOutcome::unaffected) return Reason::nothing;
  if (facts.outcome == AuditOutcome::not_reached) return Reason::not_known;
  if (facts.is_lookup_slow && (facts.connection == nullptr || facts.sighting == nullptr) &&
      facts.outcome != AuditOutcome::hangs)
    return Reason::name_lookup;
  if (facts.sighting != nullptr) return noticed_reason(facts);
  if (facts.outcome == AuditOutcome::hangs) return hang_reason(facts);
  if (facts.outcome != AuditOutcome::recovered) return Reason::not_known;
  const bool retransmitted = facts.connection != nullptr && facts.connection->last_retransmission &&
                             *facts.connection->last_retransmission > facts.failure;
  return retransmitted ? Reason::retransmitted : Reason::nothing;
}

}  // namespace tcplab::audit
