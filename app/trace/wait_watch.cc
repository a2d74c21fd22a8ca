#include "app/trace/wait_watch.hh"

#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <utility>

#include "capture/event/call_names.hh"
#include "capture/event/call_thread.hh"
#include "capture/proc/thread_in_call.hh"

namespace tcplab::app {

using capture::Call;

namespace {

constexpr base::nanoseconds kRetry = std::chrono::milliseconds(2);

/// The name of a process: proc_pid_comm(5).
std::string name_of(pid_t process) {
  std::string name;
  std::getline(std::ifstream(fmt::format("/proc/{}/comm", process)), name);
  return name.empty() ? fmt::format("process {}", process) : name;
}

}  // namespace

std::optional<WatchedWait> WaitWatch::note(base::Instant at, const Call& call) {
  tracker_.note(call, at);
  const pid_t thread = capture::thread_of(call);
  auto open = take(thread);
  if (call.phase == capture::CallPhase::enter) {
    open_[thread] = {.call = call, .entered = at, .due = at + threshold_};
    unread_.emplace(at + threshold_, thread);
    return std::nullopt;
  }
  if (!open || open->call.id != call.id || at - open->entered < threshold_) return std::nullopt;
  if (!open->frames) read(*open, reader_.read(call.pid, thread));  // not known before
  return WatchedWait{.wait = {.call = call,
                              .entered = open->entered,
                              .until = at,
                              .process = open->process,
                              .connections = named_after(call, *open)},
                     .frames = open->frames};
}

void WaitWatch::forget(pid_t thread) { take(thread); }

std::optional<base::Instant> WaitWatch::read_due(base::Instant now) {
  while (!unread_.empty()) {
    const auto [due, thread] = *unread_.begin();
    if (due > now) return due;
    unread_.erase(unread_.begin());
    Open& open = open_.at(thread);
    if (!open.is_prepared) open.awaited = awaited_by(open.call);
    auto stack = reader_.copy_waiting(open.call.pid, thread);
    // Without a stack, the thread has been woken, and has no processor yet: it waits again, or it
    // returns, and note() reads its stack.
    if (!stack || prepares(open, *stack)) {
      open.due = now + kRetry;
      unread_.emplace(open.due, thread);
      continue;
    }
    reader_.add_language(*stack, thread);
    read(open, std::move(stack));
  }
  return std::nullopt;
}

/// Whether the runtime of the process is being looked for, in the naming thread. The tracer must
/// not be busy meanwhile: it would see the call's return too late.
bool WaitWatch::prepares(Open& open, const capture::ProgramStack& stack) {
  if (!open.is_prepared) {
    if (reader_.is_prepared(stack)) return false;
    open.is_prepared = std::make_shared<std::atomic<bool>>(false);
    naming_.add(std::nullopt, [prepare = reader_.preparation(stack),
                               done = open.is_prepared](const auto& /*none*/) {
      prepare();
      *done = true;
    });
  }
  return !*open.is_prepared;
}

/// The files of the process are there now: its frames are named meanwhile.
void WaitWatch::read(Open& open, std::optional<capture::ProgramStack> stack) {
  open.process = name_of(open.call.pid);
  open.frames = std::make_shared<std::vector<std::string>>();
  if (!stack) return;
  naming_.add(std::move(stack),
              [into = open.frames](std::vector<std::string> frames) { *into = std::move(frames); });
}

std::optional<WaitWatch::Open> WaitWatch::take(pid_t thread) {
  const auto found = open_.find(thread);
  if (found == open_.end()) return std::nullopt;
  Open open = std::move(found->second);
  open_.erase(found);
  unread_.erase({open.due, thread});
  return open;
}

std::optional<WatchedWait> WaitWatch::take_unfinished(base::Instant at, pid_t thread) {
  auto open = take(thread);
  if (!open || at - open->entered < threshold_) return std::nullopt;
  if (!open->frames) read(*open, std::nullopt);  // the thread is gone
  return WatchedWait{.wait = {.call = open->call,
                              .entered = open->entered,
                              .until = at,
                              .process = open->process,
                              .connections = open->awaited},
                     .frames = open->frames};
}

std::vector<WatchedWait> WaitWatch::take_all_unfinished(base::Instant at) {
  std::vector<WatchedWait> all;
  while (!open_.empty())
    if (auto wait = take_unfinished(at, open_.begin()->first)) all.push_back(std::move(*wait));
  return all;
}

/// The connections of these descriptors; none if they are more than a line should name.
std::vector<capture::FlowKey> WaitWatch::connections_of(const Call& call,
                                                        const std::vector<int>& descriptors) const {
  constexpr std::size_t kMost = 3;
  std::vector<capture::FlowKey> connections;
  for (const int descriptor : descriptors) {
    Call about = call;
    about.fd = descriptor;
    const auto socket = tracker_.socket_of(about);
    const auto ends = socket ? socket->ends() : std::nullopt;
    if (ends && std::ranges::find(connections, *ends) == connections.end())  // not after dup(2)
      connections.push_back(*ends);
  }
  if (connections.size() > kMost) connections.clear();
  return connections;
}

/// What poll(2), select(2) or epoll_wait(2) waits for now.
std::vector<capture::FlowKey> WaitWatch::awaited_by(const Call& call) const {
  if (!capture::waits_for_readiness(call.call)) return {};
  const pid_t thread = capture::thread_of(call);
  std::string text;
  std::getline(std::ifstream(fmt::format("/proc/{}/task/{}/syscall", call.pid, thread)), text);
  const auto stop =
      capture::call_under_way(call.pid, thread, capture::architecture_of(call.pid), text);
  if (!stop) return {};
  std::vector<int> descriptors;
  for (const auto& [descriptor, events] : capture::descriptors_of_wait(*stop))
    descriptors.push_back(descriptor);
  return connections_of(call, descriptors);
}

/// Of one ready socket, the call itself has the connection.
std::vector<capture::FlowKey> WaitWatch::named_after(const Call& call, const Open& open) const {
  if (call.ready.size() < 2)
    return call.result > 0 ? std::vector<capture::FlowKey>{} : open.awaited;
  std::vector<int> descriptors;
  for (const capture::ReadyDescriptor& ready : call.ready) descriptors.push_back(ready.fd);
  return connections_of(call, descriptors);
}

}  // namespace tcplab::app
