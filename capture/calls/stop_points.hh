// Places in the code of programs at which a tracer stops their threads: probes (capture/probes).
#pragma once

#include <sys/types.h>

#include <cstdint>

#include "capture/calls/injections.hh"

namespace tcplab::capture {

/// A thread that a tracer has stopped.
struct StoppedThread {
  pid_t process = 0;
  pid_t thread = 0;
  TracedProgram program = 0;
};

/// A part of a file that the thread's process has mapped with mmap(2): for execution, or at a fixed
/// address.
struct MappedPart {
  std::uint64_t address = 0;
  std::uint64_t size = 0;
  std::uint64_t offset = 0;  // in the file
  int descriptor = -1;       // of the file
  bool is_executable = false;
};

class StopPoints {
public:
  virtual ~StopPoints() = default;

  /// The process runs another program since its exec(2).
  virtual void at_exec(const StoppedThread& thread) = 0;
  /// The call that has mapped it returns.
  virtual void at_mapping(const StoppedThread& thread, const MappedPart& part) = 0;
  /// The thread gets SIGTRAP. Returns whether a stop point is the cause: then the thread goes on
  /// without the signal.
  virtual bool at_trap(const StoppedThread& thread) = 0;
  /// The process has ended.
  virtual void ended(pid_t process) = 0;
};

}  // namespace tcplab::capture
