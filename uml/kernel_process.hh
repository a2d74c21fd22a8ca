// The process of a guest's kernel, and all processes that it starts. They are one process group,
// and die together.
#pragma once

#include <sys/types.h>

#include <memory>
#include <string>

#include "base/file_descriptor.hh"
#include "netns/machine_view.hh"
#include "uml/guest_clock.hh"

namespace tcplab::uml {

struct KernelRequest {
  std::string kernel;           // the path of a User-mode Linux
  std::string modules;          // a folder with a folder for each release; empty: that of Debian
  unsigned memory = 64;         // megabytes
  bool has_tracepoints = true;  // false: boots faster, but nobody can parse them
  bool is_confined = true;      // the process cannot reach the machine (preload/confinement.hh)
  std::shared_ptr<const netns::MachineView> view{};  // what a confined one sees; null: all files
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
  /// Returns the line that best explains why it has ended: "Kernel panic - not syncing: ...", or
  /// "killed by SIGKILL". Empty if it has said nothing.
  std::string last_words();
  /// Says what each of its processes does, for a kernel that hangs: state, place in the machine's
  /// kernel, and processor time. Such as "process 7: S in do_poll.constprop.0, 0.21 s".
  std::string activity() const;

private:
  bool was_killed() const;  // by SIGKILL

  base::FileDescriptor console_;
  base::FileDescriptor pidfd_;
  pid_t pid_ = 0;
  std::string said_;  // the end of it
};

/// Returns the line of a console's text that best explains why the kernel has ended.
std::string find_last_words(const std::string& said);

}  // namespace tcplab::uml
