#include "reports/explain/waiting.hh"

#include <fmt/format.h>

#include "reports/explain/diagnosis_rules.hh"

namespace tcplab::reports {

using capture::Conversation;
using capture::ConversationFacts;
using capture::LastData;
using capture::ResetKind;

namespace {

constexpr std::int64_t kSecond = 1'000'000'000;  // nanoseconds
constexpr std::int64_t kLong = 5 * kSecond;      // until the capture ends
constexpr std::int64_t kPatience = kSecond;      // until a program gives up

bool is_open(const Conversation& talk) {
  return talk.reset().kind == ResetKind::none && !talk.states().end(0).sent_fin &&
         !talk.states().end(1).sent_fin;
}

bool has_silent_end(const Conversation& talk) {
  return talk.end(0).unanswered > 0 || talk.end(1).unanswered > 0;
}

std::optional<Waiting> unacknowledged(const Conversation& talk, const ConversationFacts& facts) {
  if (talk.reset().kind != ResetKind::none) return std::nullopt;
  for (const std::size_t end : {0, 1}) {
    const capture::Attempt& attempt = facts.end(end).attempt;
    const std::int64_t lasted = facts.around.ends_at - attempt.first_at;
    const bool is_alone = attempt.length > 0 && attempt.retransmits == 0;
    if (is_alone && !facts.end(1 - end).rare->window_is_closed && lasted >= kLong)
      return Waiting{Waiting::Kind::no_acknowledgment, end, lasted};
  }
  return std::nullopt;
}

/// The client's last data was acknowledged, and the server has sent none since.
bool lacks_reply(const Conversation& talk, const ConversationFacts& facts, const Roles& roles) {
  return facts.ending().replied_last == roles.first() &&
         facts.end(roles.first()).last_data.acknowledged_at > 0 &&
         !goes_one_way(talk, facts, roles);
}

/// An end closed, or reset the connection, although there had been no reply.
std::optional<Waiting> closed_in_vain(const Conversation& talk, const ConversationFacts& facts,
                                      const Roles& roles) {
  const bool is_abort = talk.reset().kind == ResetKind::abort;
  const auto first = talk.states().closed_first();
  if (!first && !is_abort) return std::nullopt;
  const std::int64_t closed_at = first ? facts.ending().fin_at : facts.ending().reset_at;
  const std::int64_t lasted = closed_at - facts.end(roles.first()).last_data.at;
  const std::size_t server = 1 - roles.first();
  const bool says_nothing = first == server && talk.end(server).octets == 0 && lasted >= 0;
  if (lasted < kPatience && !says_nothing) return std::nullopt;
  return Waiting{Waiting::Kind::no_reply, roles.first(), lasted, first.value_or(talk.reset().by)};
}

}  // namespace

bool goes_one_way(const Conversation& talk, const ConversationFacts& facts, const Roles& roles) {
  constexpr std::uint64_t kSeveral = 3;
  return roles.are_known() && talk.end(1 - roles.first()).octets == 0 &&
         facts.pauses().bursts(roles.first()) >= kSeveral;
}

std::optional<Waiting> waiting_of(const Conversation& talk, const ConversationFacts& facts,
                                  const Roles& roles) {
  if (!talk.states().was_established() || talk.states().only_direction()) return std::nullopt;
  if (const auto found = unacknowledged(talk, facts)) return found;
  if (!roles.are_known()) return std::nullopt;
  const std::int64_t end_at = facts.around.ends_at;
  if (lacks_reply(talk, facts, roles)) {
    if (!is_open(talk)) return closed_in_vain(talk, facts, roles);
    const std::int64_t lasted = end_at - facts.end(roles.first()).last_data.at;
    if (lasted < kLong || has_silent_end(talk)) return std::nullopt;
    return Waiting{Waiting::Kind::no_reply, roles.first(), lasted};
  }
  if (facts.ending().replied_last || !is_open(talk) || has_silent_end(talk) ||
      !talk.states().is_whole() || end_at - talk.began_at() < kLong)
    return std::nullopt;
  return Waiting{Waiting::Kind::no_data, roles.first(), end_at - talk.began_at()};
}

std::string waiting_words(const Conversation& talk, const ConversationFacts& facts,
                          const Roles& roles) {
  const auto waiting = waiting_of(talk, facts, roles);
  if (!waiting) return "";
  const LastData& sent = facts.end(waiting->end).last_data;
  const std::string who = roles.name(waiting->end);
  const std::string other = roles.name(1 - waiting->end);
  switch (waiting->kind) {
    case Waiting::Kind::no_reply:
      return fmt::format(
          "{}'s last {} were acknowledged after {}; {} in the {} until {}.", capitalized(who),
          counted(sent.octets, "octet"), duration(sent.acknowledged_at - sent.at),
          talk.missing(1 - waiting->end).above > 0
              ? fmt::format("no data of {} arrived", other)
              : fmt::format("{} {} no data", other, waiting->closed_by ? "sent" : "has sent"),
          duration(waiting->lasted),
          waiting->closed_by ? roles.name(*waiting->closed_by) + " closed" : "the capture ends");
    case Waiting::Kind::no_acknowledgment:
      return fmt::format(
          "Data of {} was not acknowledged in the {} until the capture ends, and {} did not "
          "retransmit it.",
          who, duration(waiting->lasted), who);
    case Waiting::Kind::no_data:
      return fmt::format("Neither end has sent data in the {} until the capture ends.",
                         duration(waiting->lasted));
  }
  return "";
}

}  // namespace tcplab::reports
