#include "look/looked_process.hh"

#include <algorithm>

namespace tcplab::look {

namespace {

LookedWait wait_on(const LookedProcess& process, const LookedThread* thread,
                   const LookedConnection& connection, audit::Awaited awaited) {
  LookedWait wait{
      .thread = thread,
      .connection = &connection,
      .end = audit::end_of_wait(connection.facts, connection.settings, process.kernel, awaited)};
  const bool has_own_timeout = thread != nullptr && thread->own_timeout.has_value();
  wait.may_last_for_ever = thread != nullptr && wait.end.may_last_for_ever && !has_own_timeout;
  return wait;
}

LookedWait wait_on(const LookedProcess& process, const LookedTask& task,
                   const LookedConnection& connection) {
  LookedWait wait = wait_on(process, nullptr, connection, task.awaited);
  wait.task = &task;
  wait.may_last_for_ever = wait.end.may_last_for_ever && !task.has_deadline && !task.other_timer;
  return wait;
}

}  // namespace

const LookedConnection* LookedProcess::connection(int descriptor) const {
  const auto found = std::ranges::find_if(connections, [descriptor](const LookedConnection& each) {
    return std::ranges::find(each.descriptors, descriptor) != each.descriptors.end();
  });
  return found == connections.end() ? nullptr : &*found;
}

std::vector<LookedWait> waits_of(const LookedProcess& process) {
  std::vector<LookedWait> waits;
  for (const LookedThread& thread : process.threads) {
    if (thread.does != ThreadDoes::waits) continue;
    for (std::size_t i = 0; i < thread.descriptors.size(); ++i)
      if (const LookedConnection* connection = process.connection(thread.descriptors[i]))
        waits.push_back(wait_on(process, &thread, *connection, thread.awaited.at(i)));
  }
  for (const LookedTask& task : process.tasks)
    if (const LookedConnection* connection = process.connection(task.descriptor))
      waits.push_back(wait_on(process, task, *connection));
  if (!waits.empty()) return waits;
  for (const LookedConnection& connection : process.connections)
    waits.push_back(wait_on(process, nullptr, connection, audit::Awaited::data));
  return waits;
}

bool has_endless_wait(std::span<const LookedProcess> processes) {
  return std::ranges::any_of(processes, [](const LookedProcess& process) {
    const auto waits = waits_of(process);
    return std::ranges::any_of(waits, &LookedWait::may_last_for_ever);
  });
}

bool is_any_hidden(std::span<const LookedProcess> processes) {
  return std::ranges::any_of(processes, [](const LookedProcess& process) {
    const auto hides = [](const LookedThread& thread) {
      return thread.does == ThreadDoes::may_not_look;
    };
    return !process.hidden.empty() || std::ranges::any_of(process.threads, hides);
  });
}

}  // namespace tcplab::look
