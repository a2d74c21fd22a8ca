// What was known when a call failed and its program was aborted or stopped: `tcplab trace
// --abort-on` and `--stop-on` write it beside the core file, which has no sockets. Plain values:
// failure_recorder.hh makes them, failure_json.hh writes and reads them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.hh"
#include "capture/event/event.hh"
#include "capture/memory/program_identity.hh"
#include "look/looked_process.hh"

namespace tcplab::look {

/// How many of its last calls each connection has in a record.
inline constexpr std::size_t kRecordedCalls = 50;

enum class FailureAct : std::uint8_t { aborted, stopped };

/// The other end of a connection in the lab, where its kernel is asked, too.
struct PeerSide {
  std::string host{};
  base::Instant read_at{};
  bool has_power = true;
  bool can_be_asked = true;                  // its TCP is that of a kernel that answers
  std::optional<capture::Socket> socket{};   // none, though it was asked: it has none
  std::vector<capture::Event> calls_open{};  // of its programs, on that connection
};

/// A TCP socket that the process had open. What `looked` says is the kernel's, except for the ends
/// of a connection that it has forgotten.
struct RecordedConnection {
  LookedConnection looked{};
  /// The kernel has no connection on this socket any more: a reset or a timeout has ended it, or a
  /// connect(2) failed. The ends are those that earlier calls named.
  bool is_forgotten = false;
  bool was_connected = false;  // as far as the calls show

  // From the calls that were traced.
  std::uint64_t octets_sent = 0;  // that the kernel has taken
  std::uint64_t octets_received = 0;
  std::vector<std::string> options_set{};  // "TCP_USER_TIMEOUT = 5000"; the last of each
  std::uint64_t calls_returned = 0;
  std::vector<capture::Event> calls{};  // the last of these, the oldest first

  // From the lab, if it was there.
  std::optional<PeerSide> peer{};
  std::vector<capture::Event> frames{};  // the last ones, the oldest first
};

struct FailureRecord {
  std::string machine{};
  std::string kernel{};            // "6.1.0-18-amd64"
  base::nanoseconds wall_clock{};  // what to add to an Instant for the time since 1970
  FailureAct act = FailureAct::aborted;
  capture::Event failure{};  // the call that failed, with its stack

  int process = 0;
  int own_process = 0;  // its number in its own PID namespace, which the core file has
  capture::ProgramIdentity identity{};
  std::string command{};
  std::string user{};
  std::string runtime{};
  std::string hidden{};  // why its connections could not be looked at; empty: they were

  base::Instant read_at{};     // when its sockets were read; the thread that failed was stopped
  base::Instant threads_at{};  // when its other threads were read, which were not
  std::vector<LookedThread> threads{};  // the one whose call failed is the first
  std::vector<LookedTask> tasks{};
  std::vector<RecordedConnection> connections{};  // that of the failure is the first
};

}  // namespace tcplab::look
