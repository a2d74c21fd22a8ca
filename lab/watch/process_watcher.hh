// Watches the programs of a namespace host in a separate process, because the run must not wait for
// programs, and a tracer must never wait for the run. The process is outside the host's pid
// namespace, so it outlives the host's power. The programs remain children of the run.
#pragma once

#include <functional>
#include <span>

#include "base/file_descriptor.hh"
#include "lab/watch/call_watcher.hh"
#include "netns/clone.hh"

namespace tcplab::lab {

class ProcessWatcher : public CallWatcher {
public:
  /// Starts the process. Throws base::SystemError.
  ProcessWatcher();

  std::unique_ptr<netns::SpawnHook> watch(netns::SpawnRequest& request, int calls, WatchPlan plan,
                                          std::vector<capture::InjectionId>& rules) override;

private:
  friend class WatchedStart;

  int ask(const capture::WatchRequest& request) override { return ask(request, {}, {}); }
  int ask(const capture::WatchRequest& request, std::span<const int> descriptors,
          const std::function<void()>& meanwhile);
  void seize(pid_t pid, int calls, const WatchPlan& plan, const std::function<void()>& meanwhile);

  base::FileDescriptor channel_;  // at its end, the watcher ends
  netns::Child process_;
};

}  // namespace tcplab::lab
