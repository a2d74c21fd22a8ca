// Rules for how a connection was established, or was not.
#include <array>
#include <fmt/format.h>

#include "reports/explain/diagnosis_rules.hh"

namespace tcplab::reports {

using capture::IcmpError;
using capture::ResetKind;
using capture::TcpState;

namespace {

bool asks(const Evidence& seen) { return seen.own().syns > 0; }

bool is_answered(const Evidence& seen) {
  return asks(seen) && seen.others().syn_acks > 0 && seen.talk.states().was_established();
}

const IcmpError* error_to_syn(const Evidence& seen, IcmpError::Kind kind) {
  if (!asks(seen) || seen.talk.states().was_established()) return nullptr;
  for (const IcmpError& error : seen.own().rare->icmp)
    if (error.kind == kind && error.state == TcpState::syn_sent) return &error;
  return nullptr;
}

template <IcmpError::Kind kind>
bool has_error(const Evidence& seen) {
  return error_to_syn(seen, kind) != nullptr;
}

bool has_any_error(const Evidence& seen) {
  return asks(seen) && !seen.talk.states().was_established() && !seen.own().rare->icmp.empty();
}

std::string words_of_error(const Evidence& seen) {
  const IcmpError& error = seen.own().rare->icmp.front();
  const char* what = "an ICMP error";
  if (error.kind == IcmpError::Kind::prohibited) what = "ICMP: administratively prohibited";
  if (error.kind == IcmpError::Kind::no_host) what = "ICMP: host unreachable";
  if (error.kind == IcmpError::Kind::no_route) what = "ICMP: no route";
  if (error.kind == IcmpError::Kind::no_port) what = "ICMP: port unreachable";
  return fmt::format("{}'s SYN was answered by {} with {}", seen.name(), error.from.to_string(),
                     what);
}

bool goes_round(const Evidence& seen) {
  constexpr std::uint64_t kMany = 5;
  return asks(seen) && (seen.facts.hops() >= kMany || has_error<IcmpError::Kind::expired>(seen));
}

std::string words_of_loop(const Evidence& seen) {
  if (seen.facts.hops() < 2)
    return fmt::format("{}'s SYN used up its hop limit: a router answered with ICMP time exceeded",
                       seen.name());
  return fmt::format("the capture has one SYN {}, with a lower hop limit each time",
                     times(seen.facts.hops()));
}

bool is_error_in_syn_recv(const Evidence& seen) {
  if (seen.talk.states().was_established()) return false;
  for (const IcmpError& error : seen.own().rare->icmp)
    if (error.state == TcpState::syn_recv) return true;
  return false;
}

std::string words_of_error_in_syn_recv(const Evidence& seen) {
  return fmt::format("an ICMP error quotes {}'s SYN,ACK", seen.name());
}

bool crosses_and_resets(const Evidence& seen) {
  return seen.facts.opened_at_once() && !seen.talk.states().was_established() && seen.is_reset();
}

bool crosses_and_closes(const Evidence& seen) {
  return seen.facts.opened_at_once() && seen.self_state().sent_fin &&
         seen.others().data_segments == 0 && seen.own().data_segments == 0;
}

bool crosses(const Evidence& seen) { return seen.facts.opened_at_once(); }

std::string words_of_crossing_syns(const Evidence&) {
  return "both ends sent a SYN before they received one";
}

bool is_refused(const Evidence& seen) { return seen.resets(ResetKind::refused); }

std::string words_of_refusal(const Evidence& seen) {
  return fmt::format("{}'s SYN was answered with a RST", seen.other_name());
}

bool gives_up_ecn(const Evidence& seen) { return is_answered(seen) && seen.own().syn_gave_up_ecn; }

std::string words_of_ecn(const Evidence& seen) {
  return fmt::format("{}'s SYN that asked for ECN had no answer; the one without ECN was answered",
                     seen.name());
}

bool repeats_fast_data(const Evidence& seen) {
  return is_answered(seen) && seen.own().rare->syn_data_retransmitted;
}

bool has_fast_data(const Evidence& seen) {
  return is_answered(seen) && seen.own().rare->syn_data > 0;
}

std::string words_of_fast_open(const Evidence& seen) {
  return fmt::format("{}'s SYN had {} of data{}", seen.name(),
                     counted(seen.own().rare->syn_data, "octet"),
                     seen.own().rare->syn_data_retransmitted
                         ? ", which were not acknowledged and were retransmitted"
                         : ", and they were acknowledged");
}

bool asker_takes_back(const Evidence& seen) {
  return asks(seen) && !seen.talk.states().was_established() && seen.others().syn_acks > 0 &&
         seen.resets(ResetKind::no_connection);
}

/// A host is not power cycled in so short a time: it never wanted more than the answer.
bool only_checks(const Evidence& seen) {
  return asker_takes_back(seen) && seen.facts.ending().reset_trigger.follows_own_within(kReboot);
}

std::string words_of_check(const Evidence& seen) {
  return fmt::format(
      "{} answered the SYN,ACK with a RST, {} after its SYN, and sent no data: it asked whether "
      "the "
      "port is open, as health checks and scans do{}",
      seen.name(), duration(*seen.facts.ending().reset_trigger.own_silence),
      seen.facts.around.checked > 1 ? fmt::format("; {} connections to {} ended like that",
                                                  seen.facts.around.checked, seen.other_name())
                                    : "");
}

std::string words_of_taking_back(const Evidence& seen) {
  return fmt::format("{} answered the SYN,ACK with a RST: it had closed its socket", seen.name());
}

bool asker_aborts(const Evidence& seen) {
  return asks(seen) && !seen.talk.states().was_established() && seen.others().syn_acks > 0 &&
         seen.resets(ResetKind::abort);
}

bool listener_aborts(const Evidence& seen) {
  return seen.own().syn_acks > 0 && !seen.talk.states().was_established() &&
         seen.resets(ResetKind::abort);
}

std::string words_of_early_reset(const Evidence& seen) {
  return fmt::format("{} reset it before the third segment of the handshake", seen.name());
}

bool never_completes(const Evidence& seen) {
  return asks(seen) && !seen.talk.states().was_established() && !seen.is_reset() &&
         seen.others().syn_acks > 1;
}

/// It sent its SYN again after a SYN,ACK, so it is alive, and did not get that.
bool asks_again_in_vain(const Evidence& seen) {
  return never_completes(seen) && seen.own().syns > 1 && seen.others().syn_acks >= seen.own().syns;
}

std::string words_of_vain_answers(const Evidence& seen) {
  return fmt::format(
      "{} sent its SYN {}, {} answered with a SYN,ACK {}, and {} acknowledged none: they do not "
      "arrive",
      seen.name(), times(seen.own().syns), seen.other_name(), times(seen.others().syn_acks),
      seen.name());
}

bool is_flood(const Evidence& seen) {
  return never_completes(seen) && seen.facts.around.never_completed >= kFlood;
}

std::string words_of_flood(const Evidence& seen) {
  return fmt::format("{} connections to {} have a SYN,ACK and no third segment",
                     seen.facts.around.never_completed, seen.other_name());
}

std::string words_of_vanishing(const Evidence& seen) {
  return fmt::format("{} sent its SYN,ACK {}, and {} never answered it", seen.other_name(),
                     times(seen.others().syn_acks), seen.name());
}

bool is_queue_full(const Evidence& seen) {
  return is_answered(seen) && seen.others().rare->syn_acks_after_answer >= 2 &&
         seen.other_state().now == TcpState::syn_recv;
}

bool is_queue_full_for_data(const Evidence& seen) {
  return is_queue_full(seen) && seen.own().data_segments > 0;
}

std::string words_of_full_queue(const Evidence& seen) {
  return fmt::format(
      "{} retransmitted its SYN,ACK {}, and {} answered each{}: {}'s accept queue is full, because "
      "its program does not call accept(2)",
      seen.other_name(), times(seen.others().rare->syn_acks_after_answer), seen.name(),
      seen.own().data_segments > 0 ? " and sent data" : "", seen.other_name());
}

/// A server that has no connection when data comes lost nothing: see defers_accept().
bool loses_third(const Evidence& seen) {
  return seen.talk.reset().kind != ResetKind::no_connection && is_answered(seen) &&
         seen.others().rare->syn_acks_after_answer > 0 && seen.own().syns == 1;
}

std::string words_of_third(const Evidence& seen) {
  return fmt::format("{} retransmitted its SYN,ACK after {} had acknowledged it", seen.other_name(),
                     seen.name());
}

std::uint64_t syn_acks_before_answer(const Evidence& seen) {
  return seen.others().syn_acks - seen.others().rare->syn_acks_after_answer;
}

bool loses_syn_ack(const Evidence& seen) {
  return is_answered(seen) && syn_acks_before_answer(seen) > 1;
}

std::string words_of_syn_ack(const Evidence& seen) {
  return fmt::format("{} sent its SYN,ACK {} before it was answered", seen.other_name(),
                     times(syn_acks_before_answer(seen)));
}

bool is_slow(const Evidence& seen) { return loses_syn_ack(seen) && seen.own().syns > 1; }

bool loses_syn(const Evidence& seen) { return is_answered(seen) && seen.own().syns > 1; }

bool recovers(const Evidence& seen) {
  return loses_syn(seen) && seen.facts.around.listener_answers_others;
}

std::string words_of_syn(const Evidence& seen) {
  return fmt::format("{} sent its SYN {}, the last {} after the first; that one was answered",
                     seen.name(), times(seen.own().syns),
                     duration(seen.own().last_syn_at - seen.own().first_syn_at));
}

bool is_in_scan(const Evidence& seen) { return asks(seen) && seen.facts.around.scanned_ports > 0; }

std::string words_of_port_scan(const Evidence& seen) {
  const capture::Surroundings& around = seen.facts.around;
  return fmt::format(
      "{} asked {} for a connection, and sent no data: a port scan (nmap -sS, -sT)", seen.name(),
      around.scanned_hosts > 1
          ? fmt::format("{} for port {}", counted(around.scanned_hosts, "host"),
                        seen.other().address.port)
          : fmt::format("{} of {}", counted(around.scanned_ports, "port"), seen.other_name()));
}

constexpr const char* kSynLost =
    "a firewall or load balancer that limits the rate of new connections; a full queue on the path";

constexpr std::array kOpeningRules = {
    with(Basis::flags,
         {is_in_scan, "", words_of_port_scan, nullptr, nullptr,
          "a monitoring system that checks them; a client that nothing answers, because its "
          "network or a firewall drops everything"}),
    with(Basis::flags, {goes_round, "routing-loop", words_of_loop}),
    with(Basis::flags, {is_error_in_syn_recv, "icmp-in-syn-recv", words_of_error_in_syn_recv}),
    with(Basis::flags,
         {has_error<IcmpError::Kind::prohibited>, "firewall-prohibits-connect", words_of_error,
          "icmp-answers-a-syn", "it shows the effect of each ICMP error on connect(2)"}),
    with(Basis::flags,
         {has_error<IcmpError::Kind::no_host>, "connect-host-off-behind-router", words_of_error,
          "icmp-answers-a-syn", "it shows the effect of each ICMP error on connect(2)"}),
    with(Basis::flags, {has_any_error, "icmp-answers-a-syn", words_of_error}),
    with(Basis::flags, {crosses_and_resets, "simultaneous-open-reset", words_of_crossing_syns}),
    DiagnosisRule{crosses_and_closes, "close-in-syn-recv", words_of_crossing_syns},
    with(Basis::flags, {crosses, "simultaneous-open", words_of_crossing_syns}),
    with(Basis::flags,
         {is_refused, "connection-refused", words_of_refusal, "firewall-resets-connect",
          "a firewall that rejects with a RST leaves the same frames",
          "a load balancer without a backend; a program that is still starting"}),
    with(Basis::flags, {gives_up_ecn, "ecn-black-hole", words_of_ecn}),
    DiagnosisRule{repeats_fast_data, "fast-open-refused-cookie", words_of_fast_open},
    DiagnosisRule{has_fast_data, "fast-open", words_of_fast_open},
    DiagnosisRule{
        only_checks, "", words_of_check, "close-while-connecting",
        "its program closed the socket while it connected",
        "a load balancer's health check; a SYN scan (nmap -sS); a device on the path that "
        "forgot the SYN; a program with its own TCP, whose host does not know of it"},
    DiagnosisRule{asker_takes_back, "close-while-connecting", words_of_taking_back,
                  "client-power-cycled-in-syn-sent",
                  "it was power cycled, and has forgotten its SYN"},
    DiagnosisRule{asker_aborts, "rst-in-syn-recv", words_of_early_reset},
    DiagnosisRule{listener_aborts, "reset-before-connect-returns", words_of_early_reset},
    DiagnosisRule{is_flood, "syn-flood", words_of_flood},
    DiagnosisRule{asks_again_in_vain, "syn-ack-lost", words_of_vain_answers, nullptr, nullptr,
                  "a missing or wrong route back; a firewall at the client that drops the SYN,ACK; "
                  "a capture that lacks what the client sends on another path"},
    DiagnosisRule{never_completes, "client-power-off-in-syn-sent", words_of_vanishing, nullptr,
                  nullptr,
                  "a SYN with a forged or wrong address; a missing route back; a firewall that "
                  "drops the SYN,ACK"},
    DiagnosisRule{is_queue_full_for_data, "backlog-full-at-last-ack", words_of_full_queue,
                  "last-ack-of-the-handshake-lost",
                  "every segment to the server is lost after its SYN,ACK"},
    DiagnosisRule{
        is_queue_full, "backlog-full-at-last-ack", words_of_full_queue, "defer-accept",
        "the listener waits for data (TCP_DEFER_ACCEPT)",
        "acknowledgments of the client that are lost between this capture and the server"},
    DiagnosisRule{loses_third, "last-ack-of-the-handshake-lost", words_of_third, "defer-accept",
                  "the listener waits for data (TCP_DEFER_ACCEPT)"},
    DiagnosisRule{is_slow, "syn-ack-lost", words_of_syn_ack, "round-trip-longer-than-syn-timer",
                  "the path takes longer than the SYN's timer"},
    DiagnosisRule{loses_syn_ack, "syn-ack-lost", words_of_syn_ack},
    with(Basis::flags, {recovers, "backlog-full-for-a-moment", words_of_syn, "syn-lost",
                        "the first SYN was lost on its way", kSynLost}),
    with(Basis::flags, {loses_syn, "syn-lost", words_of_syn, nullptr, nullptr, kSynLost}),
};

}  // namespace

std::span<const DiagnosisRule> opening_rules() { return kOpeningRules; }

}  // namespace tcplab::reports
