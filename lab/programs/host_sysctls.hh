// The sysctls of a host, which can be paused: set to other values for some time.
#pragma once

#include <map>
#include <string>

#include "lab/programs/host_machine.hh"
#include "netns/environment.hh"

namespace tcplab::lab {

class HostSysctls {
public:
  explicit HostSysctls(HostMachine& machine) : machine_(machine) {}
  HostSysctls(const HostSysctls&) = delete;
  HostSysctls& operator=(const HostSysctls&) = delete;

  /// Sets it now, and at the start of each later incarnation.
  void write(const std::string& name, const std::string& value);
  /// Returns the kernel's value, or `built_in` if the kernel does not have it.
  long read(const std::string& name, long built_in);
  /// Sets these sysctls until resume(). Scripts see the values from before. Does nothing if they
  /// are set already, or if the host has no power.
  void pause(const netns::Sysctls& sysctls);
  void resume();
  /// The host has lost its power: the next machine begins with its configuration.
  void power_went() { paused_.clear(); }

private:
  HostMachine& machine_;
  std::map<std::string, std::string> paused_;  // as they were before pause()
};

}  // namespace tcplab::lab
