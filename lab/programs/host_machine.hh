// The machine of a host, on or off, and the configuration that its next incarnation begins with.
#pragma once

#include <memory>
#include <string>

#include "netns/host_config.hh"
#include "netns/machine.hh"

namespace tcplab::lab {

class HostMachine {
public:
  explicit HostMachine(netns::HostConfig configuration) : config(std::move(configuration)) {}

  const std::string& name() const { return config.name; }
  bool is_on() const { return machine_ != nullptr; }
  /// Throws base::UsageError if the power is off.
  netns::Machine& get() const;

  /// Returns the machine if its kernel has the TCP of the host. Throws Skip, whose text begins with
  /// `what`, if it has a TCP stack of its own.
  netns::Machine& with_kernel_tcp(const std::string& what) const;

  void came_up(std::unique_ptr<netns::Machine> machine) { machine_ = std::move(machine); }
  /// Cuts the power.
  void power_off();

  netns::HostConfig config;

private:
  std::unique_ptr<netns::Machine> machine_;
};

}  // namespace tcplab::lab
