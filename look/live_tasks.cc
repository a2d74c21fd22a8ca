#include "look/live_tasks.hh"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <utility>

namespace tcplab::look {

namespace {

using capture::RuntimeTask;

/// Returns what CLOCK_MONOTONIC says in the process. Empty if it has a clock of its own
/// (time_namespaces(7)).
std::optional<base::nanoseconds> clock_of(int process) {
  namespace fs = std::filesystem;
  std::error_code error;
  const auto ours = fs::read_symlink("/proc/self/ns/time", error);
  const auto theirs = fs::read_symlink("/proc/" + std::to_string(process) + "/ns/time", error);
  if (ours != theirs) return std::nullopt;
  return std::chrono::steady_clock::now().time_since_epoch();
}

/// A runtime waits for a client and for a handshake as it waits for data and for room.
void take_wait(const RuntimeTask& task, const LookedConnection& connection, LookedTask& looked) {
  looked.call = task.call;
  const bool writes = task.call == "write";
  looked.awaited = writes ? audit::Awaited::room : audit::Awaited::data;
  if (writes && connection.facts.state == capture::TcpState::syn_sent) {
    looked.call = "connect";
    looked.awaited = audit::Awaited::handshake;
  }
  if (!writes && connection.facts.state == capture::TcpState::listen) {
    looked.call = "accept";
    looked.awaited = audit::Awaited::client;
  }
}

LookedTask looked_task(const RuntimeTask& task, const LookedConnection& connection,
                       std::optional<base::nanoseconds> now) {
  LookedTask looked{.name = task.name,
                    .state = task.state,
                    .descriptor = task.descriptor,
                    .has_deadline = task.deadline.has_value(),
                    .deadline_setter = task.deadline ? task.deadline_setter : ""};
  take_wait(task, connection, looked);
  const auto from_now = [now](base::nanoseconds due) {
    return std::max(due - *now, base::nanoseconds::zero());
  };
  if (now && task.deadline) looked.deadline = from_now(*task.deadline);
  if (task.other_timer)
    looked.other_timer = now ? from_now(*task.other_timer) : base::nanoseconds::zero();
  for (const capture::RuntimeFrame& frame : task.frames)
    looked.frames.push_back(capture::to_text(frame));
  looked.requester.name = task.requester;
  for (const capture::RuntimeFrame& frame : task.requester_frames)
    looked.requester.frames.push_back(capture::to_text(frame));
  return looked;
}

void take_owners(LiveFrames& frames, LookedProcess& process, std::optional<base::nanoseconds> now) {
  for (const RuntimeTask& task : frames.owners())
    for (LookedConnection& connection : process.connections) {
      if (std::ranges::find(connection.descriptors, task.descriptor) ==
          connection.descriptors.end())
        continue;
      if (task.is_object)
        connection.owner = task.name;
      else
        process.tasks.push_back(looked_task(task, connection, now));
    }
}

}  // namespace

void take_tasks(LiveFrames& frames, LookedProcess& process) {
  if (process.connections.empty()) return;
  const auto tasks = frames.tasks();
  process.task_word = frames.task_word();
  const auto now = clock_of(process.id);
  if (!tasks) return take_owners(frames, process, now);
  for (const RuntimeTask& task : *tasks)
    if (const LookedConnection* connection = process.connection(task.descriptor))
      process.tasks.push_back(looked_task(task, *connection, now));
  process.are_tasks_known =
      std::ranges::none_of(*tasks, [](const RuntimeTask& task) { return task.descriptor < 0; });
}

}  // namespace tcplab::look
