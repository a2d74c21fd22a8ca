#include "lab/watch/descriptor_history.hh"

namespace tcplab::lab {

using capture::Call;

void DescriptorHistory::note(const Call& call, base::Instant at) {
  tracker_.note(call, at);
  const capture::TrackedSocketPointer socket = tracker_.named_socket_of(call);
  const auto ends = socket ? socket->ends() : std::nullopt;
  if (!ends) return;
  const int descriptor = capture::named_descriptor(call);
  const ConnectionKey connection{ends->source, ends->destination};
  if (find(call.pid, descriptor, at) == connection) return;
  changes_[descriptor].push_back({call.pid, at, connection});
}

std::optional<ConnectionKey> DescriptorHistory::find(int process, int descriptor,
                                                     base::Instant at) const {
  const auto found = changes_.find(descriptor);
  if (found == changes_.end()) return std::nullopt;
  const Change* own = nullptr;
  const Change* other = nullptr;
  for (const Change& change : found->second) {
    if (change.at > at) continue;
    (change.process == process ? own : other) = &change;
  }
  if (own == nullptr) own = other;
  return own == nullptr ? std::nullopt : std::optional(own->connection);
}

bool is_on(const ConnectionKey& connection, const capture::Event& event, int descriptor,
           const DescriptorHistory& descriptors) {
  const auto* call = std::get_if<Call>(&event.body);
  if (call == nullptr) return false;
  const bool is_named = call->ready.size() <= 1 && call->remote;
  if (!is_named) return descriptors.find(call->pid, descriptor, event.at) == connection;
  // A connect(2) that failed has no local address any more.
  const bool is_same_end = call->local ? *call->local == connection.local : call->call == "connect";
  return is_same_end && *call->remote == connection.remote;
}

}  // namespace tcplab::lab
