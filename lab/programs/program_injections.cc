#include "lab/programs/program_injections.hh"

#include "lab/watch/call_watcher.hh"

namespace tcplab::lab {

capture::InjectionId ProgramInjections::add(const GivenInjection& given) {
  const capture::InjectionId id = watcher_->inject(program_, given.rule);
  rules_.emplace(id, given);
  return id;
}

void ProgramInjections::remove(capture::InjectionId id) {
  watcher_->remove_injection(id);
  rules_.erase(id);
}

std::optional<IdleInjection> ProgramInjections::first_idle() const {
  for (const auto& [id, given] : rules_) {
    if (given.is_optional) continue;
    if (const auto matches = watcher_->idle_matches(id)) return IdleInjection{given, *matches};
  }
  return std::nullopt;
}

}  // namespace tcplab::lab
