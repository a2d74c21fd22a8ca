#include "reports/comments/call_ledger.hh"

#include <algorithm>
#include <cerrno>

namespace tcplab::reports {

using capture::Call;
using capture::FlowKey;

namespace {

constexpr std::size_t kMostWrites =
    256;  // kept of a stream; a retransmission may be of any of them
constexpr std::size_t kMostEnds = 4096;

bool writes(const Call& call) { return call.call == "write" || call.call.starts_with("send"); }

/// MSG_PEEK leaves the data to be read.
bool reads(const Call& call) {
  return (call.call == "read" || call.call.starts_with("recv")) &&
         call.arguments.find("PEEK") == std::string::npos;
}

bool closes(const Call& call) {
  return call.call == "close" || (call.call == "shutdown" && call.arguments != "SHUT_RD");
}

/// Whether [one, one + length) and [other, other + its length) share an octet, modulo 2^32.
bool overlap(std::uint32_t one, std::uint32_t length, std::uint32_t other, std::uint32_t others) {
  return other - one < length || one - other < others;
}

}  // namespace

LedgerCallPointer CallLedger::note(const Call& call) {
  LedgerCallPointer& open = open_[{call.host, call.program}];
  if (call.phase == capture::CallPhase::enter) {
    open = std::make_shared<LedgerCall>(LedgerCall{.call = call});
    enters(open);
    return open;
  }
  LedgerCallPointer entry = std::exchange(open, nullptr);
  if (!entry || entry->call.id != call.id) entry = std::make_shared<LedgerCall>();
  *entry = {.call = call, .has_returned = true};
  returns(entry);
  return entry;
}

void CallLedger::enters(const LedgerCallPointer& entry) {
  const Call& call = entry->call;
  if (call.call == "connect") {
    TalkPointer& talk = talks_[{call.host, call.program, call.fd}];
    // A connect(2) that returns EALREADY or EISCONN is about the attempt before it.
    const bool is_begun = talk && talk->connect && talk->connect->call.error == EINPROGRESS;
    if (!is_begun) {
      talk = std::make_shared<Talk>(Talk{.program = call.program, .connect = entry});
      attempts(talk);
    }
  }
  const TalkPointer talk = find(call);
  if (!talk) return;
  talk->open = entry;
  if (closes(call)) talk->closer = entry;
}

void CallLedger::returns(const LedgerCallPointer& entry) {
  const Call& call = entry->call;
  if (call.call.starts_with("accept") && call.result >= 0 && call.local && call.remote) {
    auto talk = std::make_shared<Talk>(Talk{.program = call.program});
    talks_[{call.host, call.program, static_cast<int>(call.result)}] = talk;
    takes(call.host, talk, {*call.local, *call.remote});
  }
  const TalkPointer talk = find(call);
  if (!talk && call.call == "sendmsg") share_all(call);
  if (!talk) return;
  talk->open = nullptr;
  if (call.call == "dup" && call.result >= 0)
    talks_[{call.host, call.program, static_cast<int>(call.result)}] = talk;
  if (call.call == "connect" && call.local && call.remote && call.result == 0)
    takes(call.host, talk, {*call.local, *call.remote});
  else if (entry == talk->connect)
    attempts(talk);  // its local endpoint may be known now
  if (reads(call) && call.result > 0) talk->read += static_cast<std::uint32_t>(call.result);
  if (writes(call) && call.result > 0) {
    const auto length = static_cast<std::uint32_t>(call.result);
    talk->writes.push_back({std::exchange(talk->written, talk->written + length), length, entry});
    if (talk->writes.size() > kMostWrites) talk->writes.pop_front();
  }
  if (call.call == "close") talks_.erase({call.host, call.program, call.fd});
}

/// sendmsg(2) may pass descriptors to another program (SCM_RIGHTS, unix(7)). From then on the
/// writer of their streams is unknown.
void CallLedger::share_all(const Call& call) {
  for (auto& [descriptor, talk] : talks_)
    if (std::get<0>(descriptor) == call.host && std::get<1>(descriptor) == call.program)
      talk->is_shared = true;
}

/// Ties a descriptor to its connection, which remembers the descriptor after its close.
void CallLedger::takes(const std::string& host, const TalkPointer& talk, const FlowKey& key) {
  talk->key = key;
  const End end{host, key};
  if (ends_.insert_or_assign(end, talk).second) oldest_.push_back(end);
  if (oldest_.size() <= kMostEnds) return;
  ends_.erase(oldest_.front());
  oldest_.pop_front();
}

void CallLedger::ended(const capture::Program& program) {
  open_.erase({program.host, program.program});
  std::erase_if(talks_, [&](const auto& each) {
    return std::get<0>(each.first) == program.host && std::get<1>(each.first) == program.program;
  });
}

void CallLedger::lost_power(const std::string& host) {
  std::erase_if(open_, [&](const auto& each) { return each.first.first == host; });
  std::erase_if(talks_, [&](const auto& each) { return std::get<0>(each.first) == host; });
  std::erase_if(ends_, [&](const auto& each) { return each.first.first == host; });
  std::erase_if(oldest_, [&](const End& each) { return each.first == host; });
}

/// Notes a connect(2) whose connection is not known yet, under the endpoints that are known.
void CallLedger::attempts(const TalkPointer& talk) {
  const Call& call = talk->connect->call;
  const auto remote = call.remote ? call.remote : base::Endpoint::parse(call.arguments);
  if (remote && !talk->key) attempts_[{call.host, call.local, *remote}].push_back(talk);
}

/// Returns the attempts with exactly these endpoints, and forgets those that have others by now.
std::vector<CallLedger::TalkPointer> CallLedger::attempts_at(const Attempt& attempt) {
  const auto at = attempts_.find(attempt);
  if (at == attempts_.end()) return {};
  std::vector<TalkPointer> current;
  std::erase_if(at->second, [&](const std::weak_ptr<Talk>& each) {
    const TalkPointer talk = each.lock();
    if (!talk || talk->key || talk->connect->call.local != std::get<1>(attempt)) return true;
    if (std::find(current.begin(), current.end(), talk) != current.end()) return true;
    current.push_back(talk);
    return false;
  });
  if (at->second.empty()) attempts_.erase(at);
  return current;
}

LedgerCallPointer CallLedger::connect_of(const std::string& host, const FlowKey& key) {
  const TalkPointer known = find(host, key);  // may be an older connection with the same ports
  if (known && known->connect && !std::exchange(known->has_syn, true)) return known->connect;
  std::vector<TalkPointer> found = attempts_at({host, key.source, key.destination});
  const auto unbound = attempts_at({host, std::nullopt, key.destination});
  found.insert(found.end(), unbound.begin(), unbound.end());
  if (found.size() != 1) return nullptr;
  takes(host, found.front(), key);
  found.front()->has_syn = true;
  return found.front()->connect;
}

std::vector<LedgerCallPointer> CallLedger::writers_of(const std::string& host, const FlowKey& key,
                                                      std::uint32_t offset,
                                                      std::uint32_t length) const {
  std::vector<LedgerCallPointer> found;
  const TalkPointer talk = find(host, key);
  if (!talk || talk->is_shared) return found;
  for (const Written& written : talk->writes)
    if (overlap(offset, length, written.begin, written.length)) found.push_back(written.by);
  // Octets that no call has written are from the write(2) that has not returned.
  const bool goes_beyond = static_cast<std::int32_t>(offset + length - talk->written) > 0;
  if (goes_beyond && talk->open && writes(talk->open->call)) found.push_back(talk->open);
  return found;
}

LedgerCallPointer CallLedger::closer_of(const std::string& host, const FlowKey& key) const {
  const TalkPointer talk = find(host, key);
  return talk ? talk->closer : nullptr;
}

LedgerCallPointer CallLedger::under_way(const std::string& host, const FlowKey& key) const {
  const TalkPointer talk = find(host, key);
  return talk ? talk->open : nullptr;
}

std::string CallLedger::owner_of(const std::string& host, const FlowKey& key) const {
  const TalkPointer talk = find(host, key);
  return talk ? talk->program : "";
}

std::uint32_t CallLedger::read_before(const Call& call) const {
  const TalkPointer talk = find(call);
  if (!talk) return 0;
  const bool counts = reads(call) && call.result > 0;
  return talk->read - (counts ? static_cast<std::uint32_t>(call.result) : 0U);
}

const FlowKey* CallLedger::flow_of(const Call& call) const {
  const TalkPointer talk = find(call);
  return talk && talk->key ? &*talk->key : nullptr;
}

CallLedger::TalkPointer CallLedger::find(const std::string& host, const FlowKey& key) const {
  const auto found = ends_.find({host, key});
  return found == ends_.end() ? nullptr : found->second;
}

CallLedger::TalkPointer CallLedger::find(const Call& call) const {
  const auto found = talks_.find({call.host, call.program, call.fd});
  return found == talks_.end() ? nullptr : found->second;
}

}  // namespace tcplab::reports
