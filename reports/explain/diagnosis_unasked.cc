// Rules for a RST that answers no segment, a FIN, or one that Linux does not answer with a RST.
#include <array>
#include <fmt/format.h>

#include "reports/explain/diagnosis_rules.hh"

namespace tcplab::reports {

using capture::ResetKind;
using capture::ResetTrigger;
using capture::TcpState;

namespace {

/// This end has never closed, and never acknowledged the FIN.
bool resets_unheard_fin(const Evidence& seen) {
  const bool is_late = seen.others().rare->fin_retransmits > 0 || !seen.answers();
  return seen.ends_by_reset() && !seen.self_state().sent_fin && seen.other_state().sent_fin &&
         is_late && seen.talk.reset().states.at(1 - seen.end) == TcpState::fin_wait1;
}

std::string words_of_fin_before_reset(const Evidence& seen) {
  return fmt::format(
      "{} sent its FIN {} without an acknowledgment; then, {} after the last one, a RST of {} {}",
      seen.other_name(), times(seen.others().rare->fin_retransmits + 1),
      duration(seen.facts.ending().reset_trigger.silence), seen.name(),
      seen.answers() ? "answered it" : "came, too late to be an answer");
}

/// It closed second: after the last ACK nothing is left of the connection.
bool is_done(const Evidence& seen) {
  return seen.answers(ResetTrigger::Kind::fin) && seen.self_state().sent_fin &&
         seen.talk.states().closed_first() == 1 - seen.end &&
         seen.others().rare->fin_retransmits > 0 && !seen.facts.ending().closed_at_once;
}

std::string words_of_being_done(const Evidence& seen) {
  return fmt::format(
      "{} had closed, too, and answered a FIN of {} that came again with a RST: the end that "
      "closes "
      "second has no TIME_WAIT",
      seen.name(), seen.other_name());
}

/// The FIN is the first that it heard of the connection for long, or in this capture.
bool resets_fin(const Evidence& seen) {
  return seen.answers(ResetTrigger::Kind::fin) &&
         seen.talk.reset().kind == ResetKind::no_connection && !seen.self_state().sent_fin;
}

std::string words_of_reset_fin(const Evidence& seen) {
  return fmt::format("{} answered {}'s FIN with a RST: it no longer had the connection",
                     seen.name(), seen.other_name());
}

/// RFC 793, page 71: a SYN in the window is an error, and ends the connection.
bool resets_at_syn(const Evidence& seen) {
  return seen.answers(ResetTrigger::Kind::syn) && seen.others().rare->stray_syns > 0;
}

std::string words_of_syn_and_reset(const Evidence& seen) {
  return fmt::format(
      "a SYN arrived in the open connection, and {} answered with a RST and ended it, as RFC 793 "
      "says (page 71); Linux answers with an ACK and keeps it (RFC 5961 section 4.2)",
      seen.name());
}

/// RFC 793, page 70: a RST anywhere in the window ends the connection.
bool resets_after_reset(const Evidence& seen) {
  return seen.ends_by_reset() && seen.talk.reset().kind == ResetKind::no_connection &&
         seen.answers() && seen.others().rare->resets_out_of_place > 0 &&
         seen.own().rare->challenges == 0;
}

std::string words_of_accepted_reset(const Evidence& seen) {
  const std::int64_t offset = seen.others().rare->reset_offset;
  return fmt::format(
      "a RST in the name of {} had come before, {} {} the number that {} expected next: its TCP "
      "took that RST, as RFC 793 says (page 70), and no longer had the connection; Linux answers "
      "it with an ACK and keeps the connection (RFC 5961 section 3.2)",
      seen.other_name(), counted(std::uint64_t(offset < 0 ? -offset : offset), "octet"),
      offset < 0 ? "below" : "above", seen.name());
}

/// A kernel that has the connection answers such a segment with an ACK.
bool resets_old_data(const Evidence& seen) {
  return seen.answers(ResetTrigger::Kind::data) && seen.facts.ending().reset_trigger.is_old &&
         seen.talk.reset().kind == ResetKind::no_connection && !seen.self_state().sent_fin;
}

std::string words_of_old_data(const Evidence& seen) {
  return fmt::format(
      "{} answered a retransmission of octets that it had acknowledged with a RST: they begin {} "
      "below the next octet that it expects. A TCP that has the connection answers with an ACK: "
      "these octets reached one that does not have it",
      seen.name(), size_text(seen.facts.ending().reset_trigger.below));
}

/// The data was sent before the FIN arrived.
bool crosses_close(const Evidence& seen) {
  return seen.answers(ResetTrigger::Kind::data) && seen.self_state().sent_fin &&
         !seen.other_state().sent_fin && seen.others().rare->data_after_peer_fin == 0 &&
         !seen.facts.ending().reset_trigger.is_old;
}

std::string words_of_crossed_close(const Evidence& seen) {
  const std::int64_t idle = seen.others().last_data.after;
  return fmt::format(
      "{} closed while data of {} was on its way, and answered that data with a RST: the two "
      "crossed{}",
      seen.name(), seen.other_name(),
      idle >= 1'000'000'000
          ? fmt::format("; the connection had been idle for {}, so the close is probably an idle "
                        "timeout (HTTP keep-alive) of {}'s program",
                        duration(idle), seen.name())
          : "");
}

bool is_unasked(const Evidence& seen) {
  return seen.ends_by_reset() && seen.talk.reset().kind == ResetKind::no_connection &&
         !seen.answers() && !seen.self_state().sent_fin;
}

bool is_unasked_after_silence(const Evidence& seen) {
  return is_unasked(seen) && seen.facts.ending().reset_trigger.silence >= kReboot;
}

std::string words_of_unasked(const Evidence& seen) {
  const ResetTrigger& trigger = seen.facts.ending().reset_trigger;
  return fmt::format("a RST of {} came {} after {}, and answers no segment of the capture",
                     seen.name(), duration(trigger.silence),
                     trigger.follows_own ? "a segment of its own" : "the last segment");
}

bool checks_listener(const Evidence& seen) {
  return is_unasked(seen) && seen.own().syns > 0 && seen.self().octets == 0 &&
         seen.other().octets == 0;
}

std::string words_of_checked_listener(const Evidence& seen) {
  return fmt::format(
      "{} completed the handshake, and reset the connection {} later without any data", seen.name(),
      duration(seen.facts.ending().reset_trigger.own_silence.value_or(0)));
}

constexpr std::array kUnaskedRules = {
    DiagnosisRule{
        resets_unheard_fin, "", words_of_fin_before_reset, nullptr, nullptr,
        "a host that slept or was cut off, and whose program was killed or closed "
        "meanwhile; a power cycle; a firewall or NAT that forgot the connection and resets "
        "in that name"},
    DiagnosisRule{is_done, "", words_of_being_done, nullptr, nullptr,
                  "a lost acknowledgment of that FIN; a copy of it that was late"},
    DiagnosisRule{
        resets_fin, "", words_of_reset_fin, nullptr, nullptr,
        "it had aborted or forgotten the connection before, and its RST was lost or is not "
        "in the capture; a host that was restarted; a firewall that forgot the connection "
        "and resets in that name"},
    DiagnosisRule{resets_at_syn, "syn-into-established", words_of_syn_and_reset, nullptr, nullptr,
                  "a TCP that is not of Linux, or an old one (libslirp, lwIP); a host that was "
                  "restarted and has no listener; a firewall or NAT that objects to the SYN"},
    DiagnosisRule{
        resets_after_reset, "rst-in-window", words_of_accepted_reset, nullptr, nullptr,
        "a TCP that is not of Linux, or an old one (gVisor, lwIP); a firewall or NAT that "
        "took the RST and forgot the connection; a power cycle between the two"},
    DiagnosisRule{resets_old_data, "", words_of_old_data, nullptr, nullptr,
                  "a NAT or load balancer whose connection tracking finds these octets outside the "
                  "window (INVALID), and does not translate them (drop INVALID packets, or set "
                  "nf_conntrack_tcp_be_liberal=1); a firewall that objects to them; another host "
                  "with the same address"},
    DiagnosisRule{crosses_close, "", words_of_crossed_close, "close-with-unread-data",
                  "its program closed while data waited in its receive queue"},
    DiagnosisRule{
        checks_listener, "", words_of_checked_listener, nullptr, nullptr,
        "a load balancer's health check, which asks only whether the port is open; a port "
        "scan; a program that aborted before it sent anything"},
    DiagnosisRule{
        is_unasked_after_silence, "", words_of_unasked, nullptr, nullptr,
        "an idle timeout of its program, or of a proxy, load balancer or NAT in its name; "
        "a program that was killed, or closed with SO_LINGER and zero seconds, on a TCP "
        "whose RST has no ACK; a capture that lacks the segment before the RST"},
    DiagnosisRule{is_unasked, "", words_of_unasked, nullptr, nullptr,
                  "a firewall, intrusion prevention system or proxy that objects to the data; a "
                  "program that aborted on a TCP whose RST has no ACK; a capture that lacks the "
                  "segment before the RST"},
};

}  // namespace

std::span<const DiagnosisRule> unasked_rules() { return kUnaskedRules; }

}  // namespace tcplab::reports
