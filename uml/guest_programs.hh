// The programs of a guest. Each function throws Refusal, or base::LabError if the guest has died.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "uml/configuration.hh"
#include "uml/guest_files.hh"
#include "uml/guest_kernel.hh"

namespace tcplab::uml {

class GuestPrograms {
public:
  GuestPrograms(GuestKernel& kernel, GuestFiles& files) : kernel_(kernel), files_(files) {}

  /// Starts a program, and returns its pid once execvp(3) has succeeded.
  pid_t start(const ProgramStart& program);
  void input(pid_t program, Bytes bytes);
  void close_input(pid_t program);
  /// Asks the tracer of its programs (capture::to_text()). Returns the answer.
  int ask_tracer(const std::string& request);

  /// Returns false if there is no such process.
  bool signal(pid_t process, int signal);
  /// Sends a signal to all processes with that mark. Returns how many got it.
  std::size_t signal_all(netns::ProcessMark mark, int signal);
  /// Sends a signal to every process except the agent.
  void signal_every(int signal);

  std::vector<pid_t> processes(netns::ProcessMark mark);
  /// Returns the inodes of the sockets that these processes have open.
  std::vector<std::uint32_t> sockets(const std::vector<pid_t>& processes);
  /// True if the process ignores that signal; false if it has ended.
  bool ignores(pid_t process, int signal);
  /// True if the process waits in the kernel; false if it has ended.
  bool sleeps(pid_t process);

private:
  GuestKernel& kernel_;
  GuestFiles& files_;
};

}  // namespace tcplab::uml
