// A core file (core(5)): the memory, the mapped files and the threads of a process at its end.
#pragma once

#include <sys/types.h>

#include <memory>
#include <string>
#include <vector>

#include "capture/calls/call_stop.hh"
#include "capture/calls/stack_copy.hh"
#include "capture/memory/process_image.hh"
#include "capture/memory/program_identity.hh"

namespace tcplab::capture {

struct CoreThread {
  pid_t id = 0;
  StackCopy stack{};  // its copy of memory has the innermost 64 KB
  /// The call that the thread was in; its `call` is null if it was in none that the tracer knows.
  CallStop stop{};
};

class CoreFile {
public:
  /// Reads a core file of this kind of machine. Throws base::UsageError if it is none, or if it is
  /// cut off before its notes.
  explicit CoreFile(const std::string& path);
  CoreFile(const CoreFile&) = delete;
  CoreFile& operator=(const CoreFile&) = delete;
  ~CoreFile();

  pid_t process() const { return process_; }
  const std::string& command() const { return command_; }  // at most 80 bytes
  int signal() const { return signal_; }                   // that ended it; 0: none
  /// The mapped files that are gone, or others than the process had: on another machine, say. Their
  /// code is not known, so frames in them have no names.
  const std::vector<std::string>& foreign_files() const { return foreign_; }
  const ProgramIdentity& identity() const { return identity_; }
  /// The thread that the signal ended is the first.
  const std::vector<CoreThread>& threads() const { return threads_; }
  const ProcessMemory& memory() const;
  const ProcessImage& image() const { return *image_; }

private:
  class Memory;

  void read_notes(const std::string& path);

  pid_t process_ = 0;
  std::string command_;
  int signal_ = 0;
  ProgramIdentity identity_;
  std::vector<std::string> foreign_;
  std::vector<CoreThread> threads_;
  std::unique_ptr<Memory> memory_;
  std::unique_ptr<ProcessImage> image_;
};

}  // namespace tcplab::capture
