// The process of a guest's kernel, with all that it starts: they are one process group, and die
// together.
#pragma once

#include <sys/types.h>

#include <string>

#include "base/file_descriptor.hh"
#include "uml/guest_clock.hh"

namespace tcplab::uml {

struct KernelRequest {
  std::string kernel;           // the path of a User-mode Linux
  std::string modules;          // a folder with a folder for each release; empty: that of Debian
  unsigned memory = 64;         // megabytes
  bool has_tracepoints = true;  // false: boots faster, but nobody can parse them
};

class KernelProcess {
public:
  /// Starts the kernel. Its network device vec0 is the other end of `channel`. Throws
  /// base::SystemError.
  KernelProcess(const KernelRequest& request, const ClockPlace& place,
                const base::FileDescriptor& channel);
  /// Kills it.
  ~KernelProcess();
  KernelProcess(const KernelProcess&) = delete;
  KernelProcess& operator=(const KernelProcess&) = delete;

  /// Kills all its processes at once, and reaps those that are our children.
  void kill();

  pid_t pid() const { return pid_; }
  /// Readable when it has ended (pidfd_open(2)).
  int end_descriptor() const { return pidfd_.get(); }
  bool has_ended() const;
  /// Waits until it has ended, for some seconds at most.
  void await_end() const;
  /// Returns a descriptor that is readable when the kernel or the agent has said something.
  int console_descriptor() const { return console_.get(); }
  /// Reads what they have said.
  void read_console();
  /// Returns the line that tells best why it has ended: "Kernel panic - not syncing: ...", or
  /// "killed by SIGKILL". Empty if it has said nothing.
  std::string last_words();

private:
  bool was_killed() const;  // by SIGKILL

  base::FileDescriptor console_;
  base::FileDescriptor pidfd_;
  pid_t pid_ = 0;
  std::string said_;  // the end of it
};

/// Returns the line of a console's text that tells best why the kernel has ended.
std::string find_last_words(const std::string& said);

}  // namespace tcplab::uml
