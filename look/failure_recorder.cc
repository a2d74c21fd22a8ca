#include "look/failure_recorder.hh"

#include <sys/utsname.h>

#include <algorithm>

#include "capture/event/call_thread.hh"
#include "capture/proc/thread_in_call.hh"
#include "look/live_process.hh"

namespace tcplab::look {

namespace {

/// The thread of the failure comes first. It is held, so the look has not seen its call.
void take_failure(const capture::Call& call, std::vector<LookedThread>& threads) {
  const auto failed = std::ranges::find(threads, capture::thread_of(call), &LookedThread::id);
  if (failed == threads.end()) {
    threads.insert(threads.begin(), LookedThread{.id = capture::thread_of(call)});
  } else {
    std::rotate(threads.begin(), failed, failed + 1);
  }
  LookedThread& thread = threads.front();
  thread.does = ThreadDoes::other;
  thread.call = call.call;
  thread.arguments = call.arguments;
  if (call.fd >= 0) thread.descriptors = {call.fd};
  thread.frames = call.stack;
}

bool has_descriptor(const RecordedConnection& connection, int descriptor) {
  return std::ranges::find(connection.looked.descriptors, descriptor) !=
         connection.looked.descriptors.end();
}

/// Whether the socket is one without a connection. CLOSE is the state of one that had none yet,
/// too.
bool has_none(const LookedConnection& looked) {
  const bool is_closed = looked.facts.state == capture::TcpState::close ||
                         looked.facts.state == capture::TcpState::closed;
  return is_closed && !looked.remote;
}

/// Whether a call shows that the connection was established.
bool was_connected(const capture::TrackedSocket& socket) {
  const capture::TrackedCallPointer& opener = socket.opener;
  const bool was_accepted =
      opener && opener->call.call != "connect" && opener->has_returned && opener->call.result >= 0;
  return was_accepted || socket.evidence.is_proved();
}

/// Whether the calls that were seen are of the socket that the descriptor is now. Calls that were
/// not seen, as those of io_uring(7), may have closed it.
bool may_be(const capture::TrackedSocket& tracked, const LookedConnection& looked) {
  const auto peer = tracked.peer();
  return !peer || !looked.remote || *peer == *looked.remote;
}

}  // namespace

FailureRecord FailureRecorder::record(const capture::Call& call, base::Instant at, FailureAct act) {
  FailureRecord record{.wall_clock = base::wall_clock_offset(),
                       .act = act,
                       .failure = {.number = 0, .at = at, .body = call},
                       .process = call.pid,
                       .read_at = base::now()};
  LookedProcess looked =
      look_at(call.pid, {.has_all_frames = true, .without_frames = capture::thread_of(call)});
  record.threads_at = base::now();
  capture::Call& failure = std::get<capture::Call>(record.failure.body);
  failure.stack = frames_of(call);
  take_failure(failure, looked.threads);
  record.own_process = capture::own_thread_id(call.pid, call.pid);
  record.identity = capture::program_identity(call.pid);
  record.command = std::move(looked.command);
  record.user = std::move(looked.user);
  record.runtime = std::move(looked.runtime);
  record.hidden = std::move(looked.hidden);
  record.threads = std::move(looked.threads);
  record.tasks = std::move(looked.tasks);
  for (LookedConnection& connection : looked.connections)
    record.connections.push_back(recorded(std::move(connection), call));
  // That of std::ranges does not compile with clang 14.
  std::stable_partition(
      record.connections.begin(), record.connections.end(),
      [&call](const RecordedConnection& each) { return has_descriptor(each, call.fd); });
  utsname system{};
  if (::uname(&system) == 0) {
    record.machine = system.nodename;
    record.kernel = system.release;
  }
  return record;
}

RecordedConnection FailureRecorder::recorded(LookedConnection connection,
                                             const capture::Call& call) const {
  RecordedConnection recorded{.looked = std::move(connection)};
  LookedConnection& looked = recorded.looked;
  capture::Call about = call;
  capture::TrackedSocketPointer socket;
  for (const int descriptor : looked.descriptors) {
    about.fd = descriptor;
    if (!socket) socket = tracker_.socket_of(about);
  }
  if (!socket || !may_be(*socket, looked)) return recorded;
  const auto ends = socket->ends();
  recorded.was_connected = was_connected(*socket);
  recorded.is_forgotten = has_none(looked) && socket->peer();
  if (recorded.is_forgotten) {
    if (ends) looked.local = ends->source;
    looked.remote = socket->peer();
  }
  recorded.octets_sent = socket->sent;
  recorded.octets_received = socket->received;
  for (const capture::TrackedCallPointer& option : socket->options)
    recorded.options_set.push_back(option->call.arguments);
  recorded.calls_returned = socket->calls_returned;
  for (const capture::TrackedCallPointer& one : socket->last_calls)
    recorded.calls.push_back({.number = 0, .at = one->at, .body = one->call});
  return recorded;
}

std::vector<std::string> FailureRecorder::frames_of(const capture::Call& call) {
  const auto stack = stacks_.read(call.pid, capture::thread_of(call));
  if (!stack) return {};
  return with_language(names_.frames(stack->native), *stack);
}

}  // namespace tcplab::look
