// The interface of a program that runs on a machine: its processes, its sockets, its exit status.
// Its standard streams are pipes of the lab (SpawnRequest::descriptors).
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/clock.hh"
#include "netns/programs/open_sockets.hh"

namespace tcplab::netns {

/// How a program has ended.
struct ProgramEnd {
  bool has_exited = true;  // else a signal has killed it
  int value = 0;           // its status, or the signal
};

/// A program on a machine. The object outlives the program, and the machine's power.
class RunningProgram {
public:
  virtual ~RunningProgram() = default;

  /// Returns its pid: in the lab's pid namespace, or in that of its kernel.
  virtual pid_t pid() const = 0;
  /// Returns a descriptor that is readable once the program has ended. What it wrote to its pipes
  /// is in them by then.
  virtual int end_descriptor() const = 0;
  /// Returns how it has ended, and reaps it; nothing if it cannot be reaped yet.
  virtual std::optional<ProgramEnd> try_wait() = 0;

  /// Sends a signal to its main process, kill(2); false if that has ended.
  virtual bool signal(int signal) = 0;
  /// Sends a signal to all its processes. Returns how many got it.
  virtual std::size_t signal_all(int signal) = 0;
  /// Returns its processes that live, also after the main one has ended.
  virtual std::vector<pid_t> processes() const = 0;
  /// Waits until its main process has ended, or all its processes, but at most so long. Returns
  /// whether they have: then what they had open is closed.
  virtual bool await_end(bool of_all, std::chrono::milliseconds most) = 0;
  /// True if its main process ignores that signal (signal(7)); false if it has ended.
  virtual bool ignores(int signal) const = 0;
  /// True if its main process waits in the kernel.
  virtual bool sleeps() const = 0;

  /// Returns whether its main process has the socket with that inode open (proc_pid_fd(5)).
  virtual Holding look_for(std::uint32_t inode) = 0;
  /// Reads all its descriptors; `of_all`: those of all its processes.
  virtual void read_sockets(bool of_all) = 0;
  /// True if it had that socket when its descriptors were last read.
  virtual bool had(std::uint32_t inode) const = 0;

  /// Returns what to add to a time that the program has read from CLOCK_MONOTONIC.
  virtual base::nanoseconds clock_offset() const { return {}; }
};

}  // namespace tcplab::netns
