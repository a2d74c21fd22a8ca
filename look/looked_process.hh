// What a process waits for, and what its kernel knows about its TCP connections. Plain values: read
// from a live process (live_process.hh), or from the output of ss(8) (ss_output.hh).
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "audit/wait_end.hh"
#include "base/endpoint.hh"

namespace tcplab::look {

struct LookedConnection {
  std::vector<int> descriptors{};
  std::string owner{};  // who waits for it in the program: "ClientRequest GET http://kodos/orders"
  base::Endpoint local;
  std::optional<base::Endpoint> remote;  // none for a listener
  audit::SocketFacts facts;
  audit::TimeoutOptions settings;
};

/// What a thread does.
enum class ThreadDoes : std::uint8_t {
  runs,          // on a processor, or it waits for one
  waits,         // in a call on a TCP connection, or on several
  polls,         // in the epoll_wait(2) of its runtime, for all tasks
  other,         // in another call, or in a fault
  may_not_look,  // the kernel does not show it
};

struct LookedThread {
  int id = 0;
  std::string name{};
  ThreadDoes does = ThreadDoes::other;
  std::string call{};                              // "recvfrom"
  std::string arguments{};                         // "1024 bytes"
  std::vector<int> descriptors{};                  // of the TCP connections that it waits for
  std::vector<audit::Awaited> awaited{};           // what it waits for, of each of these
  bool waits_for_several = false;                  // in a call that can: epoll_wait(2), poll(2)
  bool waits_for_others = false;                   // also for descriptors that are none
  std::optional<base::nanoseconds> own_timeout{};  // of the call, from its start
  std::string own_timeout_name{};                  // "its timeout", "SO_RCVTIMEO"
  std::vector<std::string> frames{};  // innermost first: "fetch (client.py:7)", or native ones
};

/// Who waits for the answer that a task reads.
struct TaskRequester {
  std::string name{};  // "goroutine 1"; empty: not known
  std::vector<std::string> frames{};
};

/// What a runtime runs on threads of its choice, while it waits for a TCP connection: a goroutine,
/// a task of asyncio.
struct LookedTask {
  std::string name{};   // "goroutine 7", "Task-7"
  std::string state{};  // "IO wait", "await"
  std::string call{};   // "read"
  int descriptor = -1;
  audit::Awaited awaited = audit::Awaited::data;
  bool has_deadline = false;                    // a timer of the runtime ends the wait
  std::optional<base::nanoseconds> deadline{};  // from now on; empty: not known
  std::string deadline_setter{};                // what sets it: "a timer of its event loop"
  /// From now on, when the next timer is due that may end the wait, or may not. 0: now, or it is
  /// not known when.
  std::optional<base::nanoseconds> other_timer{};
  std::vector<std::string> frames{};  // innermost first
  TaskRequester requester{};
};

struct LookedProcess {
  int id = 0;
  std::string command{};
  std::string user{};
  std::string runtime{};  // of its language: "Python 3.11"; empty if none is known
  std::vector<LookedThread> threads{};
  std::vector<LookedTask> tasks{};
  std::string task_word = "task";  // what the language calls one: "goroutine"
  bool are_tasks_known = false;    // all that wait for one of its connections are in `tasks`
  std::vector<LookedConnection> connections{};
  audit::KernelSettings kernel{};
  std::string hidden{};  // why its connections cannot be looked at; empty: they can

  /// Returns the connection of a descriptor, or nullptr.
  const LookedConnection* connection(int descriptor) const;
};

/// A wait on one connection, and what ends it.
struct LookedWait {
  const LookedThread* thread = nullptr;  // who waits: a thread,
  const LookedTask* task = nullptr;      // or a task; both null: not known
  const LookedConnection* connection = nullptr;
  audit::WaitEnd end;
  /// Neither TCP nor a timeout of the call ends it, if the peer is gone without a word.
  bool may_last_for_ever = false;

  bool has_waiter() const { return thread != nullptr || task != nullptr; }
};

/// Returns each thread's waits, in the order of the threads, then the tasks'. If none waits, or if
/// threads are not known, returns what would end a wait for data of each connection.
std::vector<LookedWait> waits_of(const LookedProcess& process);

/// Whether a call of any of them may wait for ever.
bool has_endless_wait(std::span<const LookedProcess> processes);

/// Whether the kernel does not show the connections of a process, or the call of a thread.
bool is_any_hidden(std::span<const LookedProcess> processes);

}  // namespace tcplab::look
