// The interface of a machine that is on: its NICs, its kernel's tables and settings, its programs.
// There are four kinds: namespace hosts (netns::Host), kernel hosts (uml::Guest), stack hosts
// (lab/hosts/stack_machine), whose TCP is in a process, and peers (lab/hosts/peer_machine), whose
// segments a script sends.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/endpoint.hh"
#include "base/error.hh"
#include "base/kernel_questions.hh"
#include "netns/host_config.hh"
#include "netns/kernel_sysctls.hh"
#include "netns/machine_agent.hh"
#include "netns/port.hh"
#include "netns/running_program.hh"

namespace tcplab::netns {

class Host;
struct PrivateFile;

/// The sock_diag(7) answers about the connection of a frame. The kernel gives them right after it
/// has sent or received the frame, before any program runs. There are several if the host has sent
/// frames that the wire has not read yet.
struct FrameAnswer {
  base::Endpoint local;
  base::Endpoint remote;
  std::vector<base::Bytes> answers;  // the oldest first
};

/// What a TCP stack of its own can do for a script, besides sending segments (docs/stacks.md).
struct StackService {
  bool makes_calls = true;              // those of dnc
  std::optional<std::uint16_t> port{};  // where it listens by itself
  bool echoes = false;                  // what comes to that port
};

class Machine {
public:
  /// Cuts the power.
  virtual ~Machine() = default;

  virtual const HostConfig& config() const = 0;
  /// Returns the name of the TCP stack that the machine has instead of its kernel's: "lwip". Nobody
  /// can ask for its sockets, and it has no sysctls. Empty if its kernel has the TCP.
  virtual std::string own_stack() const { return {}; }
  virtual StackService stack_service() const { return {}; }
  /// Returns the process of that stack; 0 if there is none.
  virtual pid_t stack_process() const { return 0; }
  /// From here on, `hear` is called with what that stack writes on its standard streams ("stdout",
  /// "stderr"), and first with what it has written so far.
  virtual void hear_stack(
      const std::function<void(const std::string& stream, const std::string& text)>& /*hear*/) {}
  virtual Port& port(const std::string& nic) = 0;
  /// Sends a frame from the NIC of a peer. Throws base::LabError if the machine is no peer.
  virtual void send_frame(Bytes /*frame*/) {
    throw base::LabError(config().name + " is no peer: its kernel sends its frames");
  }

  /// Returns the way to send sock_diag(7) requests to its kernel.
  virtual std::unique_ptr<base::KernelQuestions> ask_sockets() = 0;
  /// Subscribes to its kernel's notifications of destroyed TCP sockets.
  virtual std::unique_ptr<base::KernelNews> hear_destroyed() = 0;
  /// Returns the answers that came with the frame that one of its ports has read or written last;
  /// nothing if the caller must ask the kernel itself.
  virtual std::optional<FrameAnswer> frame_answer() const { return std::nullopt; }

  /// Returns whether the machine makes the terminals of its programs (SpawnRequest::has_terminal)
  /// itself. What is typed is then read from the request's descriptor 0, and all that is shown
  /// is written to its descriptor 1.
  virtual bool makes_terminals() const { return false; }
  /// Starts a program, and returns once execvp(3) has succeeded. Throws base::LabError with the
  /// errno of execvp(3), for example if there is no such program.
  virtual std::unique_ptr<RunningProgram> start(const SpawnRequest& request) = 0;
  /// Waits until what its ended programs had open is closed. A kernel has closed it when a program
  /// is gone; a TCP stack of its own is asked to. Calls `meanwhile` often. At most for a second.
  virtual void settle(const std::function<void()>& /*meanwhile*/) {}
  /// Sends a signal to every process of the machine except its init.
  virtual void signal_programs(int signal) = 0;

  /// Returns the way to send rtnetlink(7) requests to its kernel, for MachineNetwork
  /// (machine_network.hh). `attempt`: what for, such as "add a route", for the error of a machine
  /// without power.
  virtual std::unique_ptr<base::KernelQuestions> ask_network(const std::string& attempt) = 0;
  virtual KernelSysctls& sysctls() = 0;

  /// Replaces the text of the host's /etc/resolv.conf (resolv.conf(5)), which is empty at first.
  virtual void write_resolver_file(const std::string& text) = 0;

  /// Writes a file into a private folder: write_private() (private_file.hh). Throws
  /// base::UsageError.
  virtual void write_private_file(const PrivateFile& file) = 0;

  /// Cuts the power: every process ends at once. Detach the ports from the wire first.
  virtual void power_off() = 0;

  /// Returns the namespaces of the machine; null if it is a kernel host.
  virtual Host* namespaces() { return nullptr; }
  /// Returns the agent of a kernel host. Throws base::LabError if the machine has namespaces.
  virtual MachineAgent& agent() {
    throw base::LabError(config().name + ": the lab does this in the namespaces of the host");
  }
};

}  // namespace tcplab::netns
