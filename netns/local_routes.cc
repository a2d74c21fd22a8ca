#include "netns/local_routes.hh"

#include <linux/rtnetlink.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <libmnl/libmnl.h>
#include <optional>

#include "base/error.hh"

namespace tcplab::netns {

namespace {

constexpr timeval kTimeout{.tv_sec = 60, .tv_usec = 0};

int take_destination(const nlattr* attribute, void* into) {
  if (mnl_attr_get_type(attribute) == RTA_DST)
    *static_cast<std::optional<base::IpAddress>*>(into) =
        base::IpAddress::from_bytes(base::Family::ipv6, mnl_attr_get_payload(attribute));
  return MNL_CB_OK;
}

/// Returns the address of a new local IPv6 route; nullopt for other messages.
std::optional<base::IpAddress> local_address(const nlmsghdr& message) {
  if (message.nlmsg_type != RTM_NEWROUTE) return std::nullopt;
  const auto* route = static_cast<const rtmsg*>(mnl_nlmsg_get_payload(&message));
  if (route->rtm_family != AF_INET6 || route->rtm_type != RTN_LOCAL) return std::nullopt;
  std::optional<base::IpAddress> address;
  mnl_attr_parse(&message, sizeof(rtmsg), take_destination, &address);
  return address;
}

}  // namespace

void LocalRoutes::Closer::operator()(mnl_socket* socket) const { mnl_socket_close(socket); }

LocalRoutes::LocalRoutes() : socket_(mnl_socket_open2(NETLINK_ROUTE, SOCK_CLOEXEC)) {
  if (!socket_) throw base::SystemError("open a netlink socket", errno);
  base::check("subscribe to new IPv6 routes",
              mnl_socket_bind(socket_.get(), RTMGRP_IPV6_ROUTE, MNL_SOCKET_AUTOPID));
  base::check("limit the wait for new IPv6 routes",
              ::setsockopt(mnl_socket_get_fd(socket_.get()), SOL_SOCKET, SO_RCVTIMEO, &kTimeout,
                           sizeof kTimeout));
}

void LocalRoutes::await(const base::IpAddress& address) {
  while (std::ranges::find(local_, address) == local_.end()) receive_routes(address);
}

void LocalRoutes::receive_routes(const base::IpAddress& awaited) {
  std::array<char, 8192> buffer;
  const ssize_t size = mnl_socket_recvfrom(socket_.get(), buffer.data(), buffer.size());
  if (size == -1 && errno == EINTR) return;
  if (size == -1 && errno == EAGAIN)
    throw base::LabError("the kernel added no local route for " + awaited.to_string() +
                         " within 60 s");
  base::check("receive new IPv6 routes", size);
  int left = static_cast<int>(size);
  for (const auto* message = reinterpret_cast<const nlmsghdr*>(buffer.data());
       mnl_nlmsg_ok(message, left); message = mnl_nlmsg_next(message, &left))
    if (const auto address = local_address(*message)) local_.push_back(*address);
}

}  // namespace tcplab::netns
