// Rules for frames that neither end's kernel sends.
#include <array>
#include <fmt/format.h>

#include "reports/explain/diagnosis_rules.hh"

namespace tcplab::reports {

using capture::IcmpError;
using capture::ResetKind;
using capture::TcpState;

namespace {

bool sends_over_fin(const Evidence& seen) { return seen.own().rare->data_over_fin > 0; }

std::string words_of_forged_fin(const Evidence& seen) {
  return fmt::format(
      "{} sent data with the sequence number of a FIN in its name: another host sent that FIN",
      seen.name());
}

bool speaks_after_reset(const Evidence& seen) {
  return seen.talk.states().was_established() && seen.own().rare->spoke_after_reset > 0;
}

bool is_forged_abort(const Evidence& seen) {
  return seen.resets(ResetKind::abort) && speaks_after_reset(seen);
}

bool is_forged_reset(const Evidence& seen) {
  return seen.resets(ResetKind::no_connection) && speaks_after_reset(seen);
}

std::string words_of_reset(const Evidence& seen) {
  return fmt::format(
      "{} still sent data after a RST in its name: it has the connection, and another host sent "
      "the RST",
      seen.name());
}

bool has_other_hops(const Evidence& seen) {
  const auto& own = seen.own();
  return seen.talk.states().was_established() && has_foreign_hop_limit(own) && seen.is_reset() &&
         seen.talk.reset().by == seen.end;
}

bool is_foreign_abort(const Evidence& seen) {
  return has_other_hops(seen) && seen.talk.reset().kind == ResetKind::abort;
}

bool is_foreign_reset(const Evidence& seen) {
  return has_other_hops(seen) && seen.talk.reset().kind == ResetKind::no_connection;
}

std::string words_of_hops(const Evidence& seen) {
  return fmt::format(
      "the RST has a hop limit of {}, and the other segments of {} had {}: another host probably "
      "sent it",
      *seen.own().reset_hop_limit, seen.name(), *seen.own().hop_limit);
}

/// Its RST acknowledges data that cannot have reached it yet.
bool is_sooner_than_path(const Evidence& seen) {
  return seen.resets(ResetKind::abort) && seen.talk.states().was_established() &&
         is_too_soon_for_path(seen.own());
}

std::string words_of_haste(const Evidence& seen) {
  return fmt::format(
      "the RST acknowledges data that {} had sent {} before, and no answer of {} came in less than "
      "{}: a host "
      "that is nearer sent it",
      seen.other_name(), duration(seen.own().rare->reset_after_data), seen.name(),
      duration(seen.own().round_trip));
}

constexpr const char* kOtherHops =
    "a stack that sends a RST with another hop limit; a path that changed meanwhile";

bool gets_wrong_syn_ack(const Evidence& seen) {
  return seen.others().rare->wrong_syn_acks > 0 && seen.own().syns > 0;
}

std::string words_of_wrong_syn_ack(const Evidence& seen) {
  return fmt::format(
      "{} answered {}'s SYN with a SYN,ACK for another number{}: it belongs to another SYN",
      seen.other_name(), seen.name(),
      seen.own().rare->resets_out_of_place > 0
          ? fmt::format(", and {} reset that (RFC 9293 section 3.10.7.3)", seen.name())
          : "");
}

bool is_forged_data(const Evidence& seen) {
  return seen.talk.states().was_established() && seen.own().rare->stale_acks > 0;
}

std::string words_of_data(const Evidence& seen) {
  return fmt::format(
      "{} sent an ACK whose sequence number is below data in its name that {} has acknowledged, "
      "and "
      "has not gone on from there: another host sent that data",
      seen.name(), seen.other_name());
}

bool acknowledges_unsent(const Evidence& seen) {
  return seen.own().rare->acks_unsent > 0 && seen.others().rare->challenges > 0;
}

std::string words_of_unsent(const Evidence& seen) {
  return fmt::format("{} acknowledged octets that {} had not sent, and was answered with an ACK",
                     seen.name(), seen.other_name());
}

bool is_new_life(const Evidence& seen) {
  return seen.own().rare->stray_syns > 0 && seen.is_reset() && seen.talk.reset().by == seen.end;
}

bool finds_old_connection(const Evidence& seen) {
  return seen.others().answered_syn_by_ack && seen.is_reset() && seen.own().syns > 0 &&
         seen.talk.reset().by == seen.end;
}

std::string words_of_new_life(const Evidence& seen) {
  return fmt::format(
      "{}'s SYN was answered with an ACK of an older connection's numbers, and {} reset that (RFC "
      "9293 section 3.5.1)",
      seen.name(), seen.name());
}

bool finds_time_wait(const Evidence& seen) {
  return finds_old_connection(seen) && seen.facts.around.follows_time_wait;
}

std::string words_of_old_time_wait(const Evidence& seen) {
  return fmt::format(
      "{} used a port again whose last connection had just ended at {} (TIME_WAIT, or LAST_ACK if "
      "the last ACK was lost): its SYN was answered with an ACK of it (RFC 9293 sections 3.5.1, "
      "3.6.1); {} reset that",
      seen.name(), seen.other_name(), seen.name());
}

/// An earlier connection of the port is open at the other end. One SYN just before the end of the
/// capture may still be answered.
bool meets_old_connection(const Evidence& seen) {
  constexpr std::int64_t kPatience = 1'000'000'000;  // nanoseconds: RFC 6298 section 2.1
  const bool is_old = seen.facts.around.ends_at - seen.own().rare->first_stray_at >= kPatience;
  return seen.own().rare->stray_syns_waiting > (is_old ? 0U : 1U) && !seen.is_reset();
}

bool meets_close_wait(const Evidence& seen) {
  return meets_old_connection(seen) && seen.other_state().now == TcpState::close_wait;
}

std::string words_of_port_reuse(const Evidence& seen) {
  return fmt::format(
      "{} sent {} without an answer; the capture does not show that {} has closed the last "
      "connection of that port{}",
      seen.name(), counted(seen.own().rare->stray_syns_waiting, "new SYN"), seen.other_name(),
      seen.other_state().now == TcpState::close_wait
          ? ": it received a FIN and sent none, so it is probably in CLOSE_WAIT"
          : "");
}

bool is_refused_again(const Evidence& seen) { return seen.own().rare->stray_syns_refused > 0; }

std::string words_of_new_refusal(const Evidence& seen) {
  return fmt::format(
      "{} sent a new SYN from a port whose last connection is open in this capture, and {} refused "
      "it with a RST: it has neither that connection nor a listener",
      seen.name(), seen.other_name());
}

constexpr const char* kNoChallenge =
    "a TCP that ignores such a SYN (Linux answers with an ACK, RFC 5961, at most twice a second); "
    "a firewall or NAT that dropped the SYNs or the answers; a host that is gone or frozen; an end "
    "of the last connection that the capture lacks";

bool is_challenged_syn(const Evidence& seen) {
  return seen.own().rare->stray_syns > 0 && seen.others().rare->challenges > 0;
}

std::string words_of_syn_inside(const Evidence& seen) {
  return fmt::format(
      "a SYN arrived in the open connection; {} answered with an ACK and kept the connection (RFC "
      "5961 section 4.2)",
      seen.other_name());
}

bool is_challenged_often(const Evidence& seen) {
  return seen.own().rare->resets_out_of_place >= 3 && seen.others().rare->challenges > 0 &&
         seen.talk.states().was_established();
}

bool is_challenged(const Evidence& seen) {
  return seen.own().rare->resets_out_of_place > 0 && seen.others().rare->challenges > 0 &&
         seen.talk.states().was_established();
}

std::string words_of_challenge(const Evidence& seen) {
  return fmt::format(
      "a RST whose number was not the next one arrived {}; {} answered with an ACK and kept the "
      "connection (RFC 5961 section 3.2)",
      times(seen.own().rare->resets_out_of_place), seen.other_name());
}

bool has_two_beginnings(const Evidence& seen) {
  return seen.own().rare->other_syns > 0 && seen.others().syn_acks > 0 && seen.is_reset() &&
         seen.talk.reset().by == seen.end;
}

std::string words_of_beginnings(const Evidence& seen) {
  return fmt::format(
      "{} sent SYNs with two initial numbers, and reset the answer to one: that SYN was an old "
      "duplicate",
      seen.name());
}

/// One SYN has one answer: a kernel chooses its initial number once.
bool has_two_answers(const Evidence& seen) {
  return seen.own().rare->other_syn_acks > 0 && seen.others().syns == 1 &&
         seen.others().rare->stray_syns == 0;
}

std::string words_of_two_answers(const Evidence& seen) {
  return fmt::format(
      "{}'s SYN was answered by two SYN,ACKs with different initial numbers: two hosts answer for "
      "{}",
      seen.other_name(), seen.self().address.address.to_string());
}

/// Each wrong segment needs a retransmission. If a sender's NIC computes the checksums, all
/// segments of that sender are wrong in a capture there, and they are acknowledged.
bool has_wrong_checksums(const Evidence& seen) {
  const auto& own = seen.own();
  return own.wrong_checksums > 0 && own.right_checksums > 0 && own.data_retransmits > 0 &&
         own.wrong_checksums <= own.data_retransmits + 1;
}

std::string words_of_checksums(const Evidence& seen) {
  return fmt::format(
      "{} of {} {} a wrong TCP checksum here: a receiver drops such segments without an answer "
      "(RFC "
      "9293 section 3.1)",
      counted(seen.own().wrong_checksums, "segment"), seen.name(),
      seen.own().wrong_checksums == 1 ? "has" : "have");
}

bool is_scan_of_closed(const Evidence& seen) { return seen.own().rare->flagless_refused > 0; }

bool is_scan(const Evidence& seen) {
  return seen.own().rare->flagless > 0 && !seen.talk.states().was_established();
}

std::string words_of_scan(const Evidence& seen) {
  return fmt::format(
      "{} sent segments without SYN, ACK and RST, which no TCP sends: a port scan (nmap -sF, -sN, "
      "-sX)",
      seen.name());
}

bool is_damaged_and_retransmitted(const Evidence& seen) {
  return seen.own().rare->altered > 0 && seen.own().data_retransmits > 0;
}

bool is_damaged(const Evidence& seen) { return seen.own().rare->altered > 0; }

std::string words_of_damage(const Evidence&) {
  return "the capture has two packets with the same numbers and identification, and different data";
}

constexpr const char* kTwoVersions =
    "the path, a NIC or memory damaged one of them; a device on the path rewrote it; another host "
    "sent one of them; the file was edited or made by hand";

bool has_blind_icmp(const Evidence& seen, bool of_size) {
  for (const IcmpError& error : seen.own().rare->icmp)
    if (!error.is_in_place && (error.kind == IcmpError::Kind::too_big) == of_size) return true;
  return false;
}

std::string words_of_blind_icmp(const Evidence& seen) {
  return fmt::format(
      "an ICMP error quotes a sequence number that {} did not have in flight: guessed, or very "
      "late (RFC 5927 section 4.1)",
      seen.name());
}

constexpr std::array kStrangeRules = {
    with(Basis::one_direction,
         {has_wrong_checksums, "segment-corrupted", words_of_checksums, nullptr, nullptr,
          "a NIC, driver or virtual switch of the sender that computes checksums wrongly; a "
          "middlebox that edits segments and does not correct them; a NIC that merges received "
          "segments and keeps the checksum of the first (LRO)"}),
    with(Basis::flags, {has_two_beginnings, "old-duplicate-syn", words_of_beginnings}),
    with(Basis::flags,
         {has_two_answers, "", words_of_two_answers, nullptr, nullptr,
          "an address that two hosts have, a forged answer, a device on the path that "
          "answers too"}),
    with(Basis::one_direction, {sends_over_fin, "fin-forged", words_of_forged_fin}),
    with(Basis::one_direction, {is_forged_abort, "rst-exact", words_of_reset}),
    with(Basis::one_direction, {is_forged_reset, "firewall-forgets-and-resets", words_of_reset}),
    with(Basis::one_direction,
         {is_foreign_abort, "rst-exact", words_of_hops, nullptr, nullptr, kOtherHops}),
    with(Basis::one_direction, {is_foreign_reset, "firewall-forgets-and-resets", words_of_hops,
                                nullptr, nullptr, kOtherHops}),
    DiagnosisRule{is_sooner_than_path, "rst-exact", words_of_haste, nullptr, nullptr,
                  "a firewall or an intrusion prevention system that objects to the data; a proxy "
                  "or load balancer on the path; a SYN,ACK that was late for once"},
    with(Basis::flags,
         {gets_wrong_syn_ack, "", words_of_wrong_syn_ack, nullptr, nullptr,
          "an answer to an older SYN of the same port; a firewall or SYN proxy with numbers "
          "of its own; a forged answer"}),
    DiagnosisRule{acknowledges_unsent, "ack-for-data-not-sent", words_of_unsent},
    DiagnosisRule{
        is_forged_data, "data-injected", words_of_data, nullptr, nullptr,
        "an ACK that newer data overtook, if the capture ends too soon to show it, or if a "
        "retransmission of that data followed"},
    DiagnosisRule{is_new_life, "half-open-discovery", words_of_new_life},
    DiagnosisRule{finds_time_wait, "", words_of_old_time_wait, "half-open-discovery",
                  "the older connection was not in TIME_WAIT but open",
                  "a port that is used again "
                  "too soon: a fixed source port, or too few ports for one destination"},
    DiagnosisRule{
        is_refused_again, "", words_of_new_refusal, nullptr, nullptr,
        "a host or program that was restarted (power cycle, crash, deployment); a firewall "
        "or load balancer that refuses in that name; a connection whose end the capture "
        "lacks"},
    DiagnosisRule{meets_close_wait, "", words_of_port_reuse, "broken-without-failure",
                  "it shows an end that does not close", kNoChallenge},
    DiagnosisRule{meets_old_connection, "", words_of_port_reuse, nullptr, nullptr, kNoChallenge},
    DiagnosisRule{finds_old_connection, "half-open-discovery", words_of_new_life},
    DiagnosisRule{is_challenged_syn, "syn-into-established", words_of_syn_inside},
    DiagnosisRule{is_challenged_often, "rst-in-window", words_of_challenge,
                  "challenge-ack-rate-limit", "it shows the rate limit of such ACKs"},
    DiagnosisRule{is_challenged, "rst-in-window", words_of_challenge},
    DiagnosisRule{is_scan_of_closed, "probes-to-a-closed-port", words_of_scan},
    DiagnosisRule{is_scan, "probes-to-a-listener", words_of_scan},
    with(Basis::one_direction, {is_damaged_and_retransmitted, "segment-corrupted", words_of_damage,
                                nullptr, nullptr, kTwoVersions}),
    with(Basis::one_direction,
         {is_damaged, "corruption-undetected", words_of_damage, nullptr, nullptr, kTwoVersions}),
    with(Basis::one_direction, {[](const Evidence& seen) { return has_blind_icmp(seen, true); },
                                "icmp-mtu-forged", words_of_blind_icmp}),
    with(Basis::one_direction, {[](const Evidence& seen) { return has_blind_icmp(seen, false); },
                                "icmp-wrong-sequence-number", words_of_blind_icmp}),
};

}  // namespace

std::span<const DiagnosisRule> strange_rules() { return kStrangeRules; }

}  // namespace tcplab::reports
