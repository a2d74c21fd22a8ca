// Records the system calls of the programs on one host. A process of its own does so: the run must
// not wait for programs, and a tracer must never wait for the run. It is outside the host's pid
// namespace, so it outlives the host's power; the programs remain children of the run.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/file_descriptor.hh"
#include "capture/calls/traced_child.hh"
#include "netns/clone.hh"
#include "netns/host_config.hh"
#include "scenarios/engine/watch/watch_request.hh"

namespace tcplab::engine {

/// What is wanted of a program besides the record of its calls.
struct WatchPlan {
  std::vector<std::string> stacks{};            // which failing calls have it (FailingCalls)
  std::vector<capture::InjectionRule> rules{};  // in force from its first call on
};

class CallWatcher {
public:
  /// Starts the watcher. Throws base::SystemError.
  CallWatcher();
  CallWatcher(const CallWatcher&) = delete;
  CallWatcher& operator=(const CallWatcher&) = delete;

  /// The watcher for programs from their exec on: give it to netns::Host::spawn(). The calls are
  /// written to `calls` as `call` and `program` events (docs/events.md), one line each.
  /// `rules` get the numbers of the plan's rules, before the program calls exec.
  std::unique_ptr<netns::SpawnHook> watch(base::FileDescriptor calls, WatchPlan plan,
                                          std::vector<capture::InjectionId>& rules);

  /// Changes calls of that program and of all that it has started, from their next entry on. The
  /// rule is in force when this returns. Returns 0 if the program has ended.
  capture::InjectionId inject(pid_t pid, const capture::InjectionRule& rule);
  /// Does nothing if the program has ended.
  void remove_injection(capture::InjectionId id);
  /// Sets these options on each TCP socket that a program of the host makes or accepts from now on,
  /// and again when the program sets one of them.
  void impose(std::vector<capture::ImposedOption> options);
  /// Returns how many calls the rule has matched without changing one; nothing if it has changed
  /// one, or was removed.
  std::optional<std::uint64_t> idle_matches(capture::InjectionId id);

private:
  friend class WatchedStart;

  int ask(const WatchRequest& request, std::span<const int> descriptors = {});
  void seize(pid_t pid, int calls, const std::vector<std::string>& stacks);

  base::FileDescriptor channel_;  // at its end, the watcher ends
  netns::Child process_;
  capture::InjectionId last_injection_ = 0;
};

}  // namespace tcplab::engine
