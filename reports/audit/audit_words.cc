#include "reports/audit/audit_words.hh"

#include <fmt/format.h>

#include "base/error.hh"
#include "reports/audit/program_settings.hh"
#include "reports/text/audit_text.hh"

namespace tcplab::reports {

using capture::AuditOutcome;

namespace {

std::string span(base::nanoseconds time) { return base::describe(time); }

/// One of a keepalive's numbers; the kernel's if the program has set none.
std::string number(const std::optional<int>& set, bool has_stock_timers, int stock) {
  if (set) return std::to_string(*set);
  return has_stock_timers ? std::to_string(stock) : "default";
}

std::string set_by(const SocketOptions& options, const std::string& name) {
  return options.by_lab.contains(name) ? " set by tcplab" : " set by the program";
}

std::string user_timeout_words(const SocketOptions& options) {
  return "TCP_USER_TIMEOUT of " + span(options.user_timeout.value_or(base::nanoseconds{})) +
         set_by(options, "TCP_USER_TIMEOUT");
}

std::string with_user_timeout(const Cell& cell) {
  const bool is_set = cell.options.user_timeout && cell.options.user_timeout->count() > 0;
  return keepalive_words(cell.options, cell.has_stock_timers) +
         (is_set ? ", with the " + user_timeout_words(cell.options) : "");
}

std::string syn_words(const Cell& cell) {
  if (cell.options.syn_count)
    return fmt::format("TCP_SYNCNT of {}{}", *cell.options.syn_count,
                       set_by(cell.options, "TCP_SYNCNT"));
  return std::string("kernel default: tcp_syn_retries") +
         (cell.has_stock_timers ? " = 6, about 134 s" : "");
}

std::string retransmission_words(const Cell& cell) {
  return std::string("kernel default: tcp_retries2") +
         (cell.has_stock_timers ? " = 15, about 16 min" : "");
}

std::string own_timer_words(const Cell& cell) {
  if (!cell.noticed) return "the program's own timer";
  const Noticed& noticed = *cell.noticed;
  if (!noticed.timeout) return "the program's own timer: " + noticed.call;
  const std::string wait = span(*noticed.timeout);
  // A program with a deadline often waits in several steps, so the last says little.
  const bool is_whole = *noticed.timeout * 10 >= noticed.after * 9;
  if (is_whole) return "the program's own timer: " + noticed.call + " with " + wait;
  return "the program's own timer, after " + span(noticed.after) + "; its last wait was " +
         noticed.call + " with " + wait;
}

/// Whether the failure came, and the run was judged.
bool has_failed(const Cell& cell) {
  return !cell.failure.empty() && cell.is_judged && cell.trouble.empty() &&
         cell.outcome != AuditOutcome::not_reached;
}

}  // namespace

std::string failure_label(const Cell& cell) {
  if (cell.failure.empty()) return "no failure";
  return cell.failure_title + (cell.side.empty() ? "" : ", " + cell.side);
}

std::string outcome_label(const Cell& cell) {
  if (!cell.trouble.empty()) return "run failed";
  if (!cell.is_judged) return "not judged";
  std::string words(outcome_text(cell.outcome));
  switch (cell.outcome) {
    case AuditOutcome::unaffected:
    case AuditOutcome::not_reached:
      return words;
    case AuditOutcome::hangs:
      return words + " > " + span(cell.limit);
    case AuditOutcome::recovered:
    case AuditOutcome::error:
    case AuditOutcome::wrong_data:
      return cell.took ? words + " " + span(*cell.took) : words;
  }
  return words;
}

std::string_view outcome_mark(const Cell& cell) {
  if (!cell.trouble.empty() || !cell.is_judged) return "?";
  switch (cell.outcome) {
    case AuditOutcome::unaffected:
      return "=";
    case AuditOutcome::recovered:
      return "✓";
    case AuditOutcome::error:
      return "!";
    case AuditOutcome::wrong_data:
      return "✗";
    case AuditOutcome::hangs:
      return "∞";
    case AuditOutcome::not_reached:
      return "-";
  }
  return "?";
}

std::string noticed_words(const Noticed& noticed) {
  switch (noticed.by) {
    case NoticedBy::error:
      return noticed.call == "getsockopt"
                 ? "SO_ERROR was " + base::errno_name(noticed.error)
                 : noticed.call + " failed with " + base::errno_name(noticed.error);
    case NoticedBy::end_of_stream:
      return "end of stream: " + noticed.call + " returned 0";
    case NoticedBy::hang_up:
      return noticed.call + " reported ERR or HUP";
    case NoticedBy::own_timer:
      return "own timer: " + noticed.call + (noticed.timeout ? ", " + span(*noticed.timeout) : "");
    case NoticedBy::closed:
      return "it closed the connection; no call had failed";
    case NoticedBy::ended:
      return "it ended; no call had failed";
  }
  return "";
}

std::string keepalive_words(const SocketOptions& options, bool has_stock_timers) {
  const std::string times = fmt::format("{}/{}/{}", number(options.idle, has_stock_timers, 7200),
                                        number(options.interval, has_stock_timers, 75),
                                        number(options.count, has_stock_timers, 9));
  if (!options.idle && !options.interval && !options.count)
    return "keepalive with the kernel's times" + (has_stock_timers ? ", " + times : "");
  return "keepalive " + times + set_by(options, "TCP_KEEPIDLE");
}

std::string reason_words(const Cell& cell) {
  if (!has_failed(cell)) return "";
  switch (cell.reason) {
    case Reason::not_known:
      return "not known";
    case Reason::nothing:
      return "";
    case Reason::syn_timeout:
      return syn_words(cell);
    case Reason::retransmissions:
      return retransmission_words(cell);
    case Reason::user_timeout:
      return user_timeout_words(cell.options);
    case Reason::keepalive:
      return with_user_timeout(cell);
    case Reason::probe_reset:
      return with_user_timeout(cell) + ": its probe was answered with RST";
    case Reason::data_reset:
      return "RST: the answer to data on a connection that the peer does not have";
    case Reason::reset:
      return "RST that answers no segment of the client";
    case Reason::refused:
      return "RST: nobody listens on the port";
    case Reason::unreachable:
      return "ICMP: unreachable";
    case Reason::no_neighbour:
      return "the next hop did not answer ARP (or neighbour solicitation)";
    case Reason::end_of_stream:
      return "FIN: the peer closed the connection";
    case Reason::own_timer:
      return own_timer_words(cell);
    case Reason::own_end:
      return "the program gave up by itself; the events do not tell why";
    case Reason::retransmitted:
      return "the kernel's retransmissions";
    case Reason::name_lookup:
      return cell.name_lookup ? "DNS replied after " + span(*cell.name_lookup)
                              : "DNS had not replied";
    case Reason::waits_for_name:
      return "DNS has not replied";
    case Reason::waits_for_syn:
      return "still retransmitting the SYN; " + syn_words(cell);
    case Reason::waits_for_retransmissions:
      return "still retransmitting; " + (cell.options.user_timeout
                                             ? user_timeout_words(cell.options)
                                             : retransmission_words(cell));
    case Reason::waits_for_keepalive:
      return with_user_timeout(cell) + " would end it";
    case Reason::peer_answers:
      return "the peer's kernel answers, so no timer of TCP ends it";
    case Reason::zero_window:
      return "the peer's window is closed, and its kernel answers the probes";
    case Reason::waits_for_own_timer:
      return "only a timer of the program would end it: keepalive is off, everything is "
             "acknowledged";
    case Reason::forever:
      return "nothing would ever end this: keepalive is off, everything is acknowledged, and the "
             "program waits without a timeout";
  }
  return "";
}

std::string repeat_words(const Cell& cell) {
  std::string words;
  const auto add = [&words](int count, std::string_view one, std::string_view many) {
    if (count == 0) return;
    if (!words.empty()) words += "; ";
    words += fmt::format("{} {}", count, count == 1 ? one : many);
  };
  add(cell.opened_again, "connection opened again", "connections opened again");
  add(cell.sent_again, "request sent again", "requests sent again");
  add(cell.received_again, "request read twice by the server", "requests read twice by the server");
  if (cell.first_error) {
    if (!words.empty()) words += "; ";
    words += "the first error was " + base::errno_name(*cell.first_error);
  }
  return words;
}

std::string server_words(const Cell& cell) {
  if (!cell.had_server_connection) return "";
  std::string words = cell.server_let_go
                          ? "the server let go after " + span(*cell.server_let_go)
                          : std::string("the server still kept the connection at the end");
  if (cell.server_let_go && cell.server_noticed)
    words += " (" + noticed_words(*cell.server_noticed) + ")";
  return words;
}

}  // namespace tcplab::reports
