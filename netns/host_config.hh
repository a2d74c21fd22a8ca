// The configuration of a host (NICs, addresses, routes, neighbours, sysctls, names), and the
// request to start a program on it. Values only.
#pragma once

#include <sys/resource.h>
#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/endpoint.hh"
#include "base/file_descriptor.hh"
#include "base/shared_vector.hh"
#include "netns/mac_address.hh"
#include "netns/programs/processes.hh"
#include "netns/view/containment.hh"
#include "netns/view/program_user.hh"

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
  bool has_offloads = false;  // does checksums and TCP segmentation for the host; only a TAP can
  std::string link;           // the name of its network segment; empty if there is only one
};

enum class RouteKind : std::uint8_t { via, unreachable, prohibit, blackhole };

/// A route through a router on a link of the host, or a route that the kernel answers at once with
/// an error or by discarding (ip-route(8): unreachable, prohibit, blackhole).
struct RouteConfig {
  base::IpAddress destination;
  unsigned prefix_length = 0;
  RouteKind kind = RouteKind::via;
  base::IpAddress gateway;  // for RouteKind::via
};

/// A neighbour table entry that never expires (NUD_PERMANENT).
struct NeighbourConfig {
  std::string nic = "eth0";
  base::IpAddress address;
  MacAddress mac;
};

struct HostConfig {
  std::string name;
  std::vector<NicConfig> nics;
  base::SharedVector<NeighbourConfig> neighbours;  // one with an address of the host has no effect
  // The lab adds each of them when the kernel asks for it, not when the host starts: a thousand
  // hosts would need a million entries.
  bool adds_neighbours_later = false;
  std::vector<RouteConfig> routes;
  std::vector<std::pair<std::string, std::string>> sysctls;  // "net.ipv4.tcp_retries2", "3"
  base::SharedVector<std::pair<std::string, base::IpAddress>> names;  // for /etc/hosts
  std::optional<Containment> containment;  // nothing: programs can change the machine's files
  bool is_peer = false;                    // has no kernel: a script sends its segments
};

/// Returns the neighbours without the host itself.
std::vector<NeighbourConfig> neighbours_of(const HostConfig& host);
/// Returns those to add when the host starts, or its link comes up.
std::vector<NeighbourConfig> first_neighbours(const HostConfig& host);

/// How a NIC is made: as a TAP device, or as a veth pair with a packet socket.
enum class PortKind { tap, veth };
/// Returns the kind that the environment variable TCPLAB_PORTS names. By default, returns `tap` if
/// this process can open /dev/net/tun, else `veth`.
PortKind preferred_port_kind();

/// Takes part in the start of a program.
class SpawnHook {
public:
  virtual ~SpawnHook() = default;
  /// In the lab, once the process exists.
  virtual void in_lab(pid_t pid) = 0;
  /// In the new process, first of all: it may wait there for in_lab().
  virtual void in_child() = 0;
  /// In the new process, before it drops its privileges and calls execvp(3).
  virtual void before_exec() = 0;
};

/// For a machine that has a tracer itself (MachineAgent::ask_tracer()).
struct Tracing {
  int calls = -1;                     // ours: the program's calls are written there
  std::vector<std::string> requests;  // to the tracer, before the program calls exec
};

using Environment = std::vector<std::pair<std::string, std::string>>;

/// A limit of a process, soft and hard (getrlimit(2)).
struct ResourceLimit {
  std::string name;
  int resource = 0;
  rlim_t value = 0;
};

struct SpawnRequest {
  std::vector<std::string> command;  // searched in PATH if it has no slash
  Environment environment;
  bool inherits_environment = true;  // the lab's, before `environment`
  Privileges privileges = Privileges::all;
  bool user_namespaces = false;       // may make some, unless it has all privileges
  std::optional<ProgramUser> user{};  // nothing: the lab's
  std::string folder{};               // empty: the lab's
  std::vector<ResourceLimit> limits{};
  bool has_terminal = false;  // its descriptor 0 becomes its controlling terminal; see Machine
  ProcessMark mark{};         // of all processes that it will ever start
  // Maps descriptors of the program to ours. 0, 1 and 2 are /dev/null if missing here; all others
  // are closed.
  std::map<int, int> descriptors;
  SpawnHook* hook = nullptr;
  std::optional<Tracing> tracing{};   // nothing: the machine does not trace it
  std::function<void()> meanwhile{};  // called often until the program has started; may be empty
};

/// A program on a host. Its parent is the lab, which must reap it, by pidfd or pid.
struct Spawned {
  pid_t pid = 0;               // in the lab's pid namespace
  base::FileDescriptor pidfd;  // readable when it has ended (pidfd_open(2))
};

}  // namespace tcplab::netns
