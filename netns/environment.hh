// The settings that every host starts with, whatever this machine's are. A new network namespace
// copies some of the machine's settings (tcp_sk_init(), devinet_init_net(), neigh_parms_alloc());
// these replace those that can change a verdict.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tcplab::netns {

struct HostConfig;

using Sysctls = std::vector<std::pair<std::string, std::string>>;

/// The kernel's own defaults, for settings that a namespace copies. "eth0" stands for every NIC.
const Sysctls& pinned_sysctls();

/// Puts settings before those of the host, so that the host's win. "eth0" stands for every NIC.
void add_first(HostConfig& config, const Sysctls& added);

/// Returns the congestion control of hosts that do not choose one: cubic, or reno if this machine
/// does not allow cubic in network namespaces.
std::string usual_congestion_control();

/// Returns why hosts cannot have that congestion control: this machine does not allow it in network
/// namespaces.
std::optional<std::string> missing_congestion_control(const std::string& name);

/// Returns why the NICs of hosts cannot have offloads: only TAP devices can. A veth pair marks the
/// checksum as right for the receiver (veth_xmit() sets CHECKSUM_UNNECESSARY, or leaves
/// CHECKSUM_PARTIAL), so the receiver would accept a frame that a fault has corrupted.
/// Throws base::UsageError as preferred_port_kind().
std::optional<std::string> missing_offloads();

/// Returns what a reader must know about this machine, in sentences: that cubic is not allowed.
std::vector<std::string> environment_notes();

}  // namespace tcplab::netns
