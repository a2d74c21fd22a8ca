// A host: net, pid, mount and uts namespaces under a tiny init, with NICs whose other end is a
// Port in our hands. The object is the power supply: constructing it is power on, power_off()
// or its destructor is power off. Nothing is pinned in a file system; when the init dies, so
// does every program on the host, and the namespaces with them.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/endpoint.hh"
#include "base/file_descriptor.hh"
#include "netns/mac_address.hh"
#include "netns/port.hh"

namespace tcplab::netns {

struct InterfaceAddress {
  base::IpAddress address;
  unsigned prefix_length = 24;
};

struct NicConfig {
  std::string name = "eth0";
  MacAddress mac;
  std::vector<InterfaceAddress> addresses;
  unsigned mtu = 1500;
  std::string link;  // the name of the segment that it is on; empty where there is only one
};

enum class RouteKind : std::uint8_t { via, unreachable, prohibit, blackhole };

/// A route by a router that a NIC of the host reaches, or one that answers at once.
struct RouteConfig {
  base::IpAddress destination;
  unsigned prefix_length = 0;
  RouteKind kind = RouteKind::via;
  base::IpAddress gateway;  // of the kind `via`
};

/// A neighbour table entry that never expires (NUD_PERMANENT): its link address stays known.
struct NeighbourConfig {
  std::string nic = "eth0";
  base::IpAddress address;
  MacAddress mac;
};

struct HostConfig {
  std::string name;
  std::vector<NicConfig> nics;
  std::vector<NeighbourConfig> neighbours;
  std::vector<RouteConfig> routes;
  std::vector<std::pair<std::string, std::string>> sysctls;    // "net.ipv4.tcp_retries2", "3"
  std::vector<std::pair<std::string, base::IpAddress>> names;  // its /etc/hosts, with localhost
};

/// How NICs are made here: TAP where /dev/net/tun may be opened, else veth pairs with packet
/// sockets, their checksum and segmentation offloads off.
enum class PortKind { tap, veth };
PortKind preferred_port_kind();

struct SpawnRequest {
  std::vector<std::string> command;  // found by PATH when it has no slash
  std::vector<std::pair<std::string, std::string>> environment;  // on top of the inherited one
  // In the program -> ours. 0, 1 and 2 are /dev/null where not mentioned, all others closed.
  std::map<int, int> descriptors;
};

/// A program on a host. The lab is its parent: it must be reaped, through its pidfd or its pid.
struct Spawned {
  pid_t pid = 0;               // in the lab's pid namespace
  base::FileDescriptor pidfd;  // readable when it has ended (pidfd_open(2))
};

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
