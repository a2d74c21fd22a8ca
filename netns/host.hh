// A host: net, pid, mount and uts namespaces under a small init process. Each NIC ends in a Port
// that the lab holds. Host::power_on() starts a host; power_off() or the destructor ends it.
// Nothing is pinned in a file system: when the init dies, the kernel kills every program on the
// host and frees its namespaces.
#pragma once

#include <sys/types.h>

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/file_descriptor.hh"
#include "netns/host_config.hh"
#include "netns/machine.hh"
#include "netns/namespace_guard.hh"
#include "netns/port.hh"

namespace tcplab::netns {

class Host : public Machine {
public:
  /// Starts all hosts in parallel. Calls `meanwhile` every millisecond until they are up: the
  /// kernel creates network devices under one lock of the whole machine (RTNL), and waiting for a
  /// busy lock can take seconds. Throws base::LabError that names the host and the attempt.
  static std::vector<std::unique_ptr<Host>> power_on(std::span<const HostConfig> configs,
                                                     PortKind kind = preferred_port_kind(),
                                                     const std::function<void()>& meanwhile = {});
  ~Host() override;
  Host(const Host&) = delete;
  Host& operator=(const Host&) = delete;

  const HostConfig& config() const override;
  Port& port(const std::string& nic) override;
  int network_namespace() const;  // for NamespaceGuard

  std::unique_ptr<base::KernelQuestions> ask_sockets() override;
  std::unique_ptr<base::KernelNews> hear_destroyed() override;

  /// Starts a program, and returns once execvp(3) has succeeded. The program runs in the lab's
  /// current folder, with default signal dispositions, in its own session, so that Ctrl-C at the
  /// terminal reaches only the lab. Throws base::LabError with the errno of execvp(3), for example
  /// if there is no such program.
  Spawned spawn(const SpawnRequest& request);
  std::unique_ptr<RunningProgram> start(const SpawnRequest& request) override;

  /// Returns every live process of the host except its init, as pids in the lab's namespace.
  std::vector<pid_t> processes() const;
  void signal_programs(int signal) override;

  /// Calls a function in a short-lived process that has the root folder and the mounts of the host,
  /// and the lab's privileges. Returns the text of its exception, empty if it has returned.
  std::string do_inside(const std::function<void()>& task);

  /// Replaces the text of the host's /etc/resolv.conf (resolv.conf(5)), which is empty at first.
  /// Throws base::LabError if the machine has no such file.
  void write_resolver_file(const std::string& text) override;

  void write_private_file(const PrivateFile& file) override;

  std::unique_ptr<base::KernelQuestions> ask_network(const std::string& attempt) override;
  KernelSysctls& sysctls() override { return *sysctls_; }

  /// Kills every process, closes the ports and releases the namespaces. Detach the ports from the
  /// wire first: otherwise the peers see the FIN and RST segments of the dying programs.
  /// The caller must reap the programs that spawn() returned. The init cannot end before them; a
  /// later power_on() reaps it. The init unregisters the NICs, which takes the kernel tens of
  /// milliseconds.
  void power_off() override;

  Host* namespaces() override { return this; }

private:
  struct Implementation;
  class NamespaceSysctls;
  explicit Host(std::unique_ptr<Implementation> implementation);

  std::unique_ptr<Implementation> implementation_;
  std::unique_ptr<KernelSysctls> sysctls_;
};

}  // namespace tcplab::netns
