// Rules for a SYN that nobody answered, however often it was sent.
#include <array>
#include <fmt/format.h>

#include "reports/explain/diagnosis_rules.hh"

namespace tcplab::reports {

namespace {

bool is_unheard(const Evidence& seen) {
  return seen.own().syns > 1 && seen.other().segments == 0 && !seen.is_reset() &&
         !seen.talk.states().only_direction();
}

bool is_turned_away(const Evidence& seen) {
  return is_unheard(seen) && seen.facts.around.listener_answers_others &&
         !seen.facts.around.listener_is_silent;
}

std::string words_of_silence(const Evidence& seen) {
  return fmt::format("{} sent its SYN {} in {}, without an answer", seen.name(),
                     times(seen.own().syns),
                     duration(seen.own().last_syn_at - seen.own().first_syn_at));
}

bool is_unheard_with_ecn(const Evidence& seen) {
  return is_unheard(seen) && seen.own().syn_asked_for_ecn && !seen.own().syn_gave_up_ecn;
}

std::string words_of_ecn_silence(const Evidence& seen) {
  return words_of_silence(seen) + "; each asked for ECN, and some paths drop such SYNs";
}

bool is_flooded_away(const Evidence& seen) {
  return is_unheard(seen) && seen.facts.around.never_completed >= kFlood;
}

std::string words_of_flooding(const Evidence& seen) {
  return words_of_silence(seen) +
         fmt::format("; {} other connections to {} have a SYN,ACK and no third segment",
                     seen.facts.around.never_completed, seen.other_name());
}

bool is_gone(const Evidence& seen) {
  return is_unheard(seen) && seen.facts.around.listener_is_silent;
}

std::string words_of_absence(const Evidence& seen) {
  return words_of_silence(seen) +
         fmt::format("; {} is silent in another connection, too", seen.other_name());
}

std::string words_of_turning_away(const Evidence& seen) {
  return words_of_silence(seen) + "; the same listener answered others";
}

/// RFC 9293 section 3.10.7.4 asks for an ACK in TIME_WAIT, but devices on the path may drop it.
bool is_unheard_in_time_wait(const Evidence& seen) {
  return is_unheard(seen) && seen.facts.around.follows_time_wait;
}

std::string words_of_time_wait(const Evidence& seen) {
  return words_of_silence(seen) +
         "; the same two endpoints closed a connection less than 60 s before: one of them, or a "
         "firewall or NAT between, may still be in its TIME_WAIT";
}

/// RFC 7323 section 5: an older timestamp is a reason to drop, but only in one connection.
bool is_unheard_with_older_stamp(const Evidence& seen) {
  return is_unheard(seen) && seen.facts.around.has_older_stamp;
}

std::string words_of_older_stamp(const Evidence& seen) {
  return words_of_silence(seen) +
         fmt::format(
             "; its timestamps are older than those of an earlier connection from {}: "
             "several hosts may share that address (NAT), or the host was restarted; a server "
             "that compares the timestamps of an address drops such SYNs (tcp_tw_recycle, until "
             "Linux 4.12)",
             seen.self().address.address.to_string());
}

constexpr const char* kDropped =
    "a firewall or load balancer that drops these SYNs, or began to; a path that lost them; a "
    "server that has reached a limit of connections";

constexpr std::array kUnheardRules = {
    with(Basis::flags, {is_unheard_with_ecn, "ecn-black-hole", words_of_ecn_silence, "black-hole",
                        "the path drops every SYN"}),
    with(Basis::flags, {is_flooded_away, "syn-flood", words_of_flooding, "backlog-full",
                        "its program does not call accept(2)"}),
    with(Basis::flags, {is_gone, "power-off", words_of_absence, nullptr, nullptr, kGone}),
    with(Basis::flags,
         {is_unheard_in_time_wait, "", words_of_time_wait, nullptr, nullptr, kDropped}),
    with(Basis::flags,
         {is_unheard_with_older_stamp, "", words_of_older_stamp, nullptr, nullptr, kDropped}),
    with(Basis::flags,
         {is_turned_away, "backlog-full", words_of_turning_away, "abort-on-overflow-at-syn",
          "tcp_abort_on_overflow does not change that", kDropped}),
    with(Basis::flags,
         {is_unheard, "black-hole", words_of_silence, "firewall-drops-connect",
          "a firewall that drops leaves the same frames",
          "a wrong address, a host that is off, a missing route back; a capture that has only "
          "this direction"}),
};

}  // namespace

std::span<const DiagnosisRule> unheard_rules() { return kUnheardRules; }

}  // namespace tcplab::reports
