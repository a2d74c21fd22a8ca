// Rules for a RST with which a program, or its kernel for it, ended a live connection.
#include <array>
#include <fmt/format.h>

#include "reports/explain/diagnosis_rules.hh"
#include "reports/explain/waiting.hh"

namespace tcplab::reports {

using capture::ResetKind;
using capture::SegmentTrait;

namespace {

bool is_abort(const Evidence& seen) {
  return seen.ends_by_reset() && seen.talk.reset().kind == ResetKind::abort;
}

bool loses_reset(const Evidence& seen) {
  return is_abort(seen) && seen.own().rare->more_resets > 0 && seen.others().data_segments > 0 &&
         seen.facts.ending().data_after_reset;
}

std::string words_of_lost_reset(const Evidence& seen) {
  return fmt::format("{} reset it, {} still sent data, and was reset once more", seen.name(),
                     seen.other_name());
}

bool aborts_in_close_wait(const Evidence& seen) {
  return is_abort(seen) && seen.other_state().sent_fin && !seen.self_state().sent_fin;
}

std::string words_of_close_wait(const Evidence& seen) {
  return fmt::format("{} received a FIN, and answered with a RST instead of its own FIN",
                     seen.name());
}

bool aborts_after_fin(const Evidence& seen) {
  return seen.ends_by_reset() && seen.talk.reset().kind == ResetKind::after_close &&
         !seen.talk.reset().after_data && !seen.other_state().sent_fin &&
         !seen.talk.reset().after.has(SegmentTrait::keepalive_probe);
}

std::string words_of_after_fin(const Evidence& seen) {
  return fmt::format("{} sent a RST after its FIN, and it answered no segment", seen.name());
}

bool aborts_with_unread(const Evidence& seen) { return is_abort(seen) && seen.other().octets > 0; }

bool replies_and_aborts(const Evidence& seen) {
  return aborts_with_unread(seen) && seen.facts.ending().replied_last == seen.end;
}

std::string words_of_reply(const Evidence& seen) {
  return fmt::format("{} received {}, sent {}, and then sent a RST instead of a FIN", seen.name(),
                     counted(seen.other().octets, "octet"), counted(seen.self().octets, "octet"));
}

/// Returns ", 60.0 s after it" if the peer's last data had no reply for so long; else nothing.
std::string delay_after_data(const Evidence& seen) {
  const std::int64_t delay = seen.facts.ending().reset_at - seen.others().last_data.at;
  const bool is_late = seen.facts.ending().replied_last == 1 - seen.end && delay >= 1'000'000'000;
  return is_late ? fmt::format(", {} later, ", duration(delay)) : " ";
}

std::string words_of_unread(const Evidence& seen) {
  return fmt::format("{} received {}, and then{}sent a RST instead of a FIN", seen.name(),
                     counted(seen.other().octets, "octet"), delay_after_data(seen));
}

bool sends_and_aborts(const Evidence& seen) { return is_abort(seen) && seen.self().octets > 0; }

bool gives_up_waiting(const Evidence& seen) {
  const auto waiting = waiting_of(seen.talk, seen.facts, Roles(seen.talk));
  return sends_and_aborts(seen) && waiting && waiting->closed_by == seen.end;
}

std::string words_of_linger_reset(const Evidence& seen) {
  const auto waiting = waiting_of(seen.talk, seen.facts, Roles(seen.talk));
  return fmt::format(
      "{} waited {} for a reply; then its program closed with SO_LINGER and zero seconds: a RST "
      "instead of a FIN, although it had no unread data",
      seen.name(), duration(waiting->lasted));
}

std::string words_of_sent(const Evidence& seen) {
  return fmt::format(
      "{} sent {} and then a RST; it had received no data that it could leave unread", seen.name(),
      counted(seen.self().octets, "octet"));
}

/// Nothing in the capture shows that there was unread data, nor that there was none. A RST without
/// ACK may answer a segment that the capture lacks (RFC 9293 section 3.10.7.1).
bool aborts_with_unseen(const Evidence& seen) {
  const bool is_answer = lacks_an_end(seen.talk) && !seen.facts.ending().reset_has_ack;
  return is_abort(seen) && !is_answer && may_have_unseen_data(seen.talk, seen.facts, seen.end);
}

std::string words_of_unseen(const Evidence& seen) {
  return fmt::format(
      "{} sent a RST instead of a FIN; the capture does not show whether it had unread data",
      seen.name());
}

bool acceptor_aborts(const Evidence& seen) { return is_abort(seen) && seen.own().syn_acks > 0; }

std::string words_of_abort(const Evidence& seen) {
  return fmt::format(
      "{} sent a RST instead of a FIN; it had received no data that it could leave unread",
      seen.name());
}

constexpr const char* kResets =
    "a proxy or load balancer that resets on an idle timeout; a program that was killed";

constexpr std::array kAbortRules = {
    DiagnosisRule{loses_reset, "reset-lost", words_of_lost_reset},
    DiagnosisRule{aborts_in_close_wait, "abort-in-close-wait", words_of_close_wait},
    DiagnosisRule{aborts_after_fin, "abort-in-fin-wait1", words_of_after_fin, "linger2-negative",
                  "TCP_LINGER2 below zero makes close(2) do that"},
    DiagnosisRule{replies_and_aborts, "reply-then-close-with-unread-data", words_of_reply,
                  "linger-zero",
                  "it had read everything, and closed with SO_LINGER and zero seconds", kResets},
    DiagnosisRule{aborts_with_unread, "close-with-unread-data", words_of_unread, "linger-zero",
                  "it had read everything, and closed with SO_LINGER and zero seconds",
                  "a program that crashed or was killed before it read everything; a proxy that "
                  "resets on a timeout"},
    with(Basis::one_direction,
         {aborts_with_unseen, "close-with-unread-data", words_of_unseen, "linger-zero",
          "it had read everything, and closed with SO_LINGER and zero seconds", kResets}),
    DiagnosisRule{gives_up_waiting, "linger-zero", words_of_linger_reset, "socket-destroyed",
                  "ss -K destroyed the socket"},
    DiagnosisRule{sends_and_aborts, "data-then-reset", words_of_sent, nullptr, nullptr, kResets},
    DiagnosisRule{acceptor_aborts, "linger-zero", words_of_abort, "shutdown-listener",
                  "its listener was closed before accept(2)"},
    DiagnosisRule{is_abort, "linger-zero", words_of_abort, "socket-destroyed",
                  "ss -K destroyed the socket",
                  "a load balancer's health check or a scan, if it sends no data at all"},
};

}  // namespace

std::span<const DiagnosisRule> abort_rules() { return kAbortRules; }

}  // namespace tcplab::reports
