#include "capture/follow/call_tracker.hh"

#include <algorithm>
#include <cerrno>
#include <string_view>

#include "capture/event/call_names.hh"

namespace tcplab::capture {

namespace {

constexpr std::size_t kMostEnds = 4096;
constexpr std::size_t kMostClosed = 256;

bool closes_sending_side(const Call& call) {
  return call.call == "close" || (call.call == "shutdown" && call.arguments != "SHUT_RD");
}

bool accepts(const Call& call) { return is_of_family(call.call, "accept"); }

bool duplicates(const Call& call) {
  return call.call.starts_with("dup") ||
         (call.call == "fcntl" && call.arguments.starts_with("F_DUPFD"));
}

/// Whether the ends that the call names are those of a connection: not so if a connect(2) fails,
/// or has not ended.
bool shows_connection(const Call& call) {
  if (call.call != "connect") return true;
  return call.phase == CallPhase::leave && (call.result == 0 || call.error == EISCONN);
}

/// After a RST, the kernel reports only the port of the local end: tcp_disconnect().
bool is_same(const FlowKey& known, const FlowKey& named) {
  return known.source.port == named.source.port && known.destination == named.destination;
}

/// Whether another connect(2) on the socket is about the same attempt.
bool has_begun(const TrackedSocket& socket) {
  if (!socket.opener) return socket.connection.has_value();
  const TrackedCall& opener = *socket.opener;
  const int error = opener.call.error;
  return !opener.has_returned || opener.call.result == 0 || error == EINPROGRESS ||
         error == EALREADY || error == EISCONN || error == EINTR;
}

/// Returns "TCP_QUICKACK" of "TCP_QUICKACK = 1".
std::string_view option_name(const Call& call) {
  return std::string_view(call.arguments).substr(0, call.arguments.find(" = "));
}

/// A program may set an option again after each read, as TCP_QUICKACK. Only the last call counts.
void keep_option(TrackedSocket& socket, const TrackedCallPointer& option) {
  std::erase_if(socket.options, [&](const TrackedCallPointer& earlier) {
    return option_name(earlier->call) == option_name(option->call);
  });
  socket.options.push_back(option);
}

}  // namespace

int named_descriptor(const Call& call) {
  if (accepts(call)) return static_cast<int>(call.result);
  if (call.ready.size() == 1) return call.ready.front().fd;
  if (waits_for_readiness(call.call) || call.call == "epoll_ctl") return -1;
  return call.fd;
}

std::optional<FlowKey> TrackedSocket::ends() const {
  if (connection || !opener || !opener->call.local || !opener->call.remote) return connection;
  return FlowKey{*opener->call.local, *opener->call.remote};
}

std::optional<base::Endpoint> TrackedSocket::peer() const {
  if (connection) return connection->destination;
  if (!opener) return std::nullopt;
  return opener->call.remote ? opener->call.remote : base::Endpoint::parse(opener->call.arguments);
}

CallTracker::Step CallTracker::note(const Call& call, Instant at) {
  const TrackedCallPointer entry = entry_of(call, at);
  Step step = follow(entry, call);
  if (kept_calls_ > 0 && call.phase == CallPhase::leave) keep_call(step);
  return step;
}

CallTracker::Step CallTracker::follow(const TrackedCallPointer& entry, const Call& call) {
  if (call.call == "connect") opens(entry);
  learns(call);
  if (call.phase == CallPhase::enter) {
    enters(entry);
    return {entry, find(call, call.fd)};
  }
  if (accepts(call) && call.result >= 0) {
    const TrackedSocketPointer made = make(call, static_cast<int>(call.result));
    made->opener = entry;
    if (call.local && call.remote) connects(made, {*call.local, *call.remote});
    return {entry, made};
  }
  const TrackedSocketPointer socket = find(call, call.fd);
  returns(entry);
  return {entry, socket};
}

/// A call that waits for several sockets is one of each that it found ready.
void CallTracker::keep_call(const Step& step) {
  const Call& call = step.call->call;
  if (step.socket) keep_call(step.call, step.socket);
  for (const ReadyDescriptor& ready : call.ready)
    if (const auto socket = find(call, ready.fd); socket && socket != step.socket)
      keep_call(step.call, socket);
  if (!step.socket || (call.call != "close" && call.call != "close_range")) return;
  closed_.emplace_back(step.socket, step.socket->calls_returned);
  if (closed_.size() > kMostClosed) forget_calls_of_oldest();
}

void CallTracker::keep_call(const TrackedCallPointer& call, const TrackedSocketPointer& socket) {
  ++socket->calls_returned;
  unsigned readiness = 0;
  for (const ReadyDescriptor& ready : call->call.ready)
    if (find(call->call, ready.fd) == socket) readiness |= static_cast<unsigned>(ready.events);
  socket->evidence.note(call->call, readiness);
  socket->last_calls.push_back(call);
  if (socket->last_calls.size() > kept_calls_) socket->last_calls.pop_front();
}

/// Another process may have it still: then it has made calls since.
void CallTracker::forget_calls_of_oldest() {
  const auto [socket, calls] = closed_.front();
  closed_.pop_front();
  if (socket->calls_returned == calls) socket->last_calls.clear();
}

/// Returns the call that the event is about.
TrackedCallPointer CallTracker::entry_of(const Call& call, Instant at) {
  CallId id{call.host, call.pid, call.id};
  if (call.phase == CallPhase::enter)
    return open_[std::move(id)] = std::make_shared<TrackedCall>(TrackedCall{call, at, true, false});
  const auto open = open_.find(id);
  if (open == open_.end()) return std::make_shared<TrackedCall>(TrackedCall{call, at, false, true});
  TrackedCallPointer entry = std::move(open->second);
  open_.erase(open);
  *entry = {call, at, true, true};
  return entry;
}

void CallTracker::opens(const TrackedCallPointer& connect) {
  const Call& call = connect->call;
  TrackedSocketPointer socket = find(call, call.fd);
  if (socket && (socket->opener == connect || has_begun(*socket))) return;
  if (!socket || socket->opener) {  // an earlier attempt on this descriptor has failed
    const TrackedSocketPointer before = socket;
    socket = make(call, call.fd);
    if (before) socket->options = before->options;
  }
  socket->opener = connect;
}

TrackedSocketPointer CallTracker::named_socket_of(const Call& call) const {
  return find(call, named_descriptor(call));
}

/// Learns the connection of a descriptor from a call that names it.
void CallTracker::learns(const Call& call) {
  const int descriptor = named_descriptor(call);
  if (descriptor < 0 || accepts(call) || !call.local || !call.remote) return;
  const FlowKey key{*call.local, *call.remote};
  TrackedSocketPointer socket = find(call, descriptor);
  if (!shows_connection(call)) {
    if (socket) keep_end(socket, key);
    return;
  }
  if (socket && socket->connection && is_same(*socket->connection, key)) return;
  // A call that was not seen has given the number to another socket.
  if (!socket || socket->connection) socket = make(call, descriptor);
  connects(socket, key);
}

void CallTracker::enters(const TrackedCallPointer& entry) {
  const TrackedSocketPointer socket = find(entry->call, entry->call.fd);
  if (!socket) return;
  socket->under_way = entry;
  if (closes_sending_side(entry->call)) socket->closer = entry;
}

void CallTracker::returns(const TrackedCallPointer& entry) {
  const Call& call = entry->call;
  if (call.call == "socket" && call.result >= 0) make(call, static_cast<int>(call.result));
  const TrackedSocketPointer socket = find(call, call.fd);
  if (!socket) {
    if (call.call == "sendmsg") pass_on_all(call);
    return;
  }
  if (socket->under_way == entry) socket->under_way = nullptr;
  if (closes_sending_side(call)) socket->closer = entry;
  if (duplicates(call) && call.result >= 0) set(call, static_cast<int>(call.result), socket);
  if (call.call == "setsockopt" && call.result == 0) keep_option(*socket, entry);
  if (reads_octets(call)) socket->received += octets_of(call);
  if (writes_octets(call)) socket->sent += octets_of(call);
  if (call.call != "close" && call.call != "close_range") return;
  set(call, call.fd, nullptr);
  if (!socket->connection) forget_attempt(socket);
}

/// A socket that is closed connects no more.
void CallTracker::forget_attempt(const TrackedSocketPointer& socket) {
  const auto ends = socket->ends();
  const auto kept = ends ? ends_.find({socket->host, *ends}) : ends_.end();
  if (kept == ends_.end() || kept->second != socket) return;
  std::erase(oldest_, kept->first);
  ends_.erase(kept);
}

/// sendmsg(2) on another kind of socket may pass descriptors to another program.
void CallTracker::pass_on_all(const Call& call) {
  for (const auto& [descriptor, socket] : descriptors_)
    if (socket && std::get<0>(descriptor) == call.host && std::get<1>(descriptor) == call.program)
      socket->is_passed_on = true;
}

void CallTracker::connects(const TrackedSocketPointer& socket, const FlowKey& key) {
  socket->connection = key;
  keep_end(socket, key);
}

void CallTracker::keep_end(const TrackedSocketPointer& socket, const FlowKey& key) {
  const End end{socket->host, key};
  if (ends_.insert_or_assign(end, socket).second) oldest_.push_back(end);
  if (oldest_.size() <= kMostEnds) return;
  ends_.erase(oldest_.front());
  oldest_.pop_front();
}

void CallTracker::ended(const Program& program) {
  std::erase_if(open_, [&](const auto& each) {
    return each.second->call.host == program.host && each.second->call.program == program.program;
  });
  std::erase_if(descriptors_, [&](const auto& each) {
    return std::get<0>(each.first) == program.host && std::get<1>(each.first) == program.program;
  });
}

void CallTracker::lost_power(const std::string& host) {
  std::erase_if(open_, [&](const auto& each) { return std::get<0>(each.first) == host; });
  std::erase_if(descriptors_, [&](const auto& each) { return std::get<0>(each.first) == host; });
  std::erase_if(ends_, [&](const auto& each) { return each.first.first == host; });
  std::erase_if(oldest_, [&](const End& each) { return each.first == host; });
}

TrackedSocketPointer CallTracker::socket_of(const std::string& host, const FlowKey& key) const {
  const auto found = ends_.find({host, key});
  return found == ends_.end() ? nullptr : found->second;
}

std::vector<TrackedCallPointer> CallTracker::under_way(const std::string& host) const {
  std::vector<TrackedCallPointer> calls;
  for (const auto& [id, call] : open_)
    if (std::get<0>(id) == host) calls.push_back(call);
  return calls;
}

TrackedSocketPointer CallTracker::find(const Call& call, int descriptor) const {
  if (descriptor < 0) return nullptr;
  for (const int process : {call.pid, kAnyProcess}) {
    const auto found = descriptors_.find({call.host, call.program, process, descriptor});
    if (found != descriptors_.end()) return found->second;
  }
  return nullptr;
}

void CallTracker::set(const Call& call, int descriptor, const TrackedSocketPointer& socket) {
  descriptors_[{call.host, call.program, call.pid, descriptor}] = socket;
  // A child that still has it finds it under its number, also after the parent's close.
  if (socket) descriptors_[{call.host, call.program, kAnyProcess, descriptor}] = socket;
}

TrackedSocketPointer CallTracker::make(const Call& call, int descriptor) {
  auto socket = std::make_shared<TrackedSocket>();
  socket->host = call.host;
  socket->program = call.program;
  set(call, descriptor, socket);
  return socket;
}

}  // namespace tcplab::capture
