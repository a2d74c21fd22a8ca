#include "reports/comments/call_ledger.hh"

#include <algorithm>
#include <utility>

#include "capture/event/call_names.hh"

namespace tcplab::reports {

using capture::Call;
using capture::FlowKey;
using capture::TrackedCallPointer;
using capture::TrackedSocket;

namespace {

// Kept of a stream; a retransmission may be of any of them.
constexpr std::size_t kMostWrites = 256;

/// Whether [one, one + length) and [other, other + its length) share an octet, modulo 2^32.
bool overlap(std::uint32_t one, std::uint32_t length, std::uint32_t other, std::uint32_t others) {
  return other - one < length || one - other < others;
}

}  // namespace

TrackedCallPointer CallLedger::note(const Call& call, capture::Instant at) {
  const capture::CallTracker::Step step = tracker_.note(call, at);
  if (!step.socket) return step.call;
  if (step.socket->opener == step.call && call.call == "connect") attempts(step.socket);
  const bool has_returned = call.phase == capture::CallPhase::leave;
  if (has_returned && capture::sends_data(call.call) && call.result > 0) {
    Account& account = account_of(step.socket);
    const auto length = static_cast<std::uint32_t>(call.result);
    account.writes.push_back(
        {std::exchange(account.written, account.written + length), length, step.call});
    if (account.writes.size() > kMostWrites) account.writes.pop_front();
  }
  return step.call;
}

CallLedger::Account& CallLedger::account_of(const SocketPointer& socket) {
  if (accounts_.size() > most_accounts_) {
    std::erase_if(accounts_, [](const auto& each) { return each.first.expired(); });
    most_accounts_ = std::max(most_accounts_, 2 * accounts_.size());
  }
  return accounts_[socket];
}

/// Notes a connect(2) whose connection is not known yet, under the endpoints that are known.
void CallLedger::attempts(const SocketPointer& socket) {
  const auto remote = socket->peer();
  if (remote && !socket->connection)
    attempts_[{socket->host, socket->opener->call.local, *remote}].push_back(socket);
}

/// Returns the attempts with exactly these endpoints, and forgets those that have others by now.
std::vector<CallLedger::SocketPointer> CallLedger::attempts_at(const Attempt& attempt) {
  const auto at = attempts_.find(attempt);
  if (at == attempts_.end()) return {};
  std::vector<SocketPointer> current;
  std::erase_if(at->second, [&](const std::weak_ptr<TrackedSocket>& each) {
    const SocketPointer socket = each.lock();
    const bool is_closed = socket && socket->closer && socket->closer->call.call == "close";
    if (!socket || socket->connection || is_closed ||
        socket->opener->call.local != std::get<1>(attempt))
      return true;
    if (std::find(current.begin(), current.end(), socket) != current.end()) return true;
    current.push_back(socket);
    return false;
  });
  if (at->second.empty()) attempts_.erase(at);
  return current;
}

TrackedCallPointer CallLedger::connect_of(const std::string& host, const FlowKey& key) {
  const SocketPointer known = tracker_.socket_of(host, key);  // may be older, with the same ports
  if (known && known->connection && known->opener && known->opener->call.call == "connect" &&
      !std::exchange(account_of(known).has_syn, true))
    return known->opener;
  std::vector<SocketPointer> found = attempts_at({host, key.source, key.destination});
  const auto unbound = attempts_at({host, std::nullopt, key.destination});
  found.insert(found.end(), unbound.begin(), unbound.end());
  if (found.size() != 1) return nullptr;
  tracker_.connects(found.front(), key);
  account_of(found.front()).has_syn = true;
  return found.front()->opener;
}

std::vector<TrackedCallPointer> CallLedger::writers_of(const std::string& host, const FlowKey& key,
                                                       std::uint32_t offset, std::uint32_t length) {
  std::vector<TrackedCallPointer> found;
  const SocketPointer socket = tracker_.socket_of(host, key);
  if (!socket || socket->is_passed_on) return found;
  const Account& account = account_of(socket);
  for (const Written& written : account.writes)
    if (overlap(offset, length, written.begin, written.length)) found.push_back(written.by);
  // Octets that no call has written are from the write(2) that has not returned.
  const bool goes_beyond = static_cast<std::int32_t>(offset + length - account.written) > 0;
  const TrackedCallPointer open = socket->under_way;
  if (goes_beyond && open && capture::sends_data(open->call.call)) found.push_back(open);
  return found;
}

TrackedCallPointer CallLedger::closer_of(const std::string& host, const FlowKey& key) const {
  const SocketPointer socket = tracker_.socket_of(host, key);
  return socket ? socket->closer : nullptr;
}

TrackedCallPointer CallLedger::under_way(const std::string& host, const FlowKey& key) const {
  const SocketPointer socket = tracker_.socket_of(host, key);
  return socket ? socket->under_way : nullptr;
}

std::string CallLedger::owner_of(const std::string& host, const FlowKey& key) const {
  const SocketPointer socket = tracker_.socket_of(host, key);
  return socket ? socket->program : "";
}

std::uint32_t CallLedger::read_before(const Call& call) const {
  const SocketPointer socket = tracker_.socket_of(call);
  if (!socket) return 0;
  const auto read = static_cast<std::uint32_t>(socket->received);
  const std::uint64_t own = capture::reads_octets(call) ? capture::octets_of(call) : 0;
  return read - static_cast<std::uint32_t>(own);
}

const FlowKey* CallLedger::flow_of(const Call& call) const {
  const SocketPointer socket = tracker_.socket_of(call);
  return socket && socket->connection ? &*socket->connection : nullptr;
}

}  // namespace tcplab::reports
