// The types of the rule tables (diagnosis_*.cc).
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "capture/follow/conversation.hh"
#include "capture/follow/conversation_facts.hh"
#include "reports/explain/roles.hh"
#include "reports/text/text.hh"

namespace tcplab::reports {

/// A connection from one end's point of view. Each rule is tried for both ends.
struct Evidence {
  const capture::Conversation& talk;
  const capture::ConversationFacts& facts;
  std::size_t end;

  const capture::ConversationEnd& self() const { return talk.end(end); }
  const capture::ConversationEnd& other() const { return talk.end(1 - end); }
  const capture::EndState& self_state() const { return talk.states().end(end); }
  const capture::EndState& other_state() const { return talk.states().end(1 - end); }
  const capture::EndFacts& own() const { return facts.end(end); }
  const capture::EndFacts& others() const { return facts.end(1 - end); }
  /// Returns true if this end reset the connection in that way.
  bool resets(capture::ResetKind kind) const {
    return talk.reset().kind == kind && talk.reset().by == end;
  }
  /// Returns false if the capture has no data at all: it may have been filtered to SYN, FIN and
  /// RST.
  bool has_data() const { return own().largest_seen > 0 || others().largest_seen > 0; }
  /// Returns true if this end reset the connection after it was established.
  bool ends_by_reset() const {
    return talk.states().was_established() && is_reset() && talk.reset().by == end;
  }
  /// Returns true if this end's reset answers a segment.
  bool answers() const {
    return facts.ending().reset_trigger.kind != capture::ResetTrigger::Kind::nothing;
  }
  /// Returns true if this end reset the connection, and the RST answers such a segment.
  bool answers(capture::ResetTrigger::Kind kind) const {
    return ends_by_reset() && facts.ending().reset_trigger.kind == kind;
  }
  /// Returns how many segments filled a gap, and may be retransmissions.
  std::uint64_t fillers() const { return self().out_of_order - own().overtaken; }
  bool is_reset() const { return talk.reset().kind != capture::ResetKind::none; }
  /// Returns "the client", "the server".
  std::string name() const { return Roles(talk).name(end); }
  std::string other_name() const { return Roles(talk).name(1 - end); }
};

/// The frames that a rule rests on. A capture may lack an end, or be filtered to SYN, FIN and
/// RST. Then a rule that says what an end did not send says too much.
enum class Basis : std::uint8_t {
  everything,     // what both ends sent
  silence,        // the same; or one end, if the other may have sent nothing all the time
  flags,          // the SYNs, FINs and RSTs of both ends
  one_direction,  // what one of the ends sent
};

struct DiagnosisRule {
  bool (*holds)(const Evidence&);
  const char* scenario;  // empty if none shows it
  std::string (*because)(const Evidence&);
  /// Another scenario that leaves the same frames; null if none.
  const char* also = nullptr;
  const char* also_because = nullptr;
  /// Further causes that leave the same frames, and have no scenario; null if none.
  const char* others = nullptr;
  Basis basis = Basis::everything;
};

/// Returns the rule for captures that have at least this.
constexpr DiagnosisRule with(Basis basis, DiagnosisRule rule) {
  rule.basis = basis;
  return rule;
}

/// Frames that no kernel at either end sends: forged, damaged, or of an earlier connection. They
/// explain all the rest.
std::span<const DiagnosisRule> strange_rules();
/// RSTs that answer no segment, or that a kernel other than Linux sends.
std::span<const DiagnosisRule> unasked_rules();
std::span<const DiagnosisRule> reset_rules();
/// RSTs of an end that had the connection.
std::span<const DiagnosisRule> abort_rules();
std::span<const DiagnosisRule> ending_rules();
/// Sizes that do not pass, and ICMP errors.
std::span<const DiagnosisRule> path_rules();
std::span<const DiagnosisRule> window_rules();
/// Segments that nobody acknowledges.
std::span<const DiagnosisRule> silence_rules();
/// Losses that do not end the connection. A window may have closed, too.
std::span<const DiagnosisRule> lossy_rules();
/// The same, copies, and other order.
std::span<const DiagnosisRule> loss_rules();
std::span<const DiagnosisRule> opening_rules();
/// SYNs without an answer.
std::span<const DiagnosisRule> unheard_rules();
/// Requests that have no reply.
std::span<const DiagnosisRule> waiting_rules();
/// Further explanations of a failure that came after an idle time.
std::span<const DiagnosisRule> idle_rules();
/// For a connection that no other rule applies to.
std::span<const DiagnosisRule> ordinary_rules();

/// Other causes of silence.
inline constexpr const char* kGone =
    "a cut cable, a switch or a route that is gone, a firewall that drops silently, an entry of a "
    "NAT or firewall that expired while the connection was idle, a frozen host or virtual machine";

/// Returns "once", "twice", "3 times".
std::string times(std::uint64_t count);
/// Returns "340 B", "1.2 kB", "3.4 MB".
std::string size_text(std::uint64_t octets);
/// Returns the octets of data that an end sent, by the acknowledgments of the other one. 0 if the
/// capture has both directions.
std::uint64_t unseen_octets(const capture::Conversation& talk, std::size_t end);
/// Returns true if the capture has no frame of an end, and the other one acknowledged something: so
/// that end spoke, in this capture's time or before.
bool lacks_an_end(const capture::Conversation& talk);
/// Returns true if the end may have received data that the capture does not have.
bool may_have_unseen_data(const capture::Conversation& talk,
                          const capture::ConversationFacts& facts, std::size_t end);
/// Returns true if the end's RST has another hop limit than all its other segments, which have one.
bool has_foreign_hop_limit(const capture::EndFacts& own);
/// Returns true if the end's RST acknowledges data that cannot have reached it so soon: no
/// answer before took less than twice as long.
bool is_too_soon_for_path(const capture::EndFacts& own);
/// Returns "0.031 ms", "210 ms", "1.2 s".
std::string duration(std::int64_t nanoseconds);
/// Returns true if the end broke an idle time, and had no answer since but a RST.
bool breaks_idle(const Evidence& seen);
/// Returns how long that idle time was, and which idle timeouts are shorter.
std::string idle_text(const Evidence& seen);
/// As many connections of one listener that were never completed are a flood.
inline constexpr std::uint64_t kFlood = 4;
/// No host is power cycled in less time. In nanoseconds.
inline constexpr std::int64_t kReboot = 200'000'000;

}  // namespace tcplab::reports
