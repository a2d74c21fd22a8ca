// How the tables of diagnosis.cc are written.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "capture/follow/conversation.hh"
#include "capture/follow/conversation_facts.hh"

namespace tcplab::reports {

/// A connection as one of its ends sees it: each rule is asked for both.
struct Evidence {
  const capture::Conversation& talk;
  const capture::ConversationFacts& facts;
  std::size_t end;

  const capture::ConversationEnd& self() const { return talk.end(end); }
  const capture::ConversationEnd& other() const { return talk.end(1 - end); }
  const capture::EndFacts& own() const { return facts.end(end); }
  const capture::EndFacts& others() const { return facts.end(1 - end); }
  /// The end reset the connection, in that way.
  bool resets(capture::ResetKind kind) const {
    return talk.reset() == kind && talk.reset_by() == end;
  }
  bool is_reset() const { return talk.reset() != capture::ResetKind::none; }
  std::string name() const { return self().address.to_string(); }
  std::string other_name() const { return other().address.to_string(); }
};

struct DiagnosisRule {
  bool (*holds)(const Evidence&);
  const char* scenario;
  std::string (*because)(const Evidence&);
  /// Another scenario that leaves the same frames; null: none.
  const char* also = nullptr;
  const char* also_because = nullptr;
};

/// What no kernel at either end sends: forged, damaged, of another life. Explains all the rest.
std::span<const DiagnosisRule> strange_rules();
std::span<const DiagnosisRule> ending_rules();
/// Loss, silence, windows, ICMP errors.
std::span<const DiagnosisRule> transfer_rules();
std::span<const DiagnosisRule> opening_rules();
/// Where nothing else is to be said.
std::span<const DiagnosisRule> ordinary_rules();

/// "once", "twice", "3 times".
std::string times(std::uint64_t count);
/// "1 octet", "2 octets".
std::string counted(std::uint64_t count, std::string_view noun);
/// "210 ms", "1.2 s".
std::string duration(std::int64_t nanoseconds);

}  // namespace tcplab::reports
