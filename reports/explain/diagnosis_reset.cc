// Rules for a connection that a RST ended.
#include <array>
#include <fmt/format.h>

#include "reports/explain/diagnosis_rules.hh"

namespace tcplab::reports {

using capture::ResetKind;
using capture::ResetTrigger;
using capture::SegmentTrait;
using capture::TcpState;

namespace {

constexpr std::int64_t kLater = 500'000'000;        // nanoseconds: not at the same time
constexpr std::int64_t kMuchLater = 5'000'000'000;  // a host may have started again

bool is_reset_by(const Evidence& seen) { return seen.ends_by_reset(); }

bool gives_up_probing(const Evidence& seen) {
  return is_reset_by(seen) && seen.own().rare->keepalives_waiting > 0 &&
         seen.resets(ResetKind::gave_up) && seen.own().rare->icmp.empty();
}

bool gives_up_half_closed(const Evidence& seen) {
  return is_reset_by(seen) && seen.self_state().sent_fin && seen.own().rare->keepalives_waiting > 0;
}

bool gives_up_after_one(const Evidence& seen) {
  return gives_up_probing(seen) && seen.own().rare->keepalives_waiting == 1;
}

std::string words_of_probing(const Evidence& seen) {
  return fmt::format("{} sent {}, had no answer, and reset the connection", seen.name(),
                     counted(seen.own().rare->keepalives_waiting, "keepalive probe"));
}

bool ends_time_wait(const Evidence& seen) {
  return is_reset_by(seen) && seen.facts.ending().reset_after_over &&
         seen.own().rare->data_after_over > 0;
}

std::string words_of_assassination(const Evidence& seen) {
  return fmt::format(
      "after both had closed, an old segment of {} arrived; it was answered with an ACK, and the "
      "ACK "
      "with a RST (RFC 1337)",
      seen.name());
}

/// Only the end that closed first has a TIME_WAIT to lack.
bool has_no_time_wait(const Evidence& seen) {
  return seen.answers(ResetTrigger::Kind::fin) && seen.others().rare->fin_retransmits > 0 &&
         seen.self_state().sent_fin && seen.talk.states().closed_first() == seen.end &&
         !seen.facts.ending().closed_at_once;
}

std::string words_of_no_time_wait(const Evidence& seen) {
  return fmt::format("{} answered a retransmitted FIN with a RST: it has no TIME_WAIT",
                     seen.name());
}

bool answers_probe(const Evidence& seen) {
  return seen.answers(ResetTrigger::Kind::probe) &&
         seen.talk.reset().after.has(SegmentTrait::keepalive_probe) &&
         (seen.talk.reset().kind == ResetKind::no_connection ||
          seen.talk.reset().kind == ResetKind::after_close);
}

bool answers_stale_probe(const Evidence& seen) {
  return answers_probe(seen) && seen.talk.reset().states.at(1 - seen.end) == TcpState::close_wait;
}

std::string words_of_answered_probe(const Evidence& seen) {
  return fmt::format(
      "{} answered a keepalive probe with a RST: its kernel had no such connection{}", seen.name(),
      seen.self_state().sent_fin ? ", because it had closed" : "");
}

bool aborts_closing(const Evidence& seen) {
  return is_reset_by(seen) && seen.facts.ending().closed_at_once && seen.self_state().sent_fin;
}

std::string words_of_closing(const Evidence& seen) {
  return fmt::format("the two FINs crossed, and {} sent a RST before both were acknowledged",
                     seen.name());
}

/// Data in FIN_WAIT2 is reset for another reason: see resets_writer().
bool forgets_fin_wait2(const Evidence& seen) {
  return seen.answers(ResetTrigger::Kind::fin) && seen.talk.states().closed_first() == seen.end &&
         seen.others().rare->data_after_peer_fin == 0 && seen.facts.ending().reset_delay() > kLater;
}

std::string words_of_fin_wait2(const Evidence& seen) {
  return fmt::format(
      "{} answered {}'s FIN with a RST, {} after its own FIN: its kernel had left FIN_WAIT2 "
      "earlier",
      seen.name(), seen.other_name(), duration(seen.facts.ending().reset_delay()));
}

bool forgets_zero_window(const Evidence& seen) {
  return is_reset_by(seen) && seen.own().rare->window_probes > 0 &&
         seen.facts.ending().reset_after_opening;
}

std::string words_of_orphan(const Evidence& seen) {
  return fmt::format(
      "{} had probed a window of zero; when the window opened, {} no longer had the connection",
      seen.name(), seen.name());
}

/// Data arrived at an end that had sent its FIN, and was not acknowledged.
bool resets_writer(const Evidence& seen) {
  return is_reset_by(seen) && seen.answers() && seen.self_state().sent_fin &&
         seen.others().rare->data_after_peer_fin > 0 &&
         !seen.others().rare->data_after_peer_fin_passed;
}

bool resets_late_writer(const Evidence& seen) {
  return resets_writer(seen) && seen.facts.ending().reset_delay() > kLater;
}

bool resets_much_later_writer(const Evidence& seen) {
  return resets_writer(seen) && seen.facts.ending().reset_delay() > kMuchLater;
}

std::string words_of_writer(const Evidence& seen) {
  return fmt::format("{} had sent its FIN; {} sent data {} later and was reset", seen.name(),
                     seen.other_name(), duration(seen.facts.ending().reset_delay()));
}

bool has_no_connection(const Evidence& seen) {
  return is_reset_by(seen) && seen.talk.reset().kind == ResetKind::no_connection &&
         seen.answers() && !seen.self_state().sent_fin && !seen.other_state().sent_fin &&
         seen.others().rare->acks_unsent == 0;
}

bool resets_third(const Evidence& seen) {
  return has_no_connection(seen) && seen.others().syns > 0 && seen.other().segments == 2 &&
         seen.others().data_segments == 0;
}

bool is_too_soon_for_reboot(const Evidence& seen) {
  return seen.facts.ending().reset_trigger.follows_own_within(kReboot);
}

bool resets_third_at_once(const Evidence& seen) {
  return resets_third(seen) && is_too_soon_for_reboot(seen);
}

std::string words_of_reset_third(const Evidence& seen) {
  return fmt::format("{} answered the last ACK of the handshake with a RST", seen.name());
}

/// It had retransmitted its SYN,ACK although that was acknowledged, and reset the first data.
bool defers_accept(const Evidence& seen) {
  return has_no_connection(seen) && seen.own().rare->syn_acks_after_answer > 0 &&
         seen.self().octets == 0 &&
         seen.facts.ending().reset_trigger.kind == ResetTrigger::Kind::data;
}

std::string words_of_deferring(const Evidence& seen) {
  return fmt::format(
      "{} retransmitted its SYN,ACK {} although {} had acknowledged it, and then reset the first "
      "data, {} after its last SYN,ACK: its listener waits for data (TCP_DEFER_ACCEPT), and had "
      "given up",
      seen.name(), times(seen.own().rare->syn_acks_after_answer), seen.other_name(),
      duration(seen.facts.ending().reset_trigger.own_silence.value_or(0)));
}

bool outlives(const Evidence& seen) {
  return has_no_connection(seen) && seen.own().attempt.retransmits >= 2;
}

std::string words_of_outliving(const Evidence& seen) {
  return fmt::format(
      "{} had retransmitted {} without an answer; when {} sent again, {} no longer had the "
      "connection: it had given up",
      seen.name(), counted(seen.own().attempt.retransmits, "segment"), seen.other_name(),
      seen.name());
}

bool resets_at_once(const Evidence& seen) {
  return has_no_connection(seen) && is_too_soon_for_reboot(seen);
}

/// After the handshake, this end has acknowledged nothing: no program need have had the connection.
bool resets_first_data(const Evidence& seen) {
  return resets_at_once(seen) && seen.own().syn_acks > 0 && seen.self().segments == 2;
}

std::string words_of_reset_at_once(const Evidence& seen) {
  return fmt::format(
      "{} answered {} with a RST, {} after it had sent another segment: that is too soon for a "
      "power cycle",
      seen.name(), resets_first_data(seen) ? "the first data" : "a segment of the open connection",
      duration(seen.facts.ending().reset_trigger.own_silence.value_or(0)));
}

bool expires_in_idle_time(const Evidence& seen) {
  const Evidence other{seen.talk, seen.facts, 1 - seen.end};
  return has_no_connection(seen) && breaks_idle(other);
}

std::string words_of_forgetting(const Evidence& seen) {
  return fmt::format(
      "{}; then {} answered a segment with a RST: a NAT, firewall or load balancer "
      "forgot the connection and sent it in that name",
      idle_text({seen.talk, seen.facts, 1 - seen.end}), seen.name());
}

std::string words_of_no_connection(const Evidence& seen) {
  return fmt::format(
      "{} answered a segment of the open connection with a RST, and no FIN was seen before: its "
      "kernel had no such connection",
      seen.name());
}

constexpr const char* kRefuses =
    "a firewall or proxy that objects to what the client asks for (a TLS server name, an HTTP "
    "host), "
    "or to the client itself; a load balancer without a backend; a listener that was closed during "
    "the handshake";

constexpr std::array kResetRules = {
    with(Basis::silence, {gives_up_half_closed, "peer-dies-after-half-close", words_of_probing}),
    with(Basis::silence,
         {gives_up_after_one, "keepalive-with-user-timeout", words_of_probing,
          "keepalive-finds-power-off", "TCP_KEEPCNT or tcp_keepalive_probes may be one", kGone}),
    with(Basis::silence, {gives_up_probing, "keepalive-finds-power-off", words_of_probing, nullptr,
                          nullptr, kGone}),
    DiagnosisRule{ends_time_wait, "time-wait-assassination", words_of_assassination,
                  "time-wait-assassination-prevented",
                  "net.ipv4.tcp_rfc1337 decides what the RST does"},
    DiagnosisRule{
        has_no_time_wait, "time-wait-buckets", words_of_no_time_wait, nullptr, nullptr,
        "a TIME_WAIT that has ended, as a stack may choose (60 s in Linux); a program that "
        "aborted after its FIN; a firewall that forgot the connection"},
    DiagnosisRule{answers_stale_probe, "keepalive-in-close-wait", words_of_answered_probe},
    DiagnosisRule{answers_probe, "keepalive-finds-power-cycle", words_of_answered_probe},
    DiagnosisRule{aborts_closing, "abort-in-closing", words_of_closing},
    DiagnosisRule{forgets_zero_window, "orphan-zero-window", words_of_orphan},
    DiagnosisRule{forgets_fin_wait2, "linger2", words_of_fin_wait2, nullptr, nullptr,
                  "tcp_fin_timeout, 60 s by default, has passed; too many orphans "
                  "(tcp_max_orphans); a firewall that forgot the connection after the first FIN"},
    DiagnosisRule{resets_much_later_writer, "write-to-orphan", words_of_writer,
                  "broken-without-failure", "the same, with more time between",
                  "a host that was power cycled after its FIN; a kernel that has left FIN_WAIT2 "
                  "(tcp_fin_timeout, 60 s by default); a firewall that forgot the connection"},
    DiagnosisRule{resets_late_writer, "write-to-orphan", words_of_writer, "broken-without-failure",
                  "the same, with more time between"},
    DiagnosisRule{resets_writer, "write-to-orphan", words_of_writer, "power-cycle-in-close-wait",
                  "it was power cycled after its FIN"},
    DiagnosisRule{resets_third_at_once, "abort-on-overflow", words_of_reset_third, nullptr, nullptr,
                  kRefuses},
    DiagnosisRule{resets_third, "abort-on-overflow", words_of_reset_third,
                  "power-cycle-in-handshake", "it was power cycled between the two"},
    DiagnosisRule{defers_accept, "defer-accept", words_of_deferring, "backlog-full-at-last-ack",
                  "its accept queue was full, and it had given up"},
    DiagnosisRule{outlives, "long-partition", words_of_outliving},
    DiagnosisRule{resets_first_data, "firewall-forgets-and-resets", words_of_reset_at_once,
                  "abort-on-overflow", "its accept queue was full: its kernel refuses the last ACK",
                  kRefuses},
    DiagnosisRule{
        resets_at_once, "firewall-forgets-and-resets", words_of_reset_at_once, nullptr, nullptr,
        "an intrusion prevention system or a proxy that objects to the data; a connection "
        "that ended with a FIN or RST that the capture lacks"},
    DiagnosisRule{expires_in_idle_time, "firewall-forgets-and-resets", words_of_forgetting,
                  "power-cycle",
                  "it was power cycled, or restarted with the same address, meanwhile"},
    DiagnosisRule{has_no_connection, "power-cycle", words_of_no_connection,
                  "firewall-forgets-and-resets",
                  "a firewall that forgot the connection sent the RST in its name",
                  "a load balancer or NAT whose idle timeout has passed; a container or virtual "
                  "machine that was restarted with the same address; a connection that ended with "
                  "a FIN or RST that the capture lacks"},
};

}  // namespace

std::span<const DiagnosisRule> reset_rules() { return kResetRules; }

}  // namespace tcplab::reports
