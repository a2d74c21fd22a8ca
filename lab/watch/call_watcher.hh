// Records the system calls of the programs on one host, and changes them. Where its tracer runs
// depends on the host.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "capture/calls/watch_request.hh"
#include "netns/host_config.hh"

namespace tcplab::lab {

/// What is wanted of a program besides the record of its calls.
struct WatchPlan {
  std::vector<std::string> stacks{};            // which failing calls have it (FailingCalls)
  std::vector<std::string> abort_on{};          // at which calls a process is aborted
  std::string core{};                           // the path of its core file, without ".PID"
  std::vector<std::string> probes{};            // patterns of USDT probes (ProbeChoice)
  std::vector<capture::InjectionRule> rules{};  // in force from its first call on
};

class CallWatcher {
public:
  CallWatcher() = default;
  CallWatcher(const CallWatcher&) = delete;
  CallWatcher& operator=(const CallWatcher&) = delete;
  virtual ~CallWatcher() = default;

  /// Lets the program of `request` be watched from its exec on. Its calls are written to the pipe
  /// `calls` as `call` and `program` events (docs/events.md), one line each. The line before a
  /// call may be its stack (CallStacks); the line after one that aborts a process is its record
  /// (look/failure_json.hh). `rules` get the numbers of the plan's rules, before the
  /// program calls exec. What is returned, and `calls`, must live until it has started.
  virtual std::unique_ptr<netns::SpawnHook> watch(netns::SpawnRequest& request, int calls,
                                                  WatchPlan plan,
                                                  std::vector<capture::InjectionId>& rules) = 0;

  /// Changes calls of that program and of all that it has started, from their next entry on. The
  /// rule is in force when this returns. Returns 0 if the program has ended.
  capture::InjectionId inject(pid_t pid, const capture::InjectionRule& rule);
  /// Does nothing if the program has ended.
  void remove_injection(capture::InjectionId id);
  /// Sets these options on each TCP socket that a program of the host makes or accepts from now on,
  /// and again when the program sets one of them.
  virtual void impose(std::vector<capture::ImposedOption> options);
  /// Returns how many calls the rule has matched without changing one; nothing if it has changed
  /// one, or was removed.
  virtual std::optional<std::uint64_t> idle_matches(capture::InjectionId id);

  /// Writes all that the program has done until now to its pipe. Returns false if the pipe is full.
  bool tell_calls(pid_t pid);

  /// The host is about to lose its power.
  virtual void power_goes() {}

protected:
  /// Returns the tracer's answer.
  virtual int ask(const capture::WatchRequest& request) = 0;
  capture::InjectionId next_injection() { return ++last_injection_; }

private:
  capture::InjectionId last_injection_ = 0;
};

}  // namespace tcplab::lab
