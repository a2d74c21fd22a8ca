// What runs inside a host: its pid 1. It furnishes the namespaces that it was born into, hands
// the lab the descriptors of its NICs, and from then on only reaps orphans. It holds nothing
// open and runs no program; its death ends the host (pid_namespaces(7)).
#pragma once

#include <sched.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "netns/host_config.hh"

namespace tcplab::netns {

/// All but the pid namespace, into which only a child can be born. For TAPs the init makes these
/// itself: a network namespace is made under the kernel's RTNL lock, and the lab must not wait.
constexpr std::uint64_t kInitNamespaces = CLONE_NEWNET | CLONE_NEWNS | CLONE_NEWUTS | CLONE_NEWIPC;

/// The init's orders. It answers on `channel`: one message with the network namespace and the
/// NICs' TAPs in the order of the config, or one without descriptors that says what failed.
struct InitTask {
  const HostConfig& config;
  PortKind kind;
  int channel;    // to the lab; for veth the lab sends a message once the pairs are made
  int lab_pidfd;  // the host dies with the lab
  std::vector<std::pair<std::string, std::string>> stock_sysctls;  // before the config's own
};

[[noreturn]] void run_host_init(const InitTask& task);

}  // namespace tcplab::netns
