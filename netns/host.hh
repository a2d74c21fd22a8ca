// A host: net, pid, mount and uts namespaces under a tiny init, with NICs whose other end is a
// Port in our hands. The object is the power supply: constructing it is power on, power_off()
// or its destructor is power off. Nothing is pinned in a file system; when the init dies, so
// does every program on the host, and the namespaces with them.
#pragma once

#include <sys/types.h>

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/file_descriptor.hh"
#include "netns/host_config.hh"
#include "netns/port.hh"

namespace tcplab::netns {

class Host {
public:
  /// Powers all of them on, side by side. Throws base::LabError that names host and attempt.
  /// `meanwhile` is called every millisecond until they are: the kernel makes devices under one
  /// lock for the whole machine (RTNL), and when that is busy it can take seconds.
  static std::vector<std::unique_ptr<Host>> power_on(std::span<const HostConfig> configs,
                                                     PortKind kind = preferred_port_kind(),
                                                     const std::function<void()>& meanwhile = {});
  ~Host();
  Host(const Host&) = delete;
  Host& operator=(const Host&) = delete;

  const HostConfig& config() const;
  Port& port(const std::string& nic);
  int network_namespace() const;  // for NamespaceGuard

  /// Returns when the program has been executed: in the lab's folder, in a session of its own
  /// (a Ctrl-C at the terminal is the lab's alone), with every signal as a login shell has it.
  /// Throws base::LabError: no such program, not executable (the child's execvp(3) errno).
  Spawned spawn(const SpawnRequest& request);

  /// Every live process of the host but its init, as pids in the lab's namespace.
  std::vector<pid_t> processes() const;

  void set_link(const std::string& nic, bool up);
  void write_sysctl(const std::string& name, const std::string& value);
  std::string read_sysctl(const std::string& name) const;
  bool has_sysctl(const std::string& name) const;

  /// Kills everything at once, closes the ports and drops the namespaces. The ports must have
  /// been detached from the wire before: that is what makes it a power cut and not an exit.
  /// Children of ours that ran on it are left to be reaped by whoever watches their pidfd; the
  /// host's init, which cannot end before them, is not waited for but reaped at a later call.
  /// Unregistering its devices, tens of milliseconds in the kernel, is a short-lived child's work.
  void power_off();

private:
  struct Implementation;
  explicit Host(std::unique_ptr<Implementation> implementation);
  std::unique_ptr<Implementation> implementation_;
};

/// Enters a network namespace for the life of the guard; sockets made meanwhile belong to it.
class NamespaceGuard {
public:
  explicit NamespaceGuard(int network_namespace);
  ~NamespaceGuard();
  NamespaceGuard(const NamespaceGuard&) = delete;
  NamespaceGuard& operator=(const NamespaceGuard&) = delete;

private:
  base::FileDescriptor home_;
};

}  // namespace tcplab::netns
