// The runtime of a language in a process: CPython, HotSpot, V8, Go. It names the functions of the
// language that are on a thread's stack, where a native debugger sees only the interpreter.
//
// A thread inside a system call cannot change its own frames, so nothing needs to be stopped. What
// does not fit together (a version that the runtime does not know, a tag of another type) is not
// named at all.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "capture/memory/process_image.hh"
#include "capture/memory/process_memory.hh"

namespace tcplab::capture {

struct RuntimeFrame {
  std::string function;  // "Client.fetch"
  std::string file;      // empty: not known
  int line = 0;          // 0: not known

  bool operator==(const RuntimeFrame&) const = default;
};

/// Returns "fetch (/srv/client.py:7)"; without a line or a file where it is not known.
std::string to_text(const RuntimeFrame& frame);

/// Where a thread is: its number as it sees it itself (gettid(2)), and its registers.
struct ThreadPosition {
  pid_t thread = 0;
  Address program_counter = 0;
  Address stack_pointer = 0;
};

/// What a runtime runs on threads of its choice: a goroutine, a task of asyncio.
struct RuntimeTask {
  std::string name;     // "goroutine 7"
  std::string state;    // "IO wait"
  int descriptor = -1;  // that it waits for; -1: not known
  std::string call;     // what it waits for there, "read" or "write"; empty if not known
  std::vector<RuntimeFrame> frames;  // innermost first
  /// When a timer of the runtime ends the wait, on CLOCK_MONOTONIC of the process
  /// (clock_gettime(2)).
  std::optional<std::chrono::nanoseconds> deadline{};
  std::string deadline_setter{};  // what sets it: "a timer of its event loop"
  /// When the next timer is due that may end the wait, or may not; on the same clock.
  std::optional<std::chrono::nanoseconds> other_timer{};
  std::string requester{};  // the task that waits for this one's answer; empty if not known
  std::vector<RuntimeFrame> requester_frames{};
  bool is_object = false;  // it does not wait itself: code that is not known does, for this object
};

class Runtime {
public:
  Runtime() = default;
  Runtime(const Runtime&) = delete;
  Runtime& operator=(const Runtime&) = delete;
  virtual ~Runtime() = default;

  /// "Python 3.11"
  virtual std::string name() const = 0;

  /// What it reads.
  virtual const ProcessMemory& memory() const = 0;

  /// Returns the frames of a thread in a system call, innermost first; empty if it runs no code of
  /// the language. Throws UnreadableMemory if what it reads does not fit together.
  virtual std::vector<RuntimeFrame> frames(const ThreadPosition& thread) const = 0;

  /// Whether tasks() finds all tasks that wait for a descriptor.
  virtual bool knows_tasks() const { return false; }

  /// What a task is called: "task", "goroutine".
  virtual std::string_view task_word() const { return "task"; }

  /// Returns the tasks that wait for a descriptor.
  virtual std::vector<RuntimeTask> tasks() const { return {}; }

  /// Whether a thread in a system call waits there for the descriptors of all tasks. That wait is
  /// the runtime's: its timeout ends none of the tasks'.
  virtual bool polls(const ThreadPosition& /*thread*/) const { return false; }

  /// Whether a native frame, as StackNames writes it, belongs to the interpreter or to code that
  /// the runtime has compiled. The frames of the language take its place.
  virtual bool is_interpreter(std::string_view native_frame) const = 0;
};

/// Returns the frames of a thread as frames() does; empty where that throws.
std::vector<RuntimeFrame> frames_or_none(const Runtime& runtime, const ThreadPosition& thread);

}  // namespace tcplab::capture
