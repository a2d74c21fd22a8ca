#include "reports/explain/diagnosis.hh"

#include <fmt/format.h>
#include <initializer_list>

#include "reports/explain/diagnosis_rules.hh"

namespace tcplab::reports {

namespace {

using Diagnoses = std::vector<Diagnosis>;

using Tables = std::initializer_list<std::span<const DiagnosisRule>>;

bool is_named(const Diagnoses& found, const std::string& scenario) {
  if (scenario.empty()) return false;
  for (const Diagnosis& diagnosis : found)
    if (diagnosis.scenario == scenario) return true;
  return false;
}

/// Returns true if the capture has the basis of a rule, as far as the frames tell.
bool suffices(const Evidence& seen, Basis basis) {
  if (basis == Basis::one_direction) return true;
  if (lacks_an_end(seen.talk))
    return basis == Basis::silence && !seen.talk.states().only_direction();
  return basis == Basis::flags || !seen.facts.around.lacks_plain_segments;
}

/// Returns what the capture may lack of this basis; null if nothing.
const char* doubt_of(const Evidence& seen, Basis basis) {
  if (basis == Basis::one_direction || basis == Basis::flags) return nullptr;
  if (lacks_an_end(seen.talk)) return "a capture that has only this direction";
  return seen.facts.around.has_no_plain_segment
             ? "a capture that has only SYN, FIN and RST, and lacks the segments between"
             : nullptr;
}

std::string others_of(const DiagnosisRule& rule, const Evidence& seen) {
  std::string others = rule.others == nullptr ? "" : rule.others;
  const char* doubt = doubt_of(seen, rule.basis);
  if (doubt == nullptr) return others;
  return others.empty() ? doubt : fmt::format("{}; {}", others, doubt);
}

void add(Diagnoses& found, const DiagnosisRule& rule, const Evidence& evidence) {
  if (!is_named(found, rule.scenario))
    found.push_back({rule.scenario, rule.because(evidence), false, others_of(rule, evidence)});
  if (rule.also != nullptr && !is_named(found, rule.also))
    found.push_back({rule.also, rule.also_because, true, ""});
}

/// Adds the diagnosis of the first rule in these tables that holds for either end. Returns false if
/// there is none.
bool match(Tables tables, const capture::Conversation& talk,
           const capture::ConversationFacts& facts, Diagnoses& found) {
  for (const auto rules : tables) {
    for (const DiagnosisRule& rule : rules) {
      for (const std::size_t end : {0, 1}) {
        const Evidence evidence{talk, facts, end};
        if (!suffices(evidence, rule.basis) || !rule.holds(evidence)) continue;
        add(found, rule, evidence);
        return true;
      }
    }
  }
  return false;
}

/// What happened to data.
void match_transfer(const capture::Conversation& talk, const capture::ConversationFacts& facts,
                    Diagnoses& found) {
  if (match({path_rules()}, talk, facts, found)) return;
  const bool has_closed_window = match({window_rules()}, talk, facts, found);
  if (has_closed_window)
    match({lossy_rules()}, talk, facts, found);
  else
    match({silence_rules(), loss_rules()}, talk, facts, found);
}

/// Adds what an idle time before the failure suggests, as another explanation of it.
void match_idle(const capture::Conversation& talk, const capture::ConversationFacts& facts,
                Diagnoses& found) {
  const std::size_t before = found.size();
  match({idle_rules()}, talk, facts, found);
  if (before > 0 && found.size() > before) found[before].is_second = true;
}

}  // namespace

std::string times(std::uint64_t count) {
  if (count == 1) return "once";
  return count == 2 ? "twice" : fmt::format("{} times", count);
}

bool lacks_an_end(const capture::Conversation& talk) {
  for (const std::size_t end : {0, 1})
    if (talk.end(1 - end).segments == 0 && talk.numbers(end).acknowledgment) return true;
  return false;
}

bool may_have_unseen_data(const capture::Conversation& talk,
                          const capture::ConversationFacts& facts, std::size_t end) {
  const bool has_begin = talk.states().is_whole() || talk.states().begins_with_syn_ack();
  return !has_begin || lacks_an_end(talk) || talk.missing(1 - end).below > 0 ||
         facts.around.has_no_plain_segment || facts.ending().reset_acknowledges_unseen;
}

bool has_foreign_hop_limit(const capture::EndFacts& own) {
  return own.hop_limit && own.reset_hop_limit && !own.has_several_hop_limits &&
         *own.hop_limit != *own.reset_hop_limit;
}

bool is_too_soon_for_path(const capture::EndFacts& own) {
  constexpr std::int64_t kMeasurable = 2'000'000;  // nanoseconds
  return own.round_trip >= kMeasurable && own.rare->reset_after_data > 0 &&
         own.rare->reset_after_data < own.round_trip / 2;
}

std::string duration(std::int64_t nanoseconds) {
  const double milliseconds = double(nanoseconds) / 1e6;
  if (milliseconds < 0.1) return fmt::format("{:.3f} ms", milliseconds);
  if (milliseconds < 10) return fmt::format("{:.1f} ms", milliseconds);
  if (milliseconds < 1000) return fmt::format("{:.0f} ms", milliseconds);
  return fmt::format("{:.1f} s", milliseconds / 1000);
}

std::string size_text(std::uint64_t octets) {
  if (octets < 1000) return fmt::format("{} B", octets);
  if (octets < 1'000'000) return fmt::format("{:.1f} kB", double(octets) / 1e3);
  if (octets < 1'000'000'000) return fmt::format("{:.1f} MB", double(octets) / 1e6);
  return fmt::format("{:.1f} GB", double(octets) / 1e9);
}

std::uint64_t unseen_octets(const capture::Conversation& talk, std::size_t end) {
  if (talk.states().only_direction() != 1 - end) return 0;
  const capture::SequenceVariables& numbers = talk.numbers(1 - end);
  if (!numbers.irs || !numbers.acknowledgment) return 0;
  const std::uint32_t first = *numbers.irs + 1;
  const std::uint32_t count = *numbers.acknowledgment - first;
  return *numbers.acknowledgment == *numbers.irs ? 0 : count;
}

std::vector<Diagnosis> diagnoses(const capture::Conversation& talk,
                                 const capture::ConversationFacts& facts) {
  Diagnoses found;
  match({strange_rules()}, talk, facts, found);
  if (!found.empty()) return found;
  match({unasked_rules(), reset_rules(), abort_rules(), ending_rules()}, talk, facts, found);
  match_transfer(talk, facts, found);
  match({opening_rules(), unheard_rules()}, talk, facts, found);
  match({waiting_rules()}, talk, facts, found);
  match_idle(talk, facts, found);
  if (found.empty()) match({ordinary_rules()}, talk, facts, found);
  return found;
}

}  // namespace tcplab::reports
