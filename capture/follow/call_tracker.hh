// Follows the system calls of programs on their TCP sockets: which calls have not returned, which
// socket a descriptor is, and what the calls did with it. Takes call events in the order of time.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "capture/decode/flow_key.hh"
#include "capture/event/event.hh"
#include "capture/follow/call_octets.hh"
#include "capture/follow/connection_evidence.hh"

namespace tcplab::capture {

/// A call, from its first event on. `call` is complete once it has returned.
struct TrackedCall {
  Call call;
  Instant at{};              // the time of its last event
  bool was_entered = false;  // its entry was an event: a tracer reports it only if the call blocks
  bool has_returned = false;
};
using TrackedCallPointer = std::shared_ptr<TrackedCall>;

/// A TCP socket, whichever descriptors of whichever processes it has (dup(2), fork(2)).
struct TrackedSocket {
  std::string host;
  std::string program;  // that made it
  /// Local and remote end. Empty until a call names both and shows that they are a connection's.
  std::optional<FlowKey> connection{};
  TrackedCallPointer opener{};     // connect(2) or accept(2); null: not yet, or unseen
  TrackedCallPointer under_way{};  // the last call on it that has not returned
  TrackedCallPointer closer{};     // the last close(2), or shutdown(2) of the sending side
  std::vector<TrackedCallPointer> options{};  // the last setsockopt(2) that succeeded, of each
  std::uint64_t sent = 0;                     // octets that the kernel has taken
  std::uint64_t received = 0;                 // octets that were read, but for MSG_PEEK
  bool is_passed_on = false;         // another program may write to it, too (SCM_RIGHTS, unix(7))
  std::uint64_t calls_returned = 0;  // counted if the tracker keeps calls
  std::deque<TrackedCallPointer> last_calls{};  // of these
  ConnectionEvidence evidence{};                // of all calls, if the tracker keeps calls

  /// Returns the connection, or the ends of the attempt to connect; empty if one is unknown.
  std::optional<FlowKey> ends() const;
  /// Returns the remote end, of an attempt to connect too; empty if it is unknown.
  std::optional<base::Endpoint> peer() const;
};
using TrackedSocketPointer = std::shared_ptr<TrackedSocket>;

class CallTracker {
public:
  /// `kept_calls`: how many of its last calls each socket keeps. Those of the last 256 sockets that
  /// were closed are kept, too.
  explicit CallTracker(std::size_t kept_calls = 0) : kept_calls_(kept_calls) {}

  struct Step {
    TrackedCallPointer call;      // the same for both events of a call
    TrackedSocketPointer socket;  // that it is about, or has made; null if none
  };
  /// Notes a call event.
  Step note(const Call& call, Instant at);
  /// A frame has shown the ends of a socket's connection.
  void connects(const TrackedSocketPointer& socket, const FlowKey& key);
  /// Forgets the calls and the descriptors of a program that has ended.
  void ended(const Program& program);
  /// Forgets everything of a host that lost its power.
  void lost_power(const std::string& host);

  /// Returns the socket that a call's descriptor is. A process that has not opened one itself has
  /// that of its parent. Null if it is unknown, or closed.
  TrackedSocketPointer socket_of(const Call& call) const { return find(call, call.fd); }
  /// Returns the socket that the call's `local` and `remote` are about: see named_descriptor().
  TrackedSocketPointer named_socket_of(const Call& call) const;
  /// Returns the newest socket with these ends, also of an attempt to connect, and after its close;
  /// null if unknown. Of the last 4096 pairs of ends.
  TrackedSocketPointer socket_of(const std::string& host, const FlowKey& key) const;
  /// Returns the calls on a host that have not returned, in any order.
  std::vector<TrackedCallPointer> under_way(const std::string& host) const;

private:
  using CallId = std::tuple<std::string, int, std::uint64_t>;  // host, process, id
  /// Host, program, process, number. The process is kAnyProcess for the newest of all processes.
  using Descriptor = std::tuple<std::string, std::string, int, int>;
  using End = std::pair<std::string, FlowKey>;

  static constexpr int kAnyProcess = -1;

  Step follow(const TrackedCallPointer& entry, const Call& call);
  void keep_call(const Step& step);
  void keep_call(const TrackedCallPointer& call, const TrackedSocketPointer& socket);
  void forget_calls_of_oldest();
  TrackedCallPointer entry_of(const Call& call, Instant at);
  void enters(const TrackedCallPointer& entry);
  void returns(const TrackedCallPointer& entry);
  void opens(const TrackedCallPointer& connect);
  void learns(const Call& call);
  void forget_attempt(const TrackedSocketPointer& socket);
  void keep_end(const TrackedSocketPointer& socket, const FlowKey& key);
  void pass_on_all(const Call& call);
  TrackedSocketPointer find(const Call& call, int descriptor) const;
  void set(const Call& call, int descriptor, const TrackedSocketPointer& socket);
  TrackedSocketPointer make(const Call& call, int descriptor);

  std::map<CallId, TrackedCallPointer> open_;
  std::map<Descriptor, TrackedSocketPointer> descriptors_;  // null: closed
  std::map<End, TrackedSocketPointer> ends_;
  std::deque<End> oldest_;
  std::size_t kept_calls_;
  std::deque<std::pair<TrackedSocketPointer, std::uint64_t>> closed_;  // their calls_returned
};

/// Returns the descriptor of the connection that a call's `local` and `remote` are about: of
/// accept(2) the new one, of poll(2) the ready one. -1 if there is none, or more than one.
int named_descriptor(const Call& call);

}  // namespace tcplab::capture
