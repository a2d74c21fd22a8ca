#include "lab/watch/agent_watcher.hh"

#include <cerrno>
#include <utility>

namespace tcplab::lab {

using capture::to_text;

/// The agent puts the pid into the requests, and performs them before the program calls exec.
std::unique_ptr<netns::SpawnHook> AgentWatcher::watch(netns::SpawnRequest& request, int calls,
                                                      WatchPlan plan,
                                                      std::vector<capture::InjectionId>& rules) {
  netns::Tracing& tracing = request.tracing.emplace();
  tracing.calls = calls;
  tracing.requests.push_back(to_text(capture::ImposeOptions{imposed_}));
  tracing.requests.push_back(to_text(capture::TraceProgram{0, std::move(plan.stacks)}));
  for (const capture::InjectionRule& rule : plan.rules) {
    rules.push_back(next_injection());
    rules_.insert(rules.back());
    tracing.requests.push_back(to_text(capture::AddInjection{0, rules.back(), rule}));
  }
  return nullptr;
}

void AgentWatcher::impose(std::vector<capture::ImposedOption> options) {
  imposed_ = options;
  CallWatcher::impose(std::move(options));
}

std::optional<std::uint64_t> AgentWatcher::idle_matches(capture::InjectionId id) {
  const auto former = former_.find(id);
  return former == former_.end() ? CallWatcher::idle_matches(id) : former->second;
}

void AgentWatcher::power_goes() {
  for (const capture::InjectionId id : std::exchange(rules_, {})) {
    const auto matches = CallWatcher::idle_matches(id);
    former_[id] = matches;
  }
}

int AgentWatcher::ask(const capture::WatchRequest& request) {
  const std::optional<int> answer = ask_(to_text(request));
  if (const auto* added = std::get_if<capture::AddInjection>(&request); added && answer == 0)
    rules_.insert(added->id);
  if (std::holds_alternative<capture::AskInjection>(request)) return answer.value_or(0);
  return answer.value_or(ESRCH);
}

}  // namespace tcplab::lab
