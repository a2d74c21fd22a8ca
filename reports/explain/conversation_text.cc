#include "reports/explain/conversation_text.hh"

#include <fmt/format.h>

#include "reports/explain/diagnosis_rules.hh"
#include "reports/explain/stack_hint.hh"
#include "reports/explain/standing.hh"
#include "reports/explain/waiting.hh"

namespace tcplab::reports {

using capture::Conversation;
using capture::ConversationEnd;
using capture::ConversationFacts;
using capture::ResetKind;

namespace {

std::string beginning_of(const Conversation& talk, const ConversationFacts& facts,
                         const Roles& roles) {
  const capture::StateTracker& states = talk.states();
  const std::string one = capitalized(roles.name(roles.first()));
  const std::string other = roles.name(1 - roles.first());
  if (const auto seen = states.only_direction())
    return fmt::format(
        "The capture has only one direction: what {} sent.{}", roles.name(*seen),
        facts.around.has_undecoded ? " The other may be in the frames that were not decoded." : "");
  if (states.begins_with_syn_ack())
    return fmt::format("{} {} {}; the capture begins with the SYN,ACK.", one,
                       states.was_established() ? "connected to" : "asked for a connection to",
                       other);
  if (!states.is_whole())
    return roles.are_guessed()
               ? "The capture begins in the middle of this connection; the ports tell the client "
                 "from the server."
               : "The capture begins in the middle of this connection.";
  if (states.was_established() && states.end(1).sent_syn)
    return fmt::format("{} connected to {}.", one, other);
  if (talk.reset().kind == ResetKind::refused)
    return fmt::format("{} asked {} for a connection and was refused.", one, other);
  const bool may_lack_third =
      facts.around.has_no_plain_segment && facts.end(1 - roles.first()).syn_acks > 0;
  return fmt::format("{} asked {} for a connection{}", one, other,
                     may_lack_third ? "; the capture does not show whether it was established."
                                    : ", which was never established.");
}

std::string amount_of(const ConversationEnd& end, const std::string& who) {
  std::string text = fmt::format("{} sent {} in {}", who, counted(end.octets, "octet"),
                                 counted(end.data_segments, "segment"));
  if (end.data_frames != end.data_segments)
    text +=
        fmt::format(" (captured as {}: segmentation offload)", counted(end.data_frames, "frame"));
  return text + ".";
}

void note_trouble(const ConversationEnd& end, const capture::EndFacts& facts,
                  const std::string& who, bool is_alone, std::vector<std::string>& sentences) {
  const auto say = [&](const char* verb, std::uint64_t count, const char* noun) {
    if (count > 0) sentences.push_back(fmt::format("{} {} {}.", who, verb, counted(count, noun)));
  };
  say("retransmitted", end.retransmissions, "segment");
  say("filled a gap with", end.out_of_order - facts.overtaken, "segment");
  if (facts.overtaken > 0)
    sentences.push_back(fmt::format("{} sent {} that a later one overtook.", who,
                                    counted(facts.overtaken, "segment")));
  say("sent", end.duplicate_acks, "duplicate ACK");
  say("announced a window of zero in", end.zero_windows, "segment");
  say("sent", end.keepalive_probes, "keepalive probe");
  say("sent", end.window_probes, "window probe");
  // A capture of one direction has no answers.
  if (end.unanswered > 0 && !is_alone)
    sentences.push_back(end.unanswered == 1 ? "Its last attempt was not answered."
                                            : fmt::format("Its last {} attempts were not answered.",
                                                          end.unanswered));
}

/// Data before other data, of which the capture has no frame.
void note_missing(const Conversation& talk, const ConversationFacts& facts, std::size_t end,
                  const Roles& roles, std::vector<std::string>& sentences) {
  const auto missing = talk.missing(end);
  const std::string who = roles.name(end);
  const bool is_alone = talk.states().only_direction().has_value();
  if (facts.around.lacks_plain_segments) {
    if (missing.above + missing.below > 0)
      sentences.push_back(fmt::format("{} of {} are not in the capture: its filter left them out.",
                                      size_text(missing.above + missing.below), who));
    return;
  }
  if (missing.above > 0)
    sentences.push_back(fmt::format(
        "{} of {} before seq {} {}", counted(missing.above, "octet"), who,
        missing.end - talk.numbers(end).iss,
        is_alone ? "are not in the capture."
                 : fmt::format("never arrived here, and {} did not acknowledge them: they were "
                               "probably lost on the way.",
                               roles.name(1 - end))));
  if (missing.below > 0)
    sentences.push_back(
        fmt::format("{} of {} were acknowledged but are not in the capture: it probably dropped "
                    "frames (tcpdump -B), or they took another path.",
                    size_text(missing.below), who));
}

constexpr const char* kAbort = "it ended a live connection: ";

/// A program that closes with unread data causes a RST, and one that closes with SO_LINGER and zero
/// seconds.
std::string abort_of(const Conversation& talk, const ConversationFacts& facts, const Roles& roles) {
  const std::size_t by = talk.reset().by;
  if (!talk.states().was_established())
    return facts.around.has_no_plain_segment ? "" : "the handshake was not complete";
  if (talk.end(1 - by).octets == 0 && may_have_unseen_data(talk, facts, by))
    return std::string(kAbort) + "the capture does not show whether it had unread data";
  if (talk.end(1 - by).octets > 0)
    return std::string(kAbort) +
           "probably it closed with unread data (RFC 2525 section 2.17) or with SO_LINGER and zero "
           "seconds, or its program was killed with unread data";
  const auto waiting = waiting_of(talk, facts, roles);
  return fmt::format(
      "{}it had received no data that it could leave unread, so its program probably "
      "closed with SO_LINGER and zero seconds{}",
      kAbort,
      waiting && waiting->closed_by == by ? ", after it had waited for a reply in vain" : "");
}

/// What the RST of an end tells that asked for the connection, and did not want it any more.
std::string unwanted_answer_of(const ConversationFacts& facts, std::size_t by) {
  return facts.end(1 - by).syn_acks == 0 ? "its RST answers an ACK that belongs to an older "
                                           "connection of the two (RFC 9293 section "
                                           "3.5.1)"
                                         : "its RST answers the SYN,ACK: no program waited for it "
                                           "any more, or none ever did (a "
                                           "health check, a scan)";
}

std::string lost_connection_of(const Conversation& talk, const ConversationFacts& facts) {
  const capture::ResetTrigger& trigger = facts.ending().reset_trigger;
  if (!talk.states().was_established() && facts.end(talk.reset().by).syns > 0)
    return unwanted_answer_of(facts, talk.reset().by);
  if (facts.end(talk.reset().by).rare->stray_syns > 0)
    return "its RST answers an ACK of this connection, which it no longer has: its SYN had asked "
           "for "
           "a new one";
  if (facts.end(1 - talk.reset().by).rare->resets_out_of_place > 0)
    return "its TCP no longer has the connection: a RST had come before, whose number was not the "
           "next one";
  if (trigger.is_old)
    return "its RST answers octets that it had acknowledged, as only a TCP without the connection "
           "does";
  if (trigger.kind == capture::ResetTrigger::Kind::nothing)
    return fmt::format(
        "its RST came {} after the last segment and answers none of the capture, so its program, a "
        "timer or a device on the path in its name ended the connection, or the capture lacks what "
        "it answers",
        duration(trigger.silence));
  if (trigger.follows_own_within(kReboot))
    return fmt::format(
        "its RST says that there is no such connection, {} after it had sent a segment of it: a "
        "device on the path sent the RST in its name, or its kernel refused the connection",
        duration(*trigger.own_silence));
  if (facts.pauses().idle())
    return "its kernel (or a device on the path in its name) no longer has the connection: it was "
           "probably forgotten in the idle time before, or power cycled (RFC 9293 section "
           "3.10.7.1)";
  return "its kernel (or a device on the path in its name) has no such connection: it was probably "
         "power cycled, or has forgotten it (RFC 9293 section 3.10.7.1)";
}

std::string cause_of_reset(const Conversation& talk, const ConversationFacts& facts,
                           const Roles& roles) {
  switch (talk.reset().kind) {
    case ResetKind::none:
    case ResetKind::out_of_place:
      return "";
    case ResetKind::refused:
      return "nobody listens on that port, or a firewall says so";
    case ResetKind::no_connection:
      return lost_connection_of(talk, facts);
    case ResetKind::abort:
      return abort_of(talk, facts, roles);
    case ResetKind::gave_up:
      return "it had no answer, and gave up";
    case ResetKind::after_close:
      return std::string("it had sent its FIN, and its program has closed the socket") +
             (talk.reset().after_data ? ": no program can read the data that arrived" : "");
  }
  return "";
}

std::string reset_of(const Conversation& talk, const ConversationFacts& facts, const Roles& roles) {
  if (reports::is_foreign_reset(talk, facts))
    return fmt::format("A RST came in the name of {}; probably another host sent it.",
                       roles.name(talk.reset().by));
  if (lacks_an_end(talk))
    return fmt::format("{} reset it. The capture has no frames of {}, so it does not show why.",
                       capitalized(roles.name(talk.reset().by)),
                       roles.name(talk.end(0).segments == 0 ? 0 : 1));
  const std::string cause = cause_of_reset(talk, facts, roles);
  return fmt::format("{} reset it{}{}.", capitalized(roles.name(talk.reset().by)),
                     cause.empty() ? "" : ": ", cause);
}

bool is_half_open(const Conversation& talk) {
  return talk.states().was_established() && talk.reset().kind == ResetKind::none &&
         !talk.states().only_direction() &&
         (talk.end(0).unanswered > 1 || talk.end(1).unanswered > 1);
}

}  // namespace

std::string title_of(const Conversation& talk, const Roles& roles) {
  const std::string one = talk.end(roles.first()).address.to_string();
  const std::string other = talk.end(1 - roles.first()).address.to_string();
  if (!roles.are_known()) return fmt::format("{} and {}", one, other);
  return fmt::format("client {}, server {}{}", one, other,
                     roles.are_guessed() ? " (by the ports)" : "");
}

bool is_foreign_reset(const Conversation& talk, const ConversationFacts& facts) {
  const auto& own = facts.end(talk.reset().by);
  const bool has_two_answers =
      own.rare->other_syn_acks > 0 && facts.end(1 - talk.reset().by).rare->stray_syns == 0;
  return talk.states().was_established() &&
         (own.rare->spoke_after_reset > 0 || has_two_answers || has_foreign_hop_limit(own) ||
          is_too_soon_for_path(own));
}

std::vector<std::string> sentences_of(const Conversation& talk, const ConversationFacts& facts,
                                      const Roles& roles) {
  std::vector<std::string> sentences = {beginning_of(talk, facts, roles)};
  for (const std::size_t end : {roles.first(), 1 - roles.first()}) {
    const std::string who = capitalized(roles.name(end));
    if (const std::uint64_t unseen = unseen_octets(talk, end); unseen > 0)
      sentences.push_back(fmt::format("{} acknowledged {} of {}.", capitalized(roles.name(1 - end)),
                                      counted(unseen, "octet"), roles.name(end)));
    if (talk.end(end).octets > 0) sentences.push_back(amount_of(talk.end(end), who));
    note_trouble(talk.end(end), facts.end(end), who, talk.states().only_direction().has_value(),
                 sentences);
    note_missing(talk, facts, end, roles, sentences);
    if (std::string hint = stack_hint(facts, end, roles.name(end)); !hint.empty())
      sentences.push_back(std::move(hint));
  }
  const std::uint64_t errors = facts.end(0).rare->icmp_errors + facts.end(1).rare->icmp_errors;
  if (errors > 0) sentences.push_back(counted(errors, "ICMP error") + " about it arrived.");
  if (facts.ending().closed_at_once)
    sentences.emplace_back("Both closed at once.");
  else if (const auto first = talk.states().closed_first())
    sentences.push_back(capitalized(roles.name(*first)) + " closed first.");
  if (is_half_open(talk))
    sentences.emplace_back("It may be half-open: one end still sends, the other does not answer.");
  if (std::string words = waiting_words(talk, facts, roles); !words.empty())
    sentences.push_back(std::move(words));
  if (goes_one_way(talk, facts, roles))
    sentences.push_back(capitalized(roles.name(1 - roles.first())) + " has never sent data.");
  sentences.push_back(talk.reset().kind == ResetKind::none ? standing_words(talk, facts, roles)
                                                           : reset_of(talk, facts, roles));
  return sentences;
}

}  // namespace tcplab::reports
