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
#include "netns/machine_view.hh"
#include "netns/message.hh"
#include "netns/netlink.hh"
#include "netns/programs/processes.hh"
#include "netns/sysctl.hh"
#include "netns/tap_port.hh"
#include "netns/veth_port.hh"
#include "netns/view/boot.hh"
#include "netns/view/mounts.hh"

namespace tcplab::netns {

namespace {

using base::FileDescriptor;

// The frames that a TAP queues while the wire is slow; a full TCP window (6 MB) fits. If the queue
// is full, a TAP drops frames, which a NIC with a driver would not do.
constexpr unsigned kTransmitQueueLength = 5000;

std::string hosts_file(const HostConfig& config) {
  std::string text = "127.0.0.1\tlocalhost\n::1\tlocalhost ip6-localhost ip6-loopback\n";
  for (const auto& [name, address] : config.names) text += address.to_string() + "\t" + name + "\n";
  return text;
}

/// Turns off link-local addresses, duplicate address detection and router solicitation, so that a
/// host without programs sends nothing. Keeps addresses when the link goes down, as IPv4 does.
void disable_ipv6_autoconfiguration(const std::string& nic) {
  using Setting = std::pair<const char*, const char*>;
  constexpr std::array kSettings{
      Setting{"addr_gen_mode", "1"},     Setting{"accept_dad", "0"},
      Setting{"dad_transmits", "0"},     Setting{"accept_ra", "0"},
      Setting{"autoconf", "0"},          Setting{"router_solicitations", "0"},

      Setting{"keep_addr_on_down", "1"},
  };
  const std::string folder = "net/ipv6/conf/" + nic + "/";
  if (!has_sysctl(folder + "accept_dad")) return;  // the kernel has no IPv6
  for (const auto& [name, value] : kSettings) write_sysctl(folder + name, value);
}

/// Adds the addresses, and returns once the kernel accepts frames for them.
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
  for (const NicConfig& nic : config.nics) taps.push_back(open_tap(nic.name, nic.has_offloads));
  return taps;
}

void await_veths(int channel) {
  if (receive_message(channel).text.empty()) throw base::LabError("the lab has ended");
}

/// Kills every process of the host before it closes the TAPs, or deletes the veth pairs: that takes
/// the kernel tens of milliseconds. Only the lab's processes have no number here.
[[noreturn]] void end_with_power(const HostConfig& config, PortKind kind) {
  sigset_t awaited;
  sigemptyset(&awaited);
  sigaddset(&awaited, kPowerOff);
  siginfo_t signal{};
  while (sigwaitinfo(&awaited, &signal) == -1 || signal.si_code != SI_USER || signal.si_pid != 0) {
  }
  try {
    // For kill(-1) the kernel looks at every process of the machine, and most of a thousand hosts
    // have none.
    if (!list_processes(getpid()).empty()) kill(-1, SIGKILL);
    if (kind == PortKind::veth)
      for (const NicConfig& nic : config.nics) RouteSocket().delete_link(nic.name);
  } catch (const std::exception&) {
    // The kernel kills and removes the rest with the namespaces.
  }
  _exit(0);
}

/// Creates devices, then writes sysctls, which may name devices, then adds addresses, neighbours
/// and routes, which need a link that is up. Returns the TAPs.
std::vector<FileDescriptor> configure_network(const InitTask& task) {
  RouteSocket route;
  route.change_link("lo", {.up = true});
  std::vector<FileDescriptor> taps;
  if (task.kind == PortKind::tap)
    taps = make_taps(task.config);
  else
    await_veths(task.channel);
  for (const NicConfig& nic : task.config.nics) {
    if (task.kind == PortKind::veth) disable_offloads(nic.name);
    route.change_link(
        nic.name, {.mac = nic.mac, .mtu = nic.mtu, .transmit_queue_length = kTransmitQueueLength});
    disable_ipv6_autoconfiguration(nic.name);
    // 0 is the kernel's default, but a new namespace inherits the machine's setting.
    write_sysctl("net/ipv4/conf/" + nic.name + "/rp_filter", "0");
  }
  for (const auto& [name, value] : task.stock_sysctls) write_sysctl(name, value);
  for (const auto& [name, value] : task.config.sysctls) write_sysctl(name, value);
  bring_up(route, task.config.nics);
  route.add_neighbours(first_neighbours(task.config));
  for (const RouteConfig& destination : task.config.routes) route.add_route(destination);
  return taps;
}

/// Creates the namespaces. The host has its own /proc before it writes sysctls: in one /proc for
/// all hosts, the kernel compares a name with that of every other network namespace
/// (proc_sys_compare()).
void enter_namespaces(const InitTask& task) {
  if (task.view != -1) enter_machine_view(task.view);
  const bool needs_all = task.kind == PortKind::tap;
  base::check("create the host's namespaces",
              unshare(static_cast<int>(CLONE_NEWNS | (needs_all ? kInitNamespaces : 0))));
  make_mounts_private();
  mount_proc();
}

/// Returns a descriptor to write the host's /etc/resolv.conf; empty if there is none.
FileDescriptor configure_files(const InitTask& task) {
  const HostConfig& config = task.config;
  base::check("set the host name", sethostname(config.name.data(), config.name.size()));
  FileDescriptor resolver = mount_host_files(
      {.hosts = hosts_file(config), .name = config.name, .boot_id = new_boot_id()});
  if (!config.containment) return resolver;
  contain_files(*config.containment);
  erase_environment();
  // The link of systemd-resolved(8) leads into /run, which is private now.
  if (access("/etc/resolv.conf", F_OK) == -1) return make_resolver_file();
  return resolver;
}

/// Returns the TAPs.
std::vector<FileDescriptor> configure_host(const InitTask& task) {
  enter_namespaces(task);
  std::vector<FileDescriptor> taps = configure_network(task);
  const FileDescriptor time = begin_uptime(task.powered_on);
  const FileDescriptor resolver = configure_files(task);
  const FileDescriptor network(
      base::check("open the network namespace", open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC)));
  std::vector<int> descriptors{network.get()};
  if (resolver) descriptors.push_back(resolver.get());
  for (const FileDescriptor& tap : taps) descriptors.push_back(tap.get());
  if (time) descriptors.push_back(time.get());
  send_message(task.channel, resolver ? kResolverWord : "ready", descriptors);
  return taps;
}

/// From here on the signal waits for end_with_power().
void block_power_off() {
  sigset_t blocked;
  sigemptyset(&blocked);
  sigaddset(&blocked, kPowerOff);
  sigprocmask(SIG_BLOCK, &blocked, nullptr);
}

void prepare_process(const InitTask& task) {
  restore_signals();
  block_power_off();
  close_all_except(std::array{task.channel, task.lab_pidfd, task.view});
  die_with_parent(task.lab_pidfd);
  prctl(PR_SET_NAME, ("tcplab-" + task.config.name).substr(0, 15).c_str());
}

}  // namespace

void run_host_init(const InitTask& task) {
  std::vector<FileDescriptor> taps;
  try {
    prepare_process(task);
    taps = configure_host(task);
  } catch (const std::exception& error) {
    try {
      send_message(task.channel, error.what());
    } catch (const base::LabError&) {
      // The lab has ended: nobody can receive the error.
    }
    _exit(1);
  }
  std::vector<int> kept;
  kept.reserve(taps.size());
  for (const FileDescriptor& tap : taps) kept.push_back(tap.get());
  close_all_except(kept);
  signal(SIGCHLD, SIG_IGN);  // the kernel reaps orphans (sigaction(2), SA_NOCLDWAIT)
  end_with_power(task.config, task.kind);
}

}  // namespace tcplab::netns
