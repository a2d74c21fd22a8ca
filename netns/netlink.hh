// Links, addresses, routes and neighbours of the network namespace that a RouteSocket was made in
// (rtnetlink(7), through libmnl). Each verb waits for the kernel's answer.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "base/endpoint.hh"
#include "netns/host_config.hh"
#include "netns/mac_address.hh"

struct mnl_socket;
struct nlmsghdr;

namespace tcplab::netns {

/// What to change of a link; what is not set stays as it is.
struct LinkChange {
  std::optional<bool> up{};
  std::optional<MacAddress> mac{};
  std::optional<unsigned> mtu{};
  std::optional<unsigned> transmit_queue_length{};
};

/// A veth pair to be made: one end here, the other born in the network namespace of a process.
struct VethRequest {
  std::string name;  // here
  std::string peer_name;
  pid_t peer_process = 0;
  unsigned mtu = 1500;
};

/// Every verb throws base::SystemError, which names link, address and attempt.
class RouteSocket {
public:
  RouteSocket();

  void change_link(const std::string& link, const LinkChange& change);
  void add_address(const std::string& link, const InterfaceAddress& address);
  void remove_address(const std::string& link, const InterfaceAddress& address);
  /// Replaces what there was for that destination.
  void add_route(const RouteConfig& route);
  /// Of whatever kind; ESRCH when there is none for exactly that destination.
  void remove_route(const base::IpAddress& destination, unsigned prefix_length);
  /// A permanent one; replaces what is known of that address.
  void add_neighbour(const std::string& link, const base::IpAddress& address, MacAddress mac);
  void add_veth(const VethRequest& request);
  void delete_link(const std::string& link);

private:
  struct Closer {
    void operator()(mnl_socket* socket) const;
  };

  void change_address(const std::string& attempt, nlmsghdr* request, const std::string& link,
                      const InterfaceAddress& address);
  nlmsghdr* start(char* buffer, std::uint16_t type, std::uint16_t flags);
  void perform(const std::string& attempt, nlmsghdr* request);

  std::unique_ptr<mnl_socket, Closer> socket_;
  std::uint32_t sequence_ = 0;
};

}  // namespace tcplab::netns
