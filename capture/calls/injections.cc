#include "capture/calls/injections.hh"

#include <array>

#include "capture/event/call_names.hh"

namespace tcplab::capture {

namespace {

bool is_on(const InjectionRule& rule, const Call& call) {
  return !rule.remote || (call.local == rule.local && call.remote == rule.remote);
}

/// What is cheap to know comes first.
bool matches(const InjectionRule& rule, const Call& call, const CallFacts& facts) {
  return is_of_family(call.call, rule.call) && is_on(rule, call) &&
         (rule.bytes == 0 || facts.bytes_asked() > rule.bytes) &&
         (rule.after_bytes == 0 || facts.bytes_before() >= rule.after_bytes) &&
         (!rule.state || facts.state() == rule.state);
}

}  // namespace

void Injections::add(InjectionId id, TracedProgram program, InjectionRule rule) {
  rules_.insert_or_assign(id, Counted{.program = program, .rule = std::move(rule)});
}

void Injections::forget(TracedProgram program) {
  std::erase_if(rules_, [&](const auto& entry) {
    const auto& [id, counted] = entry;
    if (counted.program != program) return false;
    if (counted.changed == 0) ended_idle_[id] = counted.matched;
    return true;
  });
}

std::optional<std::uint64_t> Injections::idle_matches(InjectionId id) const {
  if (const auto ended = ended_idle_.find(id); ended != ended_idle_.end()) return ended->second;
  const auto found = rules_.find(id);
  if (found == rules_.end() || found->second.changed != 0) return std::nullopt;
  return found->second.matched;
}

std::optional<CallChange> Injections::at_entry(TracedProgram program, const Call& call,
                                               const CallFacts& facts) {
  std::optional<CallChange> change;
  for (auto& [id, counted] : rules_) {
    const InjectionRule& rule = counted.rule;
    const bool is_done = counted.changed == rule.times;
    if (counted.program != program || is_done || !matches(rule, call, facts)) continue;
    if (++counted.matched < rule.nth || change) continue;
    ++counted.changed;
    change = CallChange{.error = rule.error, .bytes = rule.bytes, .delay = rule.delay};
  }
  return change;
}

bool is_injectable(std::string_view call) {
  constexpr std::array<std::string_view, 4> kFamilies = {"recv", "send", "poll", "accept"};
  constexpr std::array<std::string_view, 4> kOthers = {"socket", "bind", "getsockopt",
                                                       "setsockopt"};
  return is_one_of(call, kFamilies) || is_one_of(call, kOthers) || is_about_connection(call) ||
         waits_for_readiness(call) || is_one_of(call, kAcceptingCalls) || call == "listen";
}

bool is_about_connection(std::string_view call) {
  return call == "connect" || call == "shutdown" || call == "getsockopt" || call == "setsockopt" ||
         receives_data(call) || sends_data(call);
}

}  // namespace tcplab::capture
