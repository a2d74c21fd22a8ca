// The init of a host: its pid 1. It configures the host's namespaces and sends the lab the
// descriptors of its NICs. Then it closes all other descriptors, reaps orphans, and waits for the
// end of the power. When it dies, the kernel kills every other process of the host
// (pid_namespaces(7)).
#pragma once

#include <sched.h>

#include <cstdint>
#include <ctime>
#include <string>
#include <utility>
#include <vector>

#include "netns/host_config.hh"

namespace tcplab::netns {

/// The namespaces of a host, except its pid namespace, which a process can enter only by being
/// cloned into it, and its mount namespace. With TAPs the init creates these itself: the kernel
/// creates a network namespace under the RTNL lock, and the lab must not wait for that lock.
constexpr std::uint64_t kInitNamespaces = CLONE_NEWNET | CLONE_NEWUTS | CLONE_NEWIPC;

/// The lab sends this signal to an init that is up: the init kills all processes of the host, then
/// removes its NICs, and ends. From a process of the host it has no effect. It is a real-time
/// signal, of which each one arrives. Of two SIGTERMs the kernel may drop the lab's (signal(7)).
constexpr int kPowerOff = 48;

/// In the text of an init's message: one descriptor is of /etc/resolv.conf.
inline constexpr const char* kResolverWord = "resolver";

/// The parameters of an init. On `channel` it sends one message: with descriptors of the network
/// namespace, of /etc/resolv.conf (with kResolverWord), of the TAPs in the order of the NICs, and
/// of the time namespace if there is one; or without descriptors and with an error.
struct InitTask {
  const HostConfig& config;
  PortKind kind;
  int channel;          // to the lab; with veth, the lab sends a message once the pairs exist
  int lab_pidfd;        // for die_with_parent()
  int view;             // the machine's files (machine_view.hh); -1: as the lab sees them
  timespec powered_on;  // CLOCK_BOOTTIME; the uptime of the host counts from it
  std::vector<std::pair<std::string, std::string>> stock_sysctls;  // written before config.sysctls
};

[[noreturn]] void run_host_init(const InitTask& task);

}  // namespace tcplab::netns
