// Rules for FINs, and for what arrived after them.
#include <array>
#include <fmt/format.h>

#include "reports/explain/diagnosis_rules.hh"

namespace tcplab::reports {

using capture::TcpState;

namespace {

bool closes_at_once(const Evidence& seen) {
  return seen.facts.ending().closed_at_once && !seen.is_reset();
}

bool closes_at_once_unheard(const Evidence& seen) {
  return closes_at_once(seen) && seen.own().rare->fin_retransmits > 1 &&
         seen.others().rare->fin_retransmits > 1;
}

bool closes_at_once_and_retransmits(const Evidence& seen) {
  return closes_at_once(seen) && seen.own().rare->fin_retransmits > 0;
}

std::string words_of_crossing(const Evidence&) { return "the two FINs crossed"; }

std::string words_of_crossing_retransmits(const Evidence& seen) {
  return fmt::format("the two FINs crossed, and {} retransmitted its FIN {}", seen.name(),
                     times(seen.own().rare->fin_retransmits));
}

bool loses_last_ack(const Evidence& seen) {
  return seen.own().rare->fin_retransmits_after_ack > 0 && seen.other_state().sent_fin &&
         !seen.is_reset();
}

std::string words_of_last_ack(const Evidence& seen) {
  return fmt::format("{} retransmitted its FIN {} after its acknowledgment was captured",
                     seen.name(), times(seen.own().rare->fin_retransmits_after_ack));
}

bool loses_fin(const Evidence& seen) {
  const TcpState state = seen.self_state().now;
  const bool is_acknowledged =
      state == TcpState::fin_wait2 || state == TcpState::time_wait || state == TcpState::closed;
  return seen.own().rare->fin_retransmits > 0 && is_acknowledged && !seen.is_reset();
}

std::string words_of_fin(const Evidence& seen) {
  return fmt::format("{} retransmitted its FIN, and then it was acknowledged", seen.name());
}

bool has_old_duplicate(const Evidence& seen) {
  return seen.own().rare->data_after_over > 0 && !seen.is_reset();
}

std::string words_of_old_duplicate(const Evidence& seen) {
  return fmt::format("data of {} arrived after both had closed, and was answered with an ACK",
                     seen.name());
}

bool uses_half_close(const Evidence& seen) {
  return seen.own().rare->data_after_peer_fin_passed && !seen.is_reset();
}

std::string words_of_half_close(const Evidence& seen) {
  return fmt::format(
      "{} sent data after {}'s FIN, and it was acknowledged: that end had only stopped sending",
      seen.name(), seen.other_name());
}

/// It has no effect on a living kernel, which knows the next sequence number.
bool resets_in_vain(const Evidence& seen) {
  return seen.own().rare->resets_out_of_place > 0 && !seen.is_reset() &&
         seen.talk.states().was_established() && !seen.talk.states().is_over();
}

std::string words_of_vain_reset(const Evidence& seen) {
  const std::int64_t offset = seen.own().rare->reset_offset;
  return fmt::format(
      "a RST of {} has a sequence number {} {} the one that {} expects next: {}'s kernel ignores "
      "it "
      "or answers with an ACK, and keeps the connection (RFC 5961 section 3.2); if {} did send it, "
      "it no longer has the connection",
      seen.name(), counted(std::uint64_t(offset < 0 ? -offset : offset), "octet"),
      offset < 0 ? "below" : "above", seen.other_name(), seen.other_name(), seen.name());
}

constexpr std::array kEndingRules = {
    DiagnosisRule{closes_at_once_unheard, "closing-path-lost", words_of_crossing_retransmits},
    DiagnosisRule{closes_at_once_and_retransmits, "closing-ack-lost",
                  words_of_crossing_retransmits},
    DiagnosisRule{closes_at_once, "simultaneous-close", words_of_crossing},
    DiagnosisRule{loses_last_ack, "last-ack-lost", words_of_last_ack},
    DiagnosisRule{loses_fin, "fin-lost", words_of_fin},
    DiagnosisRule{has_old_duplicate, "old-duplicate-into-time-wait", words_of_old_duplicate},
    DiagnosisRule{uses_half_close, "shutdown-then-write", words_of_half_close},
    DiagnosisRule{resets_in_vain, "rst-outside-window", words_of_vain_reset, nullptr, nullptr,
                  "a device on the path that has lost count; a forged RST; a RST of an earlier "
                  "connection; a capture that lacks segments before the RST"},
};

bool keeps_alive(const Evidence& seen) { return seen.own().rare->keepalives_answered >= 2; }

bool keeps_waiting(const Evidence& seen) {
  const Roles roles(seen.talk);
  return keeps_alive(seen) && roles.are_known() && roles.first() == seen.end &&
         seen.facts.ending().replied_last == seen.end && seen.own().last_data.acknowledged_at > 0;
}

std::string words_of_keeping(const Evidence& seen) {
  return fmt::format("{} sent {}, and {}'s kernel answered each: it is alive", seen.name(),
                     counted(seen.own().rare->keepalives, "keepalive probe"), seen.other_name());
}

std::string words_of_waiting(const Evidence& seen) {
  return words_of_keeping(seen) +
         fmt::format("; its program sent no reply to {}'s last data", seen.name());
}

bool stays_half_closed(const Evidence& seen) {
  return !seen.is_reset() && seen.self_state().now == TcpState::fin_wait2 &&
         seen.other_state().now == TcpState::close_wait;
}

std::string words_of_half(const Evidence& seen) {
  return fmt::format("{} has closed and {} has not when the capture ends", seen.name(),
                     seen.other_name());
}

bool is_forwarded(const Evidence& seen) { return seen.facts.hops() > 1; }

std::string words_of_router(const Evidence& seen) {
  return fmt::format("the capture has the same packets {}: it was taken on both sides of a router",
                     times(seen.facts.hops()));
}

bool reopens(const Evidence& seen) {
  return seen.own().syns > 0 && seen.talk.states().was_established() &&
         seen.facts.around.follows_time_wait;
}

std::string words_of_reopening(const Evidence&) {
  return "the same two endpoints closed a connection before, which was left in TIME_WAIT";
}

constexpr std::array kOrdinary = {
    with(Basis::flags,
         {reopens, "syn-reopens-time-wait", words_of_reopening, "time-wait-holds-ports",
          "the client was in TIME_WAIT, and tcp_tw_reuse let it use the port again"}),
    DiagnosisRule{keeps_waiting, "frozen-application", words_of_waiting,
                  "nat-kept-open-by-keepalive",
                  "the other program has nothing to send, and the probes keep the path open"},
    DiagnosisRule{keeps_alive, "nat-kept-open-by-keepalive", words_of_keeping, "frozen-application",
                  "the kernel that answers does so even when its program is frozen"},
    DiagnosisRule{
        stays_half_closed, "broken-without-failure", words_of_half, nullptr, nullptr,
        "a descriptor that was leaked, also to a child process; a program that ignores the "
        "end of the stream, or has not noticed it yet"},
    with(Basis::one_direction, {is_forwarded, "through-a-router", words_of_router}),
};

}  // namespace

std::span<const DiagnosisRule> ending_rules() { return kEndingRules; }
std::span<const DiagnosisRule> ordinary_rules() { return kOrdinary; }

}  // namespace tcplab::reports
