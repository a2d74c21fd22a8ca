// Rules for data, FINs and probes that nobody acknowledges.
#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "reports/explain/diagnosis_rules.hh"

namespace tcplab::reports {

using capture::Attempt;
using capture::TcpState;

namespace {

// tcp_thin_linear_timeouts: a timeout is not doubled, as long as little is under way.
bool is_linear(const Evidence& seen) {
  constexpr std::uint64_t kEnough = 5;
  const Attempt& attempt = seen.own().attempt;
  if (attempt.retransmits < kEnough) return false;
  const capture::Waits& waits = *attempt.waits;
  const auto* const end =
      waits.begin() + std::min<std::size_t>(attempt.retransmits, waits.size() - 1);
  const auto [least, most] = std::minmax_element(waits.begin() + 1, end);
  return *least > 0 && *most < *least * 5 / 4;
}

std::string words_of_linear(const Evidence& seen) {
  return fmt::format("{} sent the same octets {}, and waited equally long each time: {}",
                     seen.name(), times(seen.own().attempt.retransmits + 1),
                     duration(seen.own().attempt.waits->at(1)));
}

/// The same octets again at each timeout, and nothing new since. New data would show that the
/// acknowledgments do arrive. On a path that loses segments of both directions, some are lost, too.
bool loses_acks(const Evidence& seen) {
  const std::uint64_t all = seen.own().data_retransmits + seen.fillers();
  return seen.own().repeats_after_ack >= 2 && 2 * seen.own().retransmits_after_ack > all;
}

std::string words_of_lost_acks(const Evidence& seen) {
  return fmt::format(
      "{} retransmitted data ({}) that {} had acknowledged in this capture: the acknowledgments do "
      "not arrive",
      seen.name(), times(seen.own().retransmits_after_ack), seen.other_name());
}

constexpr const char* kLateAcks =
    "a round trip longer than these timeouts, if the capture ends before the acknowledgments "
    "arrive";

bool is_silent(const Evidence& seen) {
  return seen.talk.states().was_established() && !seen.is_reset() &&
         seen.own().attempt.retransmits >= 2 && seen.self().unanswered >= 2 &&
         seen.own().rare->keepalives_waiting == 0 && !seen.others().rare->window_is_closed;
}

/// The kernel, or a program with SO_LINGER and zero seconds, gave up with a RST.
bool gives_up_on_data(const Evidence& seen) {
  return seen.talk.states().was_established() && seen.resets(capture::ResetKind::gave_up) &&
         seen.own().attempt.retransmits > 0 && seen.own().rare->keepalives_waiting == 0;
}

std::string words_of_giving_up(const Evidence& seen) {
  return fmt::format("{} retransmitted its data {} without an answer, and reset the connection",
                     seen.name(), times(seen.own().attempt.retransmits));
}

bool is_sought(const Evidence& seen) {
  return seen.talk.states().was_established() && !seen.is_reset() &&
         seen.own().attempt.retransmits >= 1 && seen.self().unanswered >= 1 &&
         seen.facts.around.sought.at(1 - seen.end) > 0;
}

std::string words_of_data_unheard(const Evidence& seen) {
  return fmt::format("{} retransmitted its data {} without an answer", seen.name(),
                     times(seen.own().attempt.retransmits));
}

std::string words_of_seeking(const Evidence& seen) {
  return words_of_data_unheard(seen) +
         fmt::format("; its host asked for the link address of {} (ARP or ND) without an answer",
                     seen.other().address.address.to_string());
}

bool is_dropped_on_the_way(const Evidence& seen) {
  return is_silent(seen) && seen.own().rare->forwarded > 0 && seen.own().rare->not_forwarded >= 2;
}

std::string words_of_drop(const Evidence& seen) {
  return words_of_data_unheard(seen) + "; a router forwarded its earlier segments, but not these";
}

bool dies_after_fin(const Evidence& seen) {
  return is_silent(seen) && seen.other_state().sent_fin &&
         seen.self_state().now == TcpState::close_wait;
}

bool dies_before_fin(const Evidence& seen) {
  return is_silent(seen) && seen.self_state().sent_fin && !seen.other_state().sent_fin;
}

std::string words_of_death_after_fin(const Evidence& seen) {
  return words_of_data_unheard(seen) + "; the other end had sent its FIN before";
}

std::string words_of_death_before_fin(const Evidence& seen) {
  return words_of_data_unheard(seen) + ", and its FIN had none either";
}

/// Its data was acknowledged; its FIN is not.
bool is_fin_unheard(const Evidence& seen) {
  return seen.talk.states().was_established() && !seen.is_reset() && seen.self().unanswered >= 2 &&
         seen.own().rare->fin_retransmits >= 2 && seen.own().attempt.length == 0 &&
         seen.own().rare->fin_retransmits_after_ack == 0;
}

bool is_first_fin_unheard(const Evidence& seen) {
  return is_fin_unheard(seen) && !seen.other_state().sent_fin;
}

std::string words_of_unheard_fin(const Evidence& seen) {
  return fmt::format("{} retransmitted its FIN {} without an answer{}", seen.name(),
                     times(seen.own().rare->fin_retransmits),
                     seen.other_state().sent_fin
                         ? fmt::format("; {} had sent its own FIN before", seen.other_name())
                         : "");
}

bool probes_unheard(const Evidence& seen) {
  return seen.talk.states().was_established() && !seen.is_reset() &&
         seen.own().rare->keepalives_waiting >= 2 && seen.self().unanswered >= 2;
}

std::string words_of_probes_unheard(const Evidence& seen) {
  return fmt::format("{} sent {} without an answer", seen.name(),
                     counted(seen.own().rare->keepalives_waiting, "keepalive probe"));
}

/// When it was sent, the segment was beyond the window that the header has.
bool is_beyond_header(const Evidence& seen) {
  return is_silent(seen) && seen.own().attempt.is_beyond_header;
}

std::string words_of_beyond(const Evidence& seen) {
  return words_of_data_unheard(seen) +
         fmt::format(
             "; when sent first, it was within {}'s window, but beyond what its header says "
             "without the scale of its SYN ({} bits)",
             seen.other_name(), seen.talk.numbers(1 - seen.end).window_scale);
}

constexpr std::array kSilenceRules = {
    DiagnosisRule{loses_acks, "return-path-broken", words_of_lost_acks, nullptr, nullptr,
                  kLateAcks},
    with(Basis::silence, {is_linear, "thin-linear-timeouts", words_of_linear, "power-off",
                          "the peer does not answer, whatever the timer"}),
    with(Basis::silence,
         {gives_up_on_data, "power-off", words_of_giving_up, nullptr, nullptr, kGone}),
    DiagnosisRule{is_dropped_on_the_way, "firewall-forgets-and-drops", words_of_drop},
    with(Basis::silence, {dies_after_fin, "peer-dies-in-close-wait", words_of_death_after_fin}),
    with(Basis::silence, {dies_before_fin, "orphan-fin-wait1", words_of_death_before_fin,
                          "shutdown-dead-peer", "its program called shutdown(2), not close(2)"}),
    with(Basis::silence,
         {is_first_fin_unheard, "orphan-fin-wait1", words_of_unheard_fin, "shutdown-dead-peer",
          "its program called shutdown(2), not close(2)", kGone}),
    with(Basis::silence,
         {is_fin_unheard, "last-ack-lost", words_of_unheard_fin, nullptr, nullptr, kGone}),
    with(Basis::silence,
         {is_sought, "power-off-same-lan", words_of_seeking, nullptr, nullptr, kGone}),
    with(Basis::silence,
         {is_beyond_header, "power-off", words_of_beyond, "window-scale-lost",
          "a router or firewall that ignores the window scale drops what is beyond", kGone}),
    with(Basis::silence, {is_silent, "power-off", words_of_data_unheard, nullptr, nullptr, kGone}),
    with(Basis::silence, {probes_unheard, "keepalive-finds-power-off", words_of_probes_unheard,
                          nullptr, nullptr, kGone}),
};

}  // namespace

std::span<const DiagnosisRule> silence_rules() { return kSilenceRules; }

}  // namespace tcplab::reports
