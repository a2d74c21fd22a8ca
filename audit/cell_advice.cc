#include "audit/cell_advice.hh"

namespace tcplab::audit {

using capture::AuditOutcome;

namespace {

bool has_keepalive_times(const SocketOptions& options) {
  return options.keepalive.value_or(false) && options.idle && options.interval;
}

/// What keeps the client from waiting so long again.
void advise_on_wait(const Cell& cell, std::vector<Advice>& advice) {
  switch (cell.reason) {
    case Reason::waits_for_name:
      advice.push_back(Advice::set_application_timeout);
      break;
    case Reason::waits_for_syn:
      advice.push_back(Advice::set_connect_timeout);
      break;
    case Reason::syn_timeout:
      if (!cell.options.syn_count) advice.push_back(Advice::set_connect_timeout);
      break;
    case Reason::waits_for_retransmissions:
    case Reason::retransmissions:
      if (!cell.options.user_timeout) advice.push_back(Advice::set_user_timeout);
      break;
    case Reason::keepalive:
    case Reason::waits_for_keepalive:
      if (!has_keepalive_times(cell.options)) advice.push_back(Advice::set_keepalive);
      break;
    case Reason::forever:
    case Reason::waits_for_own_timer:
      advice.push_back(Advice::set_keepalive);
      advice.push_back(Advice::set_application_timeout);
      break;
    case Reason::server_retransmits:
    case Reason::peer_answers:
    case Reason::zero_window:
      advice.push_back(Advice::set_application_timeout);
      break;
    case Reason::probe_reset:
      if (!has_keepalive_times(cell.options)) advice.push_back(Advice::set_keepalive);
      break;
    case Reason::data_reset:
    case Reason::end_of_stream:
    case Reason::not_known:
    case Reason::nothing:
    case Reason::user_timeout:
    case Reason::reset:
    case Reason::refused:
    case Reason::unreachable:
    case Reason::no_neighbour:
    case Reason::own_timer:
    case Reason::own_end:
    case Reason::retransmitted:
    case Reason::name_lookup:
      break;
  }
}

/// The peer's kernel answered: it is there again, or has been all the time.
bool is_worth_a_retry(const Cell& cell) {
  const bool is_answer = cell.reason == Reason::probe_reset || cell.reason == Reason::data_reset ||
                         cell.reason == Reason::end_of_stream;
  return cell.outcome == AuditOutcome::error && is_answer && cell.opened_again == 0;
}

}  // namespace

std::vector<Advice> advice_for(const Cell& cell) {
  std::vector<Advice> advice;
  advise_on_wait(cell, advice);
  if (is_worth_a_retry(cell)) advice.push_back(Advice::retry_once);
  if (cell.received_again > 0) advice.push_back(Advice::make_repeatable);
  if (cell.first_error) advice.push_back(Advice::keep_first_error);
  if (cell.had_server_connection && !cell.server_let_go && !cell.can_server_ask_client)
    advice.push_back(cell.is_client_frozen ? Advice::set_server_timeout
                                           : Advice::set_server_keepalive);
  return advice;
}

}  // namespace tcplab::audit
