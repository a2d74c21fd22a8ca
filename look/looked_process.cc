#include "look/looked_process.hh"

#include <algorithm>

namespace tcplab::look {

namespace {

LookedWait wait_on(const LookedProcess& process, const LookedThread* thread,
                   const LookedConnection& connection) {
  const audit::Awaited awaited = thread != nullptr ? thread->awaited : audit::Awaited::data;
  LookedWait wait{
      .thread = thread,
      .connection = &connection,
      .end = audit::end_of_wait(connection.facts, connection.settings, process.kernel, awaited)};
  const bool has_own_timeout = thread != nullptr && thread->own_timeout.has_value();
  wait.may_last_for_ever = thread != nullptr && wait.end.may_last_for_ever && !has_own_timeout;
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
    for (const int descriptor : thread.descriptors)
      if (const LookedConnection* connection = process.connection(descriptor))
        waits.push_back(wait_on(process, &thread, *connection));
  }
  if (!waits.empty()) return waits;
  for (const LookedConnection& connection : process.connections)
    waits.push_back(wait_on(process, nullptr, connection));
  return waits;
}

}  // namespace tcplab::look
