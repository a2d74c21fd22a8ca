// The sysctls that the kernel of a kernel host may refuse. They are set after the start of the
// host, so that a refusal skips the run. At the start, a refusal would break it.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "netns/host_config.hh"
#include "netns/machine.hh"

namespace tcplab::lab {

inline constexpr const char* kCongestionControl = "net.ipv4.tcp_congestion_control";

class LateSysctls {
public:
  explicit LateSysctls(std::vector<std::string> names) : names_(std::move(names)) {}
  void add(const std::string& name) { names_.push_back(name); }

  /// Returns the configurations without these sysctls.
  std::vector<netns::HostConfig> without(std::vector<netns::HostConfig> configs) const;

  /// Sets those that the configuration has. Throws Skip if the kernel, `release`, has no such
  /// sysctl or no such congestion control.
  void set(netns::Machine& machine, const netns::HostConfig& config,
           const std::string& release) const;

private:
  std::vector<std::string> names_;
};

}  // namespace tcplab::lab
