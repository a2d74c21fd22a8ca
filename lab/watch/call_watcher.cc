#include "lab/watch/call_watcher.hh"

#include <cerrno>
#include <utility>

namespace tcplab::lab {

capture::InjectionId CallWatcher::inject(pid_t pid, const capture::InjectionRule& rule) {
  const capture::InjectionId id = next_injection();
  return ask(capture::AddInjection{pid, id, rule}) == 0 ? id : 0;
}

void CallWatcher::remove_injection(capture::InjectionId id) { ask(capture::RemoveInjection{id}); }

void CallWatcher::impose(std::vector<capture::ImposedOption> options) {
  ask(capture::ImposeOptions{std::move(options)});
}

std::optional<std::uint64_t> CallWatcher::idle_matches(capture::InjectionId id) {
  const int answer = ask(capture::AskInjection{id});
  if (answer == 0) return std::nullopt;
  return static_cast<std::uint64_t>(answer) - 1;
}

bool CallWatcher::tell_calls(pid_t pid) { return ask(capture::TellCalls{pid}) != EAGAIN; }

}  // namespace tcplab::lab
