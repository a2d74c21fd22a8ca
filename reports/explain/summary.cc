#include "reports/explain/summary.hh"

#include <fmt/format.h>
#include <optional>
#include <tuple>

#include "reports/explain/conversation_text.hh"
#include "reports/explain/diagnosis_rules.hh"
#include "reports/explain/waiting.hh"

namespace tcplab::reports {

using capture::Conversation;
using capture::ConversationEnd;
using capture::ConversationFacts;
using capture::IcmpError;
using capture::ResetKind;

namespace {

constexpr std::int64_t kJustNow = 1'000'000'000;  // nanoseconds: an answer may still come

struct View {
  const Conversation& talk;
  const ConversationFacts& facts;
  const Roles& roles;
  std::int64_t end_at;

  bool is_recent() const { return end_at - talk.last_at() < kJustNow; }
  bool is_reset() const { return talk.reset().kind != ResetKind::none; }
};

struct Finding {
  Trouble trouble = Trouble::none;
  std::string words;
};

using Found = std::optional<Finding>;

std::string icmp_word(IcmpError::Kind kind) {
  switch (kind) {
    case IcmpError::Kind::no_route:
      return "network unreachable";
    case IcmpError::Kind::no_host:
      return "host unreachable";
    case IcmpError::Kind::no_port:
      return "port unreachable";
    case IcmpError::Kind::prohibited:
      return "prohibited";
    case IcmpError::Kind::too_big:
      return "too big";
    case IcmpError::Kind::expired:
      return "time exceeded";
    case IcmpError::Kind::unreachable:
    case IcmpError::Kind::other:
      return "unreachable";
  }
  return "";
}

std::string state_word(const View& view) {
  const capture::StateTracker& states = view.talk.states();
  if (states.is_over() && states.was_established()) return "closed";
  if (view.facts.around.lacks_plain_segments) {
    if (states.have_both_sent_fin()) return "closed";
    if (!states.was_established() && states.end(0).sent_syn && states.end(1).sent_syn)
      return "open";
  }
  if (states.only_direction() && states.end(*states.only_direction()).sent_fin) return "closed";
  if (!states.was_established()) return "opening";
  const bool has_fin = states.end(0).sent_fin || states.end(1).sent_fin;
  return has_fin ? "closing" : "open";
}

Found unopened(const View& view) {
  const capture::StateTracker& states = view.talk.states();
  if (states.was_established() || view.is_reset()) return std::nullopt;
  if (!states.is_whole() && !states.begins_with_syn_ack()) return std::nullopt;
  const bool may_have_opened = view.facts.around.lacks_plain_segments;  // the third segment
  for (const std::size_t end : {0, 1})
    for (const IcmpError& error : view.facts.end(end).rare->icmp)
      if (error.kind != IcmpError::Kind::too_big && error.is_in_place)
        return Finding{Trouble::refused, "refused by ICMP: " + icmp_word(error.kind)};
  const std::uint64_t answers = view.facts.end(1 - view.roles.first()).syn_acks;
  const std::uint64_t tries = view.facts.end(view.roles.first()).syns;
  if (answers == 0 && tries > 0 && (tries > 1 || !view.is_recent()))
    return Finding{Trouble::no_answer, tries == 1 ? "no answer to the SYN"
                                                  : fmt::format("no answer to {} SYNs", tries)};
  if (may_have_opened && answers > 0) return std::nullopt;
  if (answers > 1 || (answers > 0 && !view.is_recent()))
    return Finding{Trouble::no_answer, "no answer to the SYN,ACK"};
  return std::nullopt;
}

Found unanswered(const View& view) {
  if (!view.talk.states().was_established() || view.is_reset() ||
      view.talk.states().only_direction())
    return std::nullopt;
  for (const std::size_t end : {0, 1}) {
    const ConversationEnd& self = view.talk.end(end);
    if (self.unanswered == 0 || (self.unanswered == 1 && view.is_recent())) continue;
    const bool is_probing = view.facts.end(end).rare->keepalives_waiting > 0 ||
                            (view.facts.end(1 - end).rare->window_is_closed &&
                             view.facts.end(end).rare->window_probes > 0);
    return Finding{Trouble::silent,
                   fmt::format("{} is silent: {} unanswered", view.roles.short_name(1 - end),
                               counted(self.unanswered, is_probing ? "probe" : "retransmission"))};
  }
  return std::nullopt;
}

Found stuck(const View& view) {
  if (view.is_reset()) return std::nullopt;
  for (const std::size_t end : {0, 1})
    if (view.facts.end(end).rare->window_is_closed && !view.talk.states().end(1 - end).sent_fin)
      return Finding{Trouble::stuck,
                     fmt::format("stuck: {}'s window is zero", view.roles.short_name(end))};
  return std::nullopt;
}

/// An end closed although the client's last data had no reply.
Found unreplied(const View& view) {
  const auto waiting = waiting_of(view.talk, view.facts, view.roles);
  if (!waiting || !waiting->closed_by) return std::nullopt;
  const std::size_t other = 1 - *waiting->closed_by;
  return Finding{
      Trouble::no_reply,
      fmt::format("{} by {} after {} without a reply{}", view.is_reset() ? "reset" : "closed",
                  view.roles.short_name(*waiting->closed_by), duration(waiting->lasted),
                  view.is_reset() || view.talk.states().end(other).sent_fin
                      ? ""
                      : fmt::format("; {} has not closed", view.roles.short_name(other)))};
}

/// Only a RST that answers a segment says that its sender has no such connection.
std::string lost_connection_of(const View& view, const std::string& who) {
  const capture::ResetTrigger& trigger = view.facts.ending().reset_trigger;
  if (lacks_an_end(view.talk)) return fmt::format("reset by {}", who);
  if (!view.talk.states().was_established() && view.facts.end(view.talk.reset().by).syns > 0)
    return fmt::format("reset by {} before the handshake was complete", who);
  if (trigger.kind != capture::ResetTrigger::Kind::nothing)
    return fmt::format("reset by {}: no such connection", who);
  if (trigger.silence < kReboot) return fmt::format("reset by {}", who);
  return fmt::format("reset by {} after {} of silence", who, duration(trigger.silence));
}

Found reset(const View& view) {
  const std::string who = view.roles.short_name(view.talk.reset().by);
  switch (view.talk.reset().kind) {
    case ResetKind::none:
    case ResetKind::out_of_place:
      return std::nullopt;
    case ResetKind::refused:
      return Finding{Trouble::refused, "refused with a RST"};
    case ResetKind::gave_up:
      if (view.talk.states().only_direction())
        return Finding{Trouble::reset, fmt::format("reset by {}", who)};
      return Finding{Trouble::silent, who + " had no answer and gave up"};
    case ResetKind::no_connection:
      if (reports::is_foreign_reset(view.talk, view.facts))
        return Finding{Trouble::reset, fmt::format("reset in the name of {}", who)};
      return Finding{Trouble::reset, lost_connection_of(view, who)};
    case ResetKind::abort:
      if (reports::is_foreign_reset(view.talk, view.facts))
        return Finding{Trouble::reset, fmt::format("reset in the name of {}", who)};
      return Finding{Trouble::reset, "reset by " + who};
    case ResetKind::after_close:
      return Finding{Trouble::reset, fmt::format("reset by {}, which had closed", who)};
  }
  return std::nullopt;
}

/// Octets before others that the capture has. Nobody acknowledged them.
Found missing(const View& view) {
  if (view.is_reset() || view.talk.states().only_direction()) return std::nullopt;
  if (view.facts.around.lacks_plain_segments) return std::nullopt;
  for (const std::size_t end : {0, 1})
    if (const std::uint64_t lost = view.talk.missing(end).above; lost > 0)
      return Finding{Trouble::loss,
                     fmt::format("{}; {} from {} never arrived", state_word(view),
                                 counted(lost, "octet"), view.roles.short_name(end))};
  return std::nullopt;
}

/// New SYNs of a port whose last connection is not over.
Found unheeded(const View& view) {
  if (view.is_reset()) return std::nullopt;
  for (const std::size_t end : {0, 1}) {
    const std::uint64_t count = view.facts.end(end).rare->stray_syns_waiting;
    if (count == 0 || (count == 1 && view.is_recent())) continue;
    return Finding{Trouble::no_answer,
                   fmt::format("no answer to {}; {} has not closed the last connection",
                               counted(count, "new SYN"), view.roles.short_name(1 - end))};
  }
  return std::nullopt;
}

Found half_closed(const View& view) {
  const capture::StateTracker& states = view.talk.states();
  if (view.is_reset() || states.is_over() || states.only_direction()) return std::nullopt;
  if (states.end(0).sent_fin == states.end(1).sent_fin) return std::nullopt;
  const std::size_t open = states.end(0).sent_fin ? 1 : 0;
  return Finding{view.is_recent() ? Trouble::none : Trouble::half_closed,
                 fmt::format("half-closed: {} has not closed", view.roles.short_name(open))};
}

std::string rate_of(const View& view, std::uint64_t again) {
  constexpr std::uint64_t kFew = 3;
  if (again <= kFew) return counted(again, "retransmission");
  const std::uint64_t sent = view.talk.end(0).data_frames + view.talk.end(1).data_frames + again;
  return fmt::format("{} ({:.1f} % of the data frames)", counted(again, "retransmission"),
                     100.0 * double(again) / double(sent));
}

void note_waiting(const View& view, Finding& finding) {
  const auto waiting = waiting_of(view.talk, view.facts, view.roles);
  if (!waiting) return;
  const std::string lasted = duration(waiting->lasted);
  const std::string other = view.roles.short_name(1 - waiting->end);
  switch (waiting->kind) {
    case Waiting::Kind::no_reply:
      finding.words += fmt::format("; no reply from {} for {}", other, lasted);
      break;
    case Waiting::Kind::no_acknowledgment:
      finding.words += fmt::format("; data not acknowledged by {} for {}", other, lasted);
      finding.trouble = std::max(finding.trouble, Trouble::silent);
      break;
    case Waiting::Kind::no_data:
      finding.words += fmt::format("; no data for {}", lasted);
      return;  // nobody waits for certain
  }
  finding.trouble = std::max(finding.trouble, Trouble::waiting);
}

/// What went wrong in a connection that came to its end, or is open.
Finding survived(const View& view, const Summary& summary) {
  Finding finding{Trouble::none, state_word(view)};
  const auto note = [&finding](Trouble trouble, const std::string& words) {
    finding.trouble = std::max(finding.trouble, trouble);
    finding.words += "; " + words;
  };
  const auto& asker = view.facts.end(view.roles.first());
  const auto& answerer = view.facts.end(1 - view.roles.first());
  const std::uint64_t icmp = asker.rare->icmp_errors + answerer.rare->icmp_errors;
  if (asker.syns > 1)
    note(Trouble::slow_open,
         fmt::format("{} SYNs, {}", asker.syns, duration(asker.last_syn_at - asker.first_syn_at)));
  else if (answerer.syn_acks > 1)
    note(Trouble::slow_open, fmt::format("{} SYN,ACKs", answerer.syn_acks));
  if (icmp > 0) note(Trouble::icmp, counted(icmp, "ICMP error"));
  const std::uint64_t opening =
      (asker.syns > 1 ? asker.syns - 1 : 0) + (answerer.syn_acks > 1 ? answerer.syn_acks - 1 : 0);
  const std::uint64_t lost = summary.retransmissions - std::min(opening, summary.retransmissions);
  if (lost > 0) note(Trouble::loss, rate_of(view, lost));
  const std::uint64_t resets = view.talk.end(0).resets + view.talk.end(1).resets;
  if (resets > 0) note(Trouble::reset, counted(resets, "RST") + " without effect");
  if (summary.zero_windows > 0) note(Trouble::window, "the window was zero for a while");
  note_waiting(view, finding);
  if (goes_one_way(view.talk, view.facts, view.roles))
    note(Trouble::none,
         fmt::format("{} never sends data", view.roles.short_name(1 - view.roles.first())));
  std::uint64_t passed = 0;
  for (const std::size_t end : {0, 1}) passed += view.talk.missing(end).below;
  if (passed > 0) note(Trouble::none, size_text(passed) + " not captured");
  return finding;
}

}  // namespace

std::string_view name(Trouble trouble) {
  switch (trouble) {
    case Trouble::none:
      return "none";
    case Trouble::waiting:
      return "waiting";
    case Trouble::window:
      return "zero window";
    case Trouble::loss:
      return "loss";
    case Trouble::slow_open:
      return "slow open";
    case Trouble::half_closed:
      return "half-closed";
    case Trouble::no_reply:
      return "no reply";
    case Trouble::reset:
      return "reset";
    case Trouble::icmp:
      return "ICMP errors";
    case Trouble::refused:
      return "refused";
    case Trouble::no_answer:
      return "no answer";
    case Trouble::stuck:
      return "stuck";
    case Trouble::silent:
      return "silent";
  }
  return "";
}

std::string_view words_for_many(Trouble trouble) {
  switch (trouble) {
    case Trouble::none:
      return "without trouble";
    case Trouble::waiting:
      return "waiting for data";
    case Trouble::window:
      return "with a zero window that opened again";
    case Trouble::loss:
      return "with retransmissions";
    case Trouble::slow_open:
      return "with a lost SYN or SYN,ACK";
    case Trouble::half_closed:
      return "half-closed";
    case Trouble::no_reply:
      return "closed without a reply";
    case Trouble::reset:
      return "reset";
    case Trouble::icmp:
      return "with ICMP errors";
    case Trouble::refused:
      return "refused";
    case Trouble::no_answer:
      return "without an answer to the SYN or SYN,ACK";
    case Trouble::stuck:
      return "stuck at a zero window";
    case Trouble::silent:
      return "with an end that stopped answering";
  }
  return "";
}

Summary summary_of(const Conversation& talk, const ConversationFacts& facts, const Roles& roles,
                   std::int64_t end_at) {
  const View view{talk, facts, roles, end_at};
  Summary summary{.lasted = talk.last_at() - talk.began_at(),
                  .octets = {talk.end(0).octets, talk.end(1).octets}};
  for (const std::size_t end : {0, 1}) {
    const std::uint64_t fillers = talk.end(end).out_of_order - facts.end(end).overtaken;
    summary.retransmissions += talk.end(end).retransmissions + fillers;
    summary.zero_windows += talk.end(end).zero_windows;
  }
  for (const auto find :
       {unopened, unheeded, unanswered, stuck, unreplied, reset, missing, half_closed}) {
    if (const Found found = find(view)) {
      summary.trouble = found->trouble;
      summary.ending = found->words;
      return summary;
    }
  }
  const Finding found = survived(view, summary);
  summary.trouble = found.trouble;
  summary.ending = found.words;
  summary.has_remark = found.words.find(';') != std::string::npos;
  return summary;
}

bool is_worse(const Summary& one, const Summary& other) {
  const auto key = [](const Summary& summary) {
    return std::tuple(summary.trouble, summary.retransmissions + summary.zero_windows);
  };
  return key(one) > key(other);
}

}  // namespace tcplab::reports
