#include "reports/audit/audit_words.hh"

#include <fmt/format.h>

#include "audit/requirements.hh"
#include "base/error.hh"
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

std::string set_by(const audit::SocketOptions& options, const std::string& name) {
  return options.by_lab.contains(name) ? " set by tcplab" : " set by the program";
}

std::string user_timeout_words(const audit::SocketOptions& options) {
  return "TCP_USER_TIMEOUT of " + span(options.user_timeout.value_or(base::nanoseconds{})) +
         set_by(options, "TCP_USER_TIMEOUT");
}

/// It ends SYNs, too (tcp_write_timeout() in net/ipv4/tcp_timer.c), and a closed window whose
/// probes are answered (tcp_probe_timer(); since Linux 5.11).
bool has_user_timeout(const audit::Cell& cell) {
  return cell.options.user_timeout && cell.options.user_timeout->count() > 0;
}

std::string with_user_timeout(const audit::Cell& cell) {
  return keepalive_words(cell.options, cell.has_stock_timers) +
         (has_user_timeout(cell) ? ", with the " + user_timeout_words(cell.options) : "");
}

std::string syn_words(const audit::Cell& cell) {
  if (cell.options.syn_count)
    return fmt::format("TCP_SYNCNT of {}{}", *cell.options.syn_count,
                       set_by(cell.options, "TCP_SYNCNT"));
  return std::string("kernel default: tcp_syn_retries") +
         (cell.has_stock_timers ? " = 6, about 134 s" : "");
}

std::string retransmission_words(const audit::Cell& cell) {
  return std::string("kernel default: tcp_retries2") +
         (cell.has_stock_timers ? " = 15, about 16 min" : "");
}

std::string own_timer_words(const audit::Cell& cell) {
  if (!cell.noticed) return "the program's own timer";
  const audit::Noticed& noticed = *cell.noticed;
  if (!noticed.timeout) return "the program's own timer: " + noticed.call;
  const std::string wait = span(*noticed.timeout);
  // A program with a deadline often waits in several steps, so the last says little.
  const bool is_whole = *noticed.timeout * 10 >= noticed.after * 9;
  if (is_whole) return "the program's own timer: " + noticed.call + " with " + wait;
  return "the program's own timer, after " + span(noticed.after) + "; its last wait was " +
         noticed.call + " with " + wait;
}

/// If the client itself is gone, the outcome is about the server.
bool has_let_go(const audit::Cell& cell) {
  return cell.is_client_gone &&
         (cell.server_let_go.has_value() || cell.outcome == AuditOutcome::recovered);
}

/// Whether the failure came, and the run was judged.
bool has_failed(const audit::Cell& cell) {
  return !cell.failure.empty() && cell.is_judged && cell.trouble.empty() &&
         cell.outcome != AuditOutcome::not_reached;
}

/// A wait with a timeout may end before TCP gives up: curl, for example, counts for itself.
std::string unless_timer(const audit::Cell& cell) {
  return cell.waits_with_timeout ? "; a timer of the program may end it before" : "";
}

/// What the server retransmits does not reach the client. Whether smaller segments do, such as the
/// answer to a probe, is not known.
std::string server_retransmits_words(const audit::Cell& cell) {
  std::string text = "the server still retransmits; it gives up by its " +
                     retransmission_words(cell) + ", and the client does not see that";
  if (cell.options.keepalive.value_or(false))
    text += "; " + with_user_timeout(cell) +
            " would end it, by a RST once the server has given up, or if no answer to its probes "
            "comes";
  return text + unless_timer(cell);
}

/// What a client that hangs waits for, while the failure lasts.
std::string hang_words(const audit::Cell& cell) {
  switch (cell.reason) {
    case audit::Reason::waits_for_name:
      return "DNS has not replied";
    case audit::Reason::waits_for_syn:
      return "still retransmitting the SYN; " +
             (has_user_timeout(cell)
                  ? "the first of these ends it: " + user_timeout_words(cell.options) + "; "
                  : "") +
             syn_words(cell) + unless_timer(cell);
    case audit::Reason::waits_for_retransmissions:
      return "still retransmitting; " +
             (has_user_timeout(cell) ? user_timeout_words(cell.options)
                                     : retransmission_words(cell)) +
             unless_timer(cell);
    case audit::Reason::waits_for_keepalive:
      return with_user_timeout(cell) + " would end it" + unless_timer(cell);
    case audit::Reason::server_retransmits:
      return server_retransmits_words(cell);
    case audit::Reason::peer_answers:
      return "the peer's kernel answers, so no timer of TCP ends it" +
             std::string(cell.waits_with_timeout ? "; a timer of the program may" : "");
    case audit::Reason::zero_window:
      return has_user_timeout(cell)
                 ? "the peer's window is closed; " + user_timeout_words(cell.options) +
                       " would end it, though its kernel answers the probes" + unless_timer(cell)
                 : "the peer's window is closed, and its kernel answers the probes";
    case audit::Reason::waits_for_own_timer:
      return "only a timer of the program would end it: keepalive is off, everything is "
             "acknowledged";
    case audit::Reason::forever:
      return "nothing would ever end this: keepalive is off, everything is acknowledged, and the "
             "program waits without a timeout";
    case audit::Reason::not_known:
    case audit::Reason::nothing:
    case audit::Reason::syn_timeout:
    case audit::Reason::retransmissions:
    case audit::Reason::user_timeout:
    case audit::Reason::keepalive:
    case audit::Reason::probe_reset:
    case audit::Reason::data_reset:
    case audit::Reason::reset:
    case audit::Reason::refused:
    case audit::Reason::unreachable:
    case audit::Reason::no_neighbour:
    case audit::Reason::end_of_stream:
    case audit::Reason::own_timer:
    case audit::Reason::own_end:
    case audit::Reason::retransmitted:
    case audit::Reason::name_lookup:
      break;
  }
  return "";
}

std::string_view reacted(const audit::Cell& cell) {
  const bool is_known = cell.reaction && *cell.reaction != capture::AuditReaction::none &&
                        *cell.reaction != capture::AuditReaction::command_failed;
  return is_known ? ", reacted" : "";
}

}  // namespace

std::string failure_label(const audit::Cell& cell) {
  if (cell.failure.empty()) return "no failure";
  return cell.failure_title + (cell.side.empty() ? "" : ", " + cell.side);
}

std::string_view outcome_word(const audit::Cell& cell) {
  if (audit::did_not_react(cell)) return "did not react";
  if (has_let_go(cell)) return "let go";
  if (cell.is_client_gone && cell.outcome == AuditOutcome::hangs) return "kept";
  return outcome_text(cell.outcome);
}

std::string outcome_label(const audit::Cell& cell) {
  if (!cell.trouble.empty()) return "run failed";
  if (!cell.is_judged) return "not judged";
  std::string words(outcome_word(cell));
  switch (cell.outcome) {
    case AuditOutcome::unaffected:
    case AuditOutcome::not_reached:
      return words.append(reacted(cell));
    case AuditOutcome::hangs:
      if (!has_let_go(cell)) return words + " > " + span(cell.limit);
      break;
    case AuditOutcome::recovered:
    case AuditOutcome::error:
    case AuditOutcome::wrong_data:
      break;
  }
  if (audit::did_not_react(cell)) return words;
  if (cell.took) words += " " + span(*cell.took);
  return words.append(reacted(cell));
}

std::string_view outcome_mark(const audit::Cell& cell) {
  if (!cell.trouble.empty() || !cell.is_judged) return "?";
  if (audit::did_not_react(cell)) return "∞";
  if (has_let_go(cell)) return "✓";
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

std::string noticed_words(const audit::Noticed& noticed) {
  switch (noticed.by) {
    case audit::NoticedBy::error:
      return noticed.call == "getsockopt"
                 ? "SO_ERROR was " + base::errno_name(noticed.error)
                 : noticed.call + " failed with " + base::errno_name(noticed.error);
    case audit::NoticedBy::end_of_stream:
      return "end of stream: " + noticed.call + " returned 0";
    case audit::NoticedBy::hang_up:
      return noticed.call + " reported ERR or HUP";
    case audit::NoticedBy::own_timer:
      return "own timer: " + noticed.call + (noticed.timeout ? ", " + span(*noticed.timeout) : "");
    case audit::NoticedBy::closed:
      return "it closed the connection; no call had failed";
    case audit::NoticedBy::ended:
      return "it ended; no call had failed";
  }
  return "";
}

std::string keepalive_words(const audit::SocketOptions& options, bool has_stock_timers) {
  const std::string times = fmt::format("{}/{}/{}", number(options.idle, has_stock_timers, 7200),
                                        number(options.interval, has_stock_timers, 75),
                                        number(options.count, has_stock_timers, 9));
  if (!options.idle && !options.interval && !options.count)
    return "keepalive with the kernel's times" + (has_stock_timers ? ", " + times : "");
  return "keepalive " + times + set_by(options, "TCP_KEEPIDLE");
}

std::string reason_words(const audit::Cell& cell) {
  if (!has_failed(cell)) return "";
  switch (cell.reason) {
    case audit::Reason::not_known:
      return "not known";
    case audit::Reason::nothing:
      return "";
    case audit::Reason::syn_timeout:
      return syn_words(cell);
    case audit::Reason::retransmissions:
      return retransmission_words(cell);
    case audit::Reason::user_timeout:
      return user_timeout_words(cell.options);
    case audit::Reason::keepalive:
      return with_user_timeout(cell);
    case audit::Reason::probe_reset:
      return with_user_timeout(cell) + ": its probe was answered with RST";
    case audit::Reason::data_reset:
      return "RST: the answer to data on a connection that the peer does not have";
    case audit::Reason::reset:
      return "RST that answers no segment of the client";
    case audit::Reason::refused:
      return "RST: nobody listens on the port";
    case audit::Reason::unreachable:
      return "ICMP: unreachable";
    case audit::Reason::no_neighbour:
      return "the next hop did not answer ARP (or neighbour solicitation)";
    case audit::Reason::end_of_stream:
      return "FIN: the peer closed the connection";
    case audit::Reason::own_timer:
      return own_timer_words(cell);
    case audit::Reason::own_end:
      return "the program gave up by itself; the events do not tell why";
    case audit::Reason::retransmitted:
      return "the kernel's retransmissions";
    case audit::Reason::name_lookup:
      return cell.name_lookup ? "DNS replied after " + span(*cell.name_lookup)
                              : "DNS had not replied";
    case audit::Reason::waits_for_name:
    case audit::Reason::waits_for_syn:
    case audit::Reason::waits_for_retransmissions:
    case audit::Reason::waits_for_keepalive:
    case audit::Reason::server_retransmits:
    case audit::Reason::peer_answers:
    case audit::Reason::zero_window:
    case audit::Reason::waits_for_own_timer:
    case audit::Reason::forever:
      return (cell.ends_after_limit ? "the failure ends only after the limit; while it lasts: "
                                    : "") +
             hang_words(cell);
  }
  return "";
}

std::string repeat_words(const audit::Cell& cell) {
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

std::string reaction_words(const audit::Cell& cell) {
  if (!cell.reaction) return "";
  if (audit::did_not_react(cell))
    return std::string(outcome_text(cell.outcome)) +
           " as far as packets go, but the client did not react to the command of --after";
  return reaction_text(*cell.reaction);
}

std::string server_words(const audit::Cell& cell) {
  if (!cell.had_server_connection) return "";
  std::string words = cell.server_let_go
                          ? "the server let go after " + span(*cell.server_let_go)
                          : std::string("the server still kept the connection at the end");
  if (cell.server_let_go && cell.server_noticed)
    words += " (" + noticed_words(*cell.server_noticed) + ")";
  return words;
}

}  // namespace tcplab::reports
