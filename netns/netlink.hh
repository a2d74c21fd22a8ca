// Changes links, addresses, routes and neighbours through rtnetlink(7), with libmnl. A RouteSocket
// acts on the network namespace that was current when it was constructed, or on another kernel.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "base/endpoint.hh"
#include "base/kernel_questions.hh"
#include "netns/host_config.hh"
#include "netns/mac_address.hh"

struct nlmsghdr;

namespace tcplab::netns {

/// The changes to a link. Unset members keep their value.
struct LinkChange {
  std::optional<bool> up{};
  std::optional<MacAddress> mac{};
  std::optional<unsigned> mtu{};
  std::optional<unsigned> transmit_queue_length{};
  /// The kernel gives it no link-local address, so it sends no IPv6 packet of its own.
  bool without_ipv6_address = false;
};

/// A request for a veth pair: one end in this network namespace, the other in that of a process.
struct VethRequest {
  std::string name;  // of the end in this namespace
  std::string peer_name;
  pid_t peer_process = 0;
  unsigned mtu = 1500;
};

/// Each function waits for the kernel's answer, and throws base::SystemError that names the link,
/// the address and the attempt.
class RouteSocket {
public:
  RouteSocket();
  /// Asks with NETLINK_ROUTE.
  explicit RouteSocket(std::unique_ptr<base::KernelQuestions> kernel)
      : kernel_(std::move(kernel)) {}

  void change_link(const std::string& link, const LinkChange& change);
  void add_address(const std::string& link, const InterfaceAddress& address);
  void remove_address(const std::string& link, const InterfaceAddress& address);
  /// Adds a route, or replaces the one for the same destination.
  void add_route(const RouteConfig& route);
  /// Removes the route for exactly this destination, of any kind; ESRCH if there is none.
  void remove_route(const base::IpAddress& destination, unsigned prefix_length);
  /// Adds permanent neighbour entries, or replaces those for the same addresses. Sends many
  /// requests in one message, because a large network needs an entry for each pair of its hosts.
  void add_neighbours(std::span<const NeighbourConfig> neighbours);
  void add_veth(const VethRequest& request);
  void delete_link(const std::string& link);

private:
  void change_address(const std::string& attempt, nlmsghdr* request, const std::string& link,
                      const InterfaceAddress& address);
  nlmsghdr* start(char* buffer, std::uint16_t type, std::uint16_t flags);
  void send(const void* request, std::size_t size);
  int index_of(const std::string& link, const std::string& attempt);
  void perform(const std::string& attempt, nlmsghdr* request);
  std::size_t put_neighbour(char* buffer, const NeighbourConfig& neighbour, int link, bool is_last);
  void add_batch(std::span<const NeighbourConfig> neighbours);
  void await_batch(std::span<const NeighbourConfig> neighbours);

  std::unique_ptr<base::KernelQuestions> kernel_;
  std::uint32_t sequence_ = 0;
};

}  // namespace tcplab::netns
