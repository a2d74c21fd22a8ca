#include "reports/explain/waiting.hh"

#include <fmt/format.h>

#include "reports/explain/diagnosis_rules.hh"

namespace tcplab::reports {

using capture::Conversation;
using capture::ConversationFacts;
using capture::LastData;

namespace {

constexpr std::int64_t kLong = 5'000'000'000;  // nanoseconds

bool may_wait(const Conversation& talk) {
  return talk.was_established() && talk.reset() == capture::ResetKind::none &&
         !talk.only_direction();
}

}  // namespace

std::optional<Waiting> waiting_of(const Conversation& talk, const ConversationFacts& facts,
                                  const Roles& roles) {
  if (!may_wait(talk)) return std::nullopt;
  const std::int64_t end_at = facts.around.ends_at;
  for (const std::size_t end : {0, 1}) {
    const capture::Attempt& attempt = facts.end(end).attempt;
    const bool is_alone = attempt.length > 0 && attempt.retransmits == 0;
    if (is_alone && !facts.end(1 - end).window_is_closed && end_at - attempt.first_at >= kLong)
      return Waiting{Waiting::Kind::no_acknowledgment, end, end_at - attempt.first_at};
  }
  if (!roles.are_known() || talk.end(0).sent_fin || talk.end(1).sent_fin) return std::nullopt;
  const std::size_t client = roles.first();
  if (!facts.replied_last()) {
    if (!talk.is_whole() || end_at - talk.began_at() < kLong) return std::nullopt;
    return Waiting{Waiting::Kind::no_data, client, end_at - talk.began_at()};
  }
  const LastData& sent = facts.end(client).last_data;
  if (facts.replied_last() != client || sent.acknowledged_at == 0) return std::nullopt;
  if (end_at - sent.at < kLong) return std::nullopt;
  return Waiting{Waiting::Kind::no_reply, client, end_at - sent.at};
}

std::string waiting_words(const Conversation& talk, const ConversationFacts& facts,
                          const Roles& roles) {
  const auto waiting = waiting_of(talk, facts, roles);
  if (!waiting) return "";
  const LastData& sent = facts.end(waiting->end).last_data;
  const std::string& who = roles.name(waiting->end);
  const std::string& other = roles.name(1 - waiting->end);
  switch (waiting->kind) {
    case Waiting::Kind::no_reply:
      return fmt::format(
          "{}'s last {} were acknowledged after {}; {} has sent no data in the {} until the "
          "capture ends.",
          capitalized(who), counted(sent.octets, "octet"), duration(sent.acknowledged_at - sent.at),
          other, duration(waiting->lasted));
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
