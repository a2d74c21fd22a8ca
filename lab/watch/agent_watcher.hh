// Watches the programs of a kernel host through its agent, which traces them.
#pragma once

#include <functional>
#include <map>
#include <set>

#include "lab/watch/call_watcher.hh"

namespace tcplab::lab {

class AgentWatcher : public CallWatcher {
public:
  /// Returns the agent's answer to a request; nothing without power.
  using Ask = std::function<std::optional<int>(const std::string& request)>;

  explicit AgentWatcher(Ask ask) : ask_(std::move(ask)) {}

  std::unique_ptr<netns::SpawnHook> watch(netns::SpawnRequest& request, int calls, WatchPlan plan,
                                          std::vector<capture::InjectionId>& rules) override;
  void impose(std::vector<capture::ImposedOption> options) override;
  std::optional<std::uint64_t> idle_matches(capture::InjectionId id) override;
  void power_goes() override;

private:
  int ask(const capture::WatchRequest& request) override;

  Ask ask_;
  std::vector<capture::ImposedOption> imposed_;  // the next agent does not know them
  std::set<capture::InjectionId> rules_;         // that this agent may know
  // Of rules that former agents knew: idle_matches().
  std::map<capture::InjectionId, std::optional<std::uint64_t>> former_;
};

}  // namespace tcplab::lab
