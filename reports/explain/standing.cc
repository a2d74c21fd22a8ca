#include "reports/explain/standing.hh"

#include <algorithm>
#include <fmt/format.h>

namespace tcplab::reports {

using capture::Conversation;
using capture::ConversationFacts;
using capture::EndFacts;
using capture::IcmpError;
using capture::TcpState;

namespace {

/// Returns true if Linux ends the connection at an ICMP error that arrived: tcp_v4_err() and
/// tcp_v6_err() do that before the connection is established. RFC 1122 section 4.2.3.9 lets other
/// systems go on.
bool is_ended_by_icmp(const EndFacts& facts, TcpState state) {
  if (state != TcpState::syn_sent && state != TcpState::syn_recv) return false;
  return std::ranges::any_of(facts.rare->icmp, [state](const IcmpError& error) {
    return error.is_in_place && error.kind != IcmpError::Kind::too_big && error.state == state;
  });
}

/// Returns true if the end can be in CLOSED without a frame that shows it: it may have given up, or
/// its timer may have run out.
bool may_have_closed(const Conversation& talk, const ConversationFacts& facts, std::size_t end) {
  const TcpState state = talk.states().end(end).now;
  if (state != TcpState::established && state != TcpState::close_wait) return true;
  const EndFacts& own = facts.end(end);
  return talk.end(end).unanswered > 0 || talk.end(end).resets > 0 ||
         own.retransmits_after_ack > 0 || own.attempt.retransmits > 0 ||
         facts.end(1 - end).rare->window_is_closed || !own.rare->icmp.empty();
}

/// Returns the state of an end that has closed and cannot send its FIN yet, because its peer does
/// not take the data before it: the congestion window is full after a retransmission timeout (RFC
/// 5681 section 3.1), or the peer's window is closed. Empty if a FIN could go out.
std::optional<TcpState> with_queued_fin(const Conversation& talk, const ConversationFacts& facts,
                                        std::size_t end) {
  const bool waits =
      facts.end(end).attempt.retransmits > 0 || facts.end(1 - end).rare->window_is_closed;
  const TcpState state = talk.states().end(end).now;
  if (!waits) return std::nullopt;
  if (state == TcpState::established) return TcpState::fin_wait1;
  return state == TcpState::close_wait ? std::optional{TcpState::last_ack} : std::nullopt;
}

const char* why_closed(TcpState state) {
  if (state == TcpState::fin_wait2) return "after tcp_fin_timeout, 60 s by default";
  return state == TcpState::time_wait ? "after 60 s" : "if it has given up";
}

std::string words_of(const StateClaim& standing, const std::string& who) {
  const TcpState likely = standing.states.front();
  std::string text = fmt::format("{} is probably in {}", who, capture::name(likely));
  std::string others;
  for (const TcpState state : standing.states) {
    if (state == likely) continue;
    const bool is_closed = state == TcpState::closed;
    const char* why = "if the last segment to it was lost";
    if (is_closed) why = why_closed(likely);
    if (likely == TcpState::syn_recv && state == TcpState::established)
      why = "if its accept queue has room again";
    if (state == standing.queued_fin) why = "if its FIN waits behind its data";
    if (likely == TcpState::closed && state == TcpState::syn_sent)
      why = "if its kernel is not Linux: RFC 1122 section 4.2.3.9 lets it go on";
    others += fmt::format("{}or {} {}", others.empty() ? "" : ", ", capture::name(state), why);
  }
  return others.empty() ? text : fmt::format("{} ({})", text, others);
}

}  // namespace

StateClaim standing_of(const Conversation& talk, const ConversationFacts& facts, std::size_t end) {
  if (facts.around.lacks_plain_segments) return {};
  if (talk.end(end).segments == 0 || talk.states().only_direction() || talk.reset().goes_on)
    return {};
  StateClaim standing{.certainty = StateClaim::Certainty::probable,
                      .states = talk.states().possible_states(end)};
  if (talk.end(1 - end).unanswered > 0) standing.certainty = StateClaim::Certainty::last_seen;
  const auto add = [&standing](TcpState state) {
    auto& states = standing.states;
    if (std::ranges::find(states, state) == states.end()) states.push_back(state);
  };
  standing.queued_fin = with_queued_fin(talk, facts, end);
  if (standing.queued_fin) add(*standing.queued_fin);
  // The RST may have been lost, or another host sent it in this end's name.
  if (talk.reset().kind != capture::ResetKind::none) add(talk.reset().states.at(end));
  if (is_ended_by_icmp(facts.end(end), talk.states().end(end).now)) {
    standing.states.insert(standing.states.begin(), TcpState::closed);
  } else if (may_have_closed(talk, facts, end)) {
    add(TcpState::closed);
  }
  return standing;
}

std::string standing_words(const Conversation& talk, const ConversationFacts& facts,
                           const Roles& roles) {
  if (const auto seen = talk.states().only_direction())
    return fmt::format("The capture has no frames of {}, so the states are not known.",
                       roles.name(1 - *seen));
  if (facts.around.lacks_plain_segments)
    return "The capture has no acknowledgments without SYN, FIN or RST, so the states are not "
           "known.";
  if (talk.states().is_over() && talk.states().have_both_sent_fin()) {
    if (facts.ending().closed_at_once)
      return "When the capture ends, both have probably closed, and stay in TIME_WAIT for 60 s.";
    const std::size_t waits = talk.states().end(0).now == TcpState::time_wait ? 0 : 1;
    return fmt::format("When the capture ends, both have probably closed; {} stays in {} for 60 s.",
                       roles.name(waits), capture::name(talk.states().end(waits).now));
  }
  std::string text = "When the capture ends, ";
  std::string separator;
  for (const std::size_t end : {roles.first(), 1 - roles.first()}) {
    const StateClaim standing = standing_of(talk, facts, end);
    text += separator;
    separator = ", and ";
    switch (standing.certainty) {
      case StateClaim::Certainty::probable:
        text += words_of(standing, roles.name(end));
        break;
      case StateClaim::Certainty::last_seen:
        text += fmt::format("{} was last seen in {}", roles.name(end),
                            capture::name(talk.states().end(end).now));
        break;
      case StateClaim::Certainty::unknown:
        text += fmt::format("nothing was seen of {}", roles.name(end));
        break;
    }
  }
  return text + ".";
}

}  // namespace tcplab::reports
