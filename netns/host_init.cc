#include "netns/host_init.hh"

#include <fcntl.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <exception>
#include <utility>

#include "base/error.hh"
#include "netns/clone.hh"
#include "netns/local_routes.hh"
#include "netns/message.hh"
#include "netns/mounts.hh"
#include "netns/netlink.hh"
#include "netns/sysctl.hh"
#include "netns/tap_port.hh"
#include "netns/veth_port.hh"

namespace tcplab::netns {

namespace {

using base::FileDescriptor;

// What the stack holds for a wire that is slow to take it. Beyond that a TAP drops frames, which
// a NIC with a driver behind it would not do; a full TCP window (6 MB) fits.
constexpr unsigned kTransmitQueueLength = 5000;

std::string hosts_file(const HostConfig& config) {
  std::string text = "127.0.0.1\tlocalhost\n::1\tlocalhost ip6-localhost ip6-loopback\n";
  for (const auto& [name, address] : config.names) text += address.to_string() + "\t" + name + "\n";
  return text;
}

/// IPv6 as the config has it and no more: no link-local address, no duplicate address detection,
/// no router solicitation, so that a host without programs has nothing to say. Addresses
/// outlive a link that goes down, as those of IPv4 do.
void quieten_ipv6(const std::string& nic) {
  using Setting = std::pair<const char*, const char*>;
  constexpr std::array kSettings{
      Setting{"addr_gen_mode", "1"},     Setting{"accept_dad", "0"},
      Setting{"dad_transmits", "0"},     Setting{"accept_ra", "0"},
      Setting{"autoconf", "0"},          Setting{"router_solicitations", "0"},

      Setting{"keep_addr_on_down", "1"},
  };
  const std::string folder = "net/ipv6/conf/" + nic + "/";
  if (!has_sysctl(folder + "accept_dad")) return;  // a kernel without IPv6
  for (const auto& [name, value] : kSettings) write_sysctl(folder + name, value);
}

/// Returns when what arrives for the addresses will be taken.
void bring_up(RouteSocket& route, const std::vector<NicConfig>& nics) {
  LocalRoutes local;
  for (const NicConfig& nic : nics) {
    for (const InterfaceAddress& address : nic.addresses) route.add_address(nic.name, address);
    route.change_link(nic.name, {.up = true});
  }
  for (const NicConfig& nic : nics)
    for (const InterfaceAddress& address : nic.addresses)
      if (address.address.family == base::Family::ipv6) local.await(address.address);
}

std::vector<FileDescriptor> make_taps(const HostConfig& config) {
  std::vector<FileDescriptor> taps;
  for (const NicConfig& nic : config.nics) taps.push_back(open_tap(nic.name));
  return taps;
}

void await_veths(int channel) {
  if (receive_message(channel).text.empty()) throw base::LabError("the lab is gone");
}

/// Devices, then settings (which may name them), then addresses, then what needs a link.
std::vector<FileDescriptor> furnish_network(const InitTask& task) {
  RouteSocket route;
  route.change_link("lo", {.up = true});
  std::vector<FileDescriptor> taps;
  if (task.kind == PortKind::tap)
    taps = make_taps(task.config);
  else
    await_veths(task.channel);
  for (const NicConfig& nic : task.config.nics) {
    if (task.kind == PortKind::veth) switch_offloads_off(nic.name);
    route.change_link(
        nic.name, {.mac = nic.mac, .mtu = nic.mtu, .transmit_queue_length = kTransmitQueueLength});
    quieten_ipv6(nic.name);
    // The kernel's default, which a machine's own setting hides: a new namespace inherits that.
    write_sysctl("net/ipv4/conf/" + nic.name + "/rp_filter", "0");
  }
  for (const auto& [name, value] : task.stock_sysctls) write_sysctl(name, value);
  for (const auto& [name, value] : task.config.sysctls) write_sysctl(name, value);
  bring_up(route, task.config.nics);
  for (const NeighbourConfig& neighbour : task.config.neighbours)
    route.add_neighbour(neighbour.nic, neighbour.address, neighbour.mac);
  for (const RouteConfig& destination : task.config.routes) route.add_route(destination);
  return taps;
}

void furnish_files(const HostConfig& config) {
  base::check("set the host name", sethostname(config.name.data(), config.name.size()));
  make_mounts_private();
  mount_proc();
  mount_host_files(hosts_file(config), config.name);
}

void furnish(const InitTask& task) {
  if (task.kind == PortKind::tap)
    base::check("make its namespaces", unshare(static_cast<int>(kInitNamespaces)));
  const std::vector<FileDescriptor> taps = furnish_network(task);
  furnish_files(task.config);
  const FileDescriptor network(
      base::check("open the network namespace", open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC)));
  std::vector<int> handed{network.get()};
  for (const FileDescriptor& tap : taps) handed.push_back(tap.get());
  send_message(task.channel, "ready", handed);
}

void become_init(const InitTask& task) {
  restore_signals();
  close_others(std::array{task.channel, task.lab_pidfd});
  die_with_parent(task.lab_pidfd);
  prctl(PR_SET_NAME, ("tcplab-" + task.config.name).substr(0, 15).c_str());
}

}  // namespace

void run_host_init(const InitTask& task) {
  try {
    become_init(task);
    furnish(task);
  } catch (const std::exception& error) {
    try {
      send_message(task.channel, error.what());
    } catch (const base::LabError&) {
      // The lab is gone, and nobody is left to be told.
    }
    _exit(1);
  }
  close_others({});
  signal(SIGCHLD, SIG_IGN);  // orphans are reaped by the kernel (sigaction(2), SA_NOCLDWAIT)
  for (;;) pause();
}

}  // namespace tcplab::netns
