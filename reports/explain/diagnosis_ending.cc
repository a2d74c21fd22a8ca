// How a connection ended: resets of each kind, FINs, what came after.
#include <array>
#include <fmt/format.h>

#include "reports/explain/diagnosis_rules.hh"

namespace tcplab::reports {

using capture::ResetKind;
using capture::SegmentTrait;
using capture::TcpState;

namespace {

constexpr std::int64_t kLong = 500'000'000;  // nanoseconds: not the same moment

bool is_reset_by(const Evidence& seen) {
  return seen.talk.was_established() && seen.is_reset() && seen.talk.reset_by() == seen.end;
}

bool gives_up_probing(const Evidence& seen) {
  return is_reset_by(seen) && seen.own().keepalives_waiting > 0 && seen.resets(ResetKind::gave_up);
}

bool gives_up_half_closed(const Evidence& seen) {
  return is_reset_by(seen) && seen.self().sent_fin && seen.own().keepalives_waiting > 0;
}

bool gives_up_after_one(const Evidence& seen) {
  return gives_up_probing(seen) && seen.own().keepalives_waiting == 1;
}

std::string words_of_probing(const Evidence& seen) {
  return fmt::format("{} sent a keepalive probe {}, nothing came back, and it reset", seen.name(),
                     times(seen.own().keepalives_waiting));
}

bool ends_time_wait(const Evidence& seen) {
  return is_reset_by(seen) && seen.facts.reset_after_over() && seen.own().data_after_over > 0;
}

std::string words_of_assassination(const Evidence& seen) {
  return fmt::format(
      "after both had closed, an old segment of {} came, was answered with an ACK, and that with a "
      "RST (RFC 1337)",
      seen.name());
}

bool has_no_time_wait(const Evidence& seen) {
  return is_reset_by(seen) && seen.others().fin_retransmits > 0 && seen.talk.was_established() &&
         seen.facts.reset_after_fin() && !seen.facts.closed_at_once();
}

std::string words_of_no_time_wait(const Evidence& seen) {
  return fmt::format("{} answered a FIN that was sent again with a RST: it has no TIME_WAIT",
                     seen.name());
}

bool answers_probe(const Evidence& seen) {
  return is_reset_by(seen) && seen.talk.reset_after().has(SegmentTrait::keepalive_probe) &&
         (seen.talk.reset() == ResetKind::no_connection ||
          seen.talk.reset() == ResetKind::after_close);
}

bool answers_stale_probe(const Evidence& seen) {
  return answers_probe(seen) && seen.talk.reset_in(1 - seen.end) == TcpState::close_wait;
}

std::string words_of_answered_probe(const Evidence& seen) {
  return fmt::format(
      "{} answered a keepalive probe with a RST: its kernel had no such connection{}", seen.name(),
      seen.self().sent_fin ? " any more, as it had closed" : "");
}

bool aborts_closing(const Evidence& seen) {
  return is_reset_by(seen) && seen.facts.closed_at_once() && seen.self().sent_fin;
}

std::string words_of_closing(const Evidence& seen) {
  return fmt::format("the two FINs crossed, and {} sent a RST before both were acknowledged",
                     seen.name());
}

bool forgets_fin_wait2(const Evidence& seen) {
  return is_reset_by(seen) && seen.self().sent_fin && seen.facts.reset_after_fin() &&
         seen.facts.reset_delay() > kLong;
}

std::string words_of_fin_wait2(const Evidence& seen) {
  return fmt::format(
      "{} answered {}'s FIN with a RST, {} after its own: its kernel did not wait that long in "
      "FIN_WAIT2",
      seen.name(), seen.other_name(), duration(seen.facts.reset_delay()));
}

bool forgets_zero_window(const Evidence& seen) {
  return is_reset_by(seen) && seen.own().window_probes > 0 && seen.facts.reset_after_opening();
}

std::string words_of_orphan(const Evidence& seen) {
  return fmt::format(
      "{} had probed a window of zero; when it opened, {} had no such connection any more",
      seen.name(), seen.name());
}

/// Data came to an end that had sent its FIN.
bool resets_writer(const Evidence& seen) {
  return is_reset_by(seen) && seen.self().sent_fin && seen.talk.reset_after_data() &&
         !seen.other().sent_fin && seen.others().data_after_peer_fin > 0;
}

bool resets_late_writer(const Evidence& seen) {
  return resets_writer(seen) && seen.facts.reset_delay() > kLong;
}

std::string words_of_writer(const Evidence& seen) {
  return fmt::format("{} had sent its FIN; {} wrote {} later and was reset", seen.name(),
                     seen.other_name(), duration(seen.facts.reset_delay()));
}

bool has_no_connection(const Evidence& seen) {
  return is_reset_by(seen) && seen.talk.reset() == ResetKind::no_connection &&
         !seen.self().sent_fin && !seen.other().sent_fin && seen.others().acks_unsent == 0;
}

bool resets_third(const Evidence& seen) {
  return has_no_connection(seen) && seen.others().syns > 0 && seen.other().segments == 2 &&
         seen.others().data_segments == 0;
}

std::string words_of_reset_third(const Evidence& seen) {
  return fmt::format("{} answered the last ACK of the handshake with a RST", seen.name());
}

bool outlives(const Evidence& seen) {
  return has_no_connection(seen) && seen.own().attempt.retransmits >= 2;
}

std::string words_of_outliving(const Evidence& seen) {
  return fmt::format(
      "{} had sent data again, {}, without an answer; when {} was heard again, {} knew of no "
      "connection: it had given up",
      seen.name(), times(seen.own().attempt.retransmits), seen.other_name(), seen.name());
}

std::string words_of_no_connection(const Evidence& seen) {
  return fmt::format(
      "a segment of the open connection was answered by {} with a RST, and no FIN was seen before: "
      "that kernel had no such connection",
      seen.name());
}

bool is_abort(const Evidence& seen) {
  return is_reset_by(seen) && seen.talk.reset() == ResetKind::abort;
}

bool loses_reset(const Evidence& seen) {
  return is_abort(seen) && seen.own().more_resets > 0 && seen.others().data_segments > 0 &&
         seen.facts.data_after_reset();
}

std::string words_of_lost_reset(const Evidence& seen) {
  return fmt::format("{} reset it, {} went on all the same, and was reset again", seen.name(),
                     seen.other_name());
}

bool aborts_in_close_wait(const Evidence& seen) {
  return is_abort(seen) && seen.other().sent_fin && !seen.self().sent_fin;
}

std::string words_of_close_wait(const Evidence& seen) {
  return fmt::format("{} had the other's FIN, and ended with a RST instead of its own",
                     seen.name());
}

bool aborts_after_fin(const Evidence& seen) {
  return is_reset_by(seen) && seen.talk.reset() == ResetKind::after_close &&
         !seen.talk.reset_after_data() && !seen.facts.reset_after_fin() && !seen.other().sent_fin &&
         !seen.talk.reset_after().has(SegmentTrait::keepalive_probe);
}

std::string words_of_after_fin(const Evidence& seen) {
  return fmt::format("{} sent a RST after its FIN, and nothing had come to provoke it",
                     seen.name());
}

bool aborts_with_unread(const Evidence& seen) { return is_abort(seen) && seen.other().octets > 0; }

bool replies_and_aborts(const Evidence& seen) {
  return aborts_with_unread(seen) && seen.facts.replied_last() == seen.end;
}

std::string words_of_reply(const Evidence& seen) {
  return fmt::format("{} had taken {}, sent {} itself, and then a RST instead of a FIN",
                     seen.name(), counted(seen.other().octets, "octet"), seen.self().octets);
}

std::string words_of_unread(const Evidence& seen) {
  return fmt::format("{} had got {}, and ended with a RST instead of a FIN", seen.name(),
                     counted(seen.other().octets, "octet"));
}

bool sends_and_aborts(const Evidence& seen) { return is_abort(seen) && seen.self().octets > 0; }

std::string words_of_sent(const Evidence& seen) {
  return fmt::format("{} sent {} and then a RST; it had got nothing that it could leave unread",
                     seen.name(), counted(seen.self().octets, "octet"));
}

bool listener_aborts(const Evidence& seen) { return is_abort(seen) && seen.own().syn_acks > 0; }

std::string words_of_abort(const Evidence& seen) {
  return fmt::format(
      "{} ended with a RST instead of a FIN; it had got nothing that it could leave "
      "unread",
      seen.name());
}

bool closes_at_once(const Evidence& seen) {
  return seen.facts.closed_at_once() && !seen.is_reset();
}

bool closes_at_once_unheard(const Evidence& seen) {
  return closes_at_once(seen) && seen.own().fin_retransmits > 1 &&
         seen.others().fin_retransmits > 1;
}

bool closes_at_once_again(const Evidence& seen) {
  return closes_at_once(seen) && seen.own().fin_retransmits > 0;
}

std::string words_of_crossing(const Evidence&) { return "the two FINs crossed"; }

std::string words_of_crossing_again(const Evidence& seen) {
  return fmt::format("the two FINs crossed, and {} sent its again, {}", seen.name(),
                     times(seen.own().fin_retransmits));
}

bool loses_last_ack(const Evidence& seen) {
  return seen.own().fin_retransmits_after_ack > 0 && seen.other().sent_fin && !seen.is_reset();
}

std::string words_of_last_ack(const Evidence& seen) {
  return fmt::format("{} sent its FIN again, {}, though its acknowledgment was seen", seen.name(),
                     times(seen.own().fin_retransmits_after_ack));
}

bool loses_fin(const Evidence& seen) {
  const TcpState state = seen.self().state;
  const bool is_acknowledged =
      state == TcpState::fin_wait2 || state == TcpState::time_wait || state == TcpState::closed;
  return seen.own().fin_retransmits > 0 && is_acknowledged && !seen.is_reset();
}

std::string words_of_fin(const Evidence& seen) {
  return fmt::format("{} sent its FIN again, and then it was acknowledged", seen.name());
}

bool has_old_duplicate(const Evidence& seen) {
  return seen.own().data_after_over > 0 && !seen.is_reset();
}

std::string words_of_old_duplicate(const Evidence& seen) {
  return fmt::format("data of {} came after both had closed, and was answered with an ACK",
                     seen.name());
}

bool uses_half_close(const Evidence& seen) {
  return seen.own().data_after_peer_fin_passed && !seen.is_reset();
}

std::string words_of_half_close(const Evidence& seen) {
  return fmt::format(
      "{} sent data after {}'s FIN, and it was taken: that end had shut down its sending side only",
      seen.name(), seen.other_name());
}

constexpr std::array kRules = {
    DiagnosisRule{gives_up_half_closed, "peer-dies-after-half-close", words_of_probing},
    DiagnosisRule{gives_up_after_one, "keepalive-with-user-timeout", words_of_probing,
                  "keepalive-finds-power-off",
                  "one probe is all where TCP_KEEPCNT or tcp_keepalive_probes is one"},
    DiagnosisRule{gives_up_probing, "keepalive-finds-power-off", words_of_probing},
    DiagnosisRule{ends_time_wait, "time-wait-assassination", words_of_assassination,
                  "time-wait-assassination-prevented", "net.ipv4.tcp_rfc1337 decides what it does"},
    DiagnosisRule{has_no_time_wait, "time-wait-buckets", words_of_no_time_wait},
    DiagnosisRule{answers_stale_probe, "keepalive-in-close-wait", words_of_answered_probe},
    DiagnosisRule{answers_probe, "keepalive-finds-power-cycle", words_of_answered_probe},
    DiagnosisRule{aborts_closing, "abort-in-closing", words_of_closing},
    DiagnosisRule{forgets_fin_wait2, "linger2", words_of_fin_wait2},
    DiagnosisRule{forgets_zero_window, "orphan-zero-window", words_of_orphan},
    DiagnosisRule{resets_late_writer, "broken-without-failure", words_of_writer, "write-to-orphan",
                  "the same, with less time between"},
    DiagnosisRule{resets_writer, "write-to-orphan", words_of_writer, "power-cycle-in-close-wait",
                  "it was power cycled after its FIN"},
    DiagnosisRule{resets_third, "abort-on-overflow", words_of_reset_third,
                  "power-cycle-in-handshake", "it was power cycled between the two"},
    DiagnosisRule{outlives, "long-partition", words_of_outliving},
    DiagnosisRule{has_no_connection, "power-cycle", words_of_no_connection,
                  "firewall-forgets-and-resets",
                  "something on the way that has forgotten it spoke in its name"},
    DiagnosisRule{loses_reset, "reset-lost", words_of_lost_reset},
    DiagnosisRule{aborts_in_close_wait, "abort-in-close-wait", words_of_close_wait},
    DiagnosisRule{aborts_after_fin, "abort-in-fin-wait1", words_of_after_fin, "linger2-negative",
                  "TCP_LINGER2 below zero made its close do that"},
    DiagnosisRule{replies_and_aborts, "reply-then-close-with-unread-data", words_of_reply,
                  "linger-zero", "it had read all, and closed with SO_LINGER and zero seconds"},
    DiagnosisRule{aborts_with_unread, "close-with-unread-data", words_of_unread, "linger-zero",
                  "it had read all, and closed with SO_LINGER and zero seconds"},
    DiagnosisRule{sends_and_aborts, "data-then-reset", words_of_sent},
    DiagnosisRule{listener_aborts, "linger-zero", words_of_abort, "shutdown-listener",
                  "its listener was closed before it was accepted"},
    DiagnosisRule{is_abort, "linger-zero", words_of_abort, "socket-destroyed",
                  "somebody ended it with ss -K"},
    DiagnosisRule{closes_at_once_unheard, "closing-path-lost", words_of_crossing_again},
    DiagnosisRule{closes_at_once_again, "closing-ack-lost", words_of_crossing_again},
    DiagnosisRule{closes_at_once, "simultaneous-close", words_of_crossing},
    DiagnosisRule{loses_last_ack, "last-ack-lost", words_of_last_ack},
    DiagnosisRule{loses_fin, "fin-lost", words_of_fin},
    DiagnosisRule{has_old_duplicate, "old-duplicate-into-time-wait", words_of_old_duplicate},
    DiagnosisRule{uses_half_close, "shutdown-then-write", words_of_half_close},
};

bool keeps_alive(const Evidence& seen) { return seen.own().keepalives_answered >= 2; }

std::string words_of_keeping(const Evidence& seen) {
  return fmt::format("{} sent a keepalive probe {}, and each was answered: the other kernel lives",
                     seen.name(), times(seen.own().keepalives));
}

bool closes_in_order(const Evidence& seen) {
  return !seen.is_reset() && seen.self().state == TcpState::time_wait &&
         seen.other().state == TcpState::closed;
}

std::string words_of_order(const Evidence& seen) {
  return fmt::format("{} closed first, {} after it, and all was acknowledged", seen.name(),
                     seen.other_name());
}

bool stays_half_closed(const Evidence& seen) {
  return !seen.is_reset() && seen.self().state == TcpState::fin_wait2 &&
         seen.other().state == TcpState::close_wait;
}

std::string words_of_half(const Evidence& seen) {
  return fmt::format("{} has closed, {} has not, and the capture ends so", seen.name(),
                     seen.other_name());
}

constexpr std::array kOrdinary = {
    DiagnosisRule{keeps_alive, "nat-kept-open-by-keepalive", words_of_keeping, "frozen-application",
                  "it would answer, too, if its program were frozen"},
    DiagnosisRule{closes_in_order, "warmup", words_of_order},
    DiagnosisRule{stays_half_closed, "broken-without-failure", words_of_half},
};

}  // namespace

std::span<const DiagnosisRule> ending_rules() { return kRules; }
std::span<const DiagnosisRule> ordinary_rules() { return kOrdinary; }

}  // namespace tcplab::reports
