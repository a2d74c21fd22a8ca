// The frames of the waiting threads of a live process: those of its language where a thread runs
// such code and the runtime is known, else the native ones. And the tasks of its runtime. Nothing
// is stopped or attached to.
#pragma once

#include <sys/types.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "capture/runtimes/runtime.hh"

namespace tcplab::look {

class LiveFrames {
public:
  explicit LiveFrames(pid_t process);
  ~LiveFrames();
  LiveFrames(const LiveFrames&) = delete;
  LiveFrames& operator=(const LiveFrames&) = delete;

  /// Returns the frames of a thread that waits in a system call, innermost first. The first call
  /// for a process reads its files, which takes up to half a second. Empty if the kernel does not
  /// let us read its memory.
  std::vector<std::string> of(const capture::ThreadPosition& thread);

  /// Returns the tasks of the runtime that wait for a descriptor; nothing if they are not known.
  std::optional<std::vector<capture::RuntimeTask>> tasks();

  /// Whether tasks() lists all tasks.
  bool knows_tasks();

  /// What the runtime calls a task.
  std::string task_word();

  /// Returns the known tasks of a runtime that cannot list all; else none.
  std::vector<capture::RuntimeTask> owners();

  /// Whether a thread that waits in a system call does so for all tasks of the runtime.
  bool polls(const capture::ThreadPosition& thread);

  /// "Python 3.11"; empty if no runtime is known, or if nothing was asked of it.
  std::string runtime() const;

private:
  struct State;

  State& state();

  pid_t process_;
  std::unique_ptr<State> state_;
};

}  // namespace tcplab::look
