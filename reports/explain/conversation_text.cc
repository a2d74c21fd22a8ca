#include "reports/explain/conversation_text.hh"

#include <array>
#include <fmt/format.h>

#include "reports/explain/diagnosis_rules.hh"

namespace tcplab::reports {

using capture::Conversation;
using capture::ConversationEnd;
using capture::ResetKind;
using capture::TcpState;

namespace {

std::string name_of(const Conversation& talk, std::size_t end) {
  return talk.end(end).address.to_string();
}

std::string beginning_of(const Conversation& talk) {
  const std::string one = name_of(talk, 0);
  const std::string other = name_of(talk, 1);
  if (!talk.is_whole())
    return fmt::format("The capture begins in the middle of this connection of {} and {}.", one,
                       other);
  if (talk.was_established() && talk.end(1).sent_syn)
    return fmt::format("{} connected to {}.", one, other);
  if (talk.reset() == ResetKind::refused)
    return fmt::format("{} asked {} for a connection and was refused.", one, other);
  return fmt::format("{} asked {} for a connection, which was never established.", one, other);
}

std::string amount_of(const ConversationEnd& end) {
  return fmt::format("{} sent {} in {}.", end.address.to_string(), counted(end.octets, "octet"),
                     counted(end.data_segments, "segment"));
}

void note_trouble(const ConversationEnd& end, std::vector<std::string>& sentences) {
  const std::string name = end.address.to_string();
  const auto say = [&](const char* verb, std::uint64_t count, const char* noun) {
    if (count > 0) sentences.push_back(fmt::format("{} {} {}.", name, verb, counted(count, noun)));
  };
  say("retransmitted", end.retransmissions, "segment");
  say("filled a gap with", end.out_of_order, "segment");
  say("sent", end.duplicate_acks, "duplicate ACK");
  say("announced a window of zero in", end.zero_windows, "segment");
  say("sent", end.keepalive_probes, "keepalive probe");
  say("sent", end.window_probes, "window probe");
  if (end.unanswered > 0)
    sentences.push_back(end.unanswered == 1 ? "Its last attempt was not answered."
                                            : fmt::format("Its last {} attempts were not answered.",
                                                          end.unanswered));
}

struct ResetWords {
  ResetKind kind;
  const char* what;
};

constexpr std::array kResets = {
    ResetWords{ResetKind::refused, "nobody listens on that port, or a firewall says so"},
    ResetWords{ResetKind::no_connection,
               "its kernel (or a device on the path in its name) has no such connection: it was "
               "power cycled, or has forgotten it (RFC 9293 section 3.10.7.1)"},
    ResetWords{ResetKind::abort,
               "it ended a live connection: it closed with unread data (RFC 2525 section 2.17) or "
               "with SO_LINGER and zero seconds, or its program was killed with unread data"},
    ResetWords{ResetKind::gave_up, "it had no answer, and gave up"},
    ResetWords{ResetKind::after_close,
               "it had sent its FIN, and its program has closed the socket"},
};

std::string reset_of(const Conversation& talk) {
  for (const ResetWords& words : kResets)
    if (words.kind == talk.reset())
      return fmt::format("{} reset it: {}{}.", name_of(talk, talk.reset_by()), words.what,
                         talk.reset() == ResetKind::after_close && talk.reset_after_data()
                             ? ": no program can read the data that arrived"
                             : "");
  return "";
}

/// Says the states when the capture ends. Claims nothing about an end that was not seen, and only
/// the last state of an end that stopped answering.
std::string standing_of(const Conversation& talk) {
  const auto state = [&](std::size_t end, const char* how) {
    return fmt::format("{} {} in {}", name_of(talk, end), how, name(talk.end(end).state));
  };
  for (const std::size_t end : {0, 1}) {
    const std::string other = state(1 - end, "must be");
    if (talk.end(end).segments == 0)
      return fmt::format("When the capture ends {}; nothing was seen of {}.", other,
                         name_of(talk, end));
    if (talk.end(1 - end).unanswered > 0)
      return fmt::format("When the capture ends {}; {}.", other, state(end, "was last seen"));
  }
  return fmt::format("When the capture ends {} and {}.", state(0, "must be"), state(1, "must be"));
}

bool is_half_open(const Conversation& talk) {
  return talk.was_established() && talk.reset() == ResetKind::none &&
         (talk.end(0).unanswered > 1 || talk.end(1).unanswered > 1);
}

}  // namespace

std::string title_of(const Conversation& talk) {
  return name_of(talk, 0) + (talk.is_whole() ? " to " : " and ") + name_of(talk, 1);
}

std::string ending_of(const Conversation& talk) {
  if (talk.reset() == ResetKind::refused) return "refused";
  if (talk.reset() != ResetKind::none) return "reset by " + name_of(talk, talk.reset_by());
  if (is_half_open(talk)) return "half-open: one end is silent";
  if (talk.is_over()) return "closed";
  if (!talk.was_established()) return "never established";
  const bool half_closed = talk.end(0).sent_fin != talk.end(1).sent_fin;
  return half_closed ? "half-closed" : talk.end(0).sent_fin ? "closing" : "open";
}

std::vector<std::string> sentences_of(const Conversation& talk) {
  std::vector<std::string> sentences = {beginning_of(talk)};
  for (const std::size_t end : {0, 1}) {
    if (talk.end(end).octets > 0) sentences.push_back(amount_of(talk.end(end)));
    note_trouble(talk.end(end), sentences);
  }
  if (const auto first = talk.closed_first())
    sentences.push_back(name_of(talk, *first) + " closed first.");
  if (is_half_open(talk))
    sentences.emplace_back("It may be half-open: one end still sends, the other does not answer.");
  sentences.push_back(talk.reset() == ResetKind::none ? standing_of(talk) : reset_of(talk));
  return sentences;
}

}  // namespace tcplab::reports
