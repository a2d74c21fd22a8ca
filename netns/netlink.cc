#include "netns/netlink.hh"

#include <linux/if_link.h>
#include <linux/neighbour.h>
#include <linux/rtnetlink.h>
#include <linux/veth.h>
#include <net/if.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <libmnl/libmnl.h>
#include <map>
#include <vector>

#include "base/error.hh"

namespace tcplab::netns {

namespace {

// The longest request, for a veth pair, is about 200 bytes. The kernel echoes it in an error.
using RequestBuffer = std::array<char, 4096>;

// A request for a neighbour has at most 64 bytes: two headers, an IPv6 address and a MAC address.
constexpr std::size_t kNeighbourRequest = 128;
constexpr std::size_t kNeighboursInBatch = 512;  // 32 KiB fit into a socket's send buffer

template <typename Header>
Header* put_header(nlmsghdr* request) {
  return static_cast<Header*>(mnl_nlmsg_put_extra_header(request, sizeof(Header)));
}

unsigned char address_family(const base::IpAddress& address) {
  return address.family == base::Family::ipv4 ? AF_INET : AF_INET6;
}

/// Sets IN6_ADDR_GEN_MODE_NONE. The sysctl disable_ipv6 would do, too, but see sysctl.cc.
void put_no_ipv6_address(nlmsghdr* request) {
  auto* families = mnl_attr_nest_start(request, IFLA_AF_SPEC);
  auto* ipv6 = mnl_attr_nest_start(request, AF_INET6);
  mnl_attr_put_u8(request, IFLA_INET6_ADDR_GEN_MODE, IN6_ADDR_GEN_MODE_NONE);
  mnl_attr_nest_end(request, ipv6);
  mnl_attr_nest_end(request, families);
}

std::string with_prefix(const base::IpAddress& address, unsigned prefix_length) {
  return address.to_string() + "/" + std::to_string(prefix_length);
}

std::string attempt_to_add(const NeighbourConfig& neighbour) {
  return "add a neighbour entry for " + neighbour.address.to_string() + " on " + neighbour.nic;
}

unsigned char type_of(RouteKind kind) {
  switch (kind) {
    case RouteKind::via:
      return RTN_UNICAST;
    case RouteKind::unreachable:
      return RTN_UNREACHABLE;
    case RouteKind::prohibit:
      return RTN_PROHIBIT;
    case RouteKind::blackhole:
      return RTN_BLACKHOLE;
  }
  return RTN_UNSPEC;
}

rtmsg* put_destination(nlmsghdr* request, const base::IpAddress& destination,
                       unsigned prefix_length) {
  auto* header = put_header<rtmsg>(request);
  header->rtm_family = address_family(destination);
  header->rtm_dst_len = static_cast<unsigned char>(prefix_length);
  header->rtm_table = RT_TABLE_MAIN;
  mnl_attr_put(request, RTA_DST, destination.size(), destination.bytes.data());
  return header;
}

}  // namespace

RouteSocket::RouteSocket() : kernel_(base::ask_this_kernel(NETLINK_ROUTE)) {}

void RouteSocket::send(const void* request, std::size_t size) {
  kernel_->send({static_cast<const std::uint8_t*>(request), size});
}

// Not if_nametoindex(3), which asks this kernel.
int RouteSocket::index_of(const std::string& link, const std::string& attempt) {
  RequestBuffer buffer;
  nlmsghdr* request = mnl_nlmsg_put_header(buffer.data());  // with no number of its own
  request->nlmsg_type = RTM_GETLINK;
  request->nlmsg_flags = NLM_F_REQUEST;  // the answer is the link, or an error
  put_header<ifinfomsg>(request);
  mnl_attr_put_strz(request, IFLA_IFNAME, link.c_str());
  send(request, request->nlmsg_len);
  const base::Bytes answer = kernel_->receive();
  const auto* message = reinterpret_cast<const nlmsghdr*>(answer.data());
  const void* payload = mnl_nlmsg_get_payload(message);
  if (message->nlmsg_type == RTM_NEWLINK) return static_cast<const ifinfomsg*>(payload)->ifi_index;
  throw base::SystemError(attempt, -static_cast<const nlmsgerr*>(payload)->error);
}

nlmsghdr* RouteSocket::start(char* buffer, std::uint16_t type, std::uint16_t flags) {
  nlmsghdr* request = mnl_nlmsg_put_header(buffer);
  request->nlmsg_type = type;
  request->nlmsg_flags = static_cast<std::uint16_t>(NLM_F_REQUEST | NLM_F_ACK | flags);
  request->nlmsg_seq = ++sequence_;
  return request;
}

void RouteSocket::perform(const std::string& attempt, nlmsghdr* request) {
  send(request, request->nlmsg_len);
  const base::Bytes answer = kernel_->receive();
  // mnl_cb_run() returns 0 for an acknowledgement; for an error it sets errno and returns -1.
  base::check(attempt, mnl_cb_run(answer.data(), answer.size(), sequence_, 0, nullptr, nullptr));
}

void RouteSocket::change_link(const std::string& link, const LinkChange& change) {
  const std::string attempt = "change link " + link;
  RequestBuffer buffer;
  nlmsghdr* request = start(buffer.data(), RTM_NEWLINK, 0);
  auto* header = put_header<ifinfomsg>(request);
  header->ifi_index = index_of(link, attempt);
  if (change.up) {
    header->ifi_change = IFF_UP;
    header->ifi_flags = *change.up ? IFF_UP : 0;
  }
  if (change.mac) mnl_attr_put(request, IFLA_ADDRESS, change.mac->bytes.size(), &change.mac->bytes);
  if (change.mtu) mnl_attr_put_u32(request, IFLA_MTU, *change.mtu);
  if (change.transmit_queue_length)
    mnl_attr_put_u32(request, IFLA_TXQLEN, *change.transmit_queue_length);
  if (change.without_ipv6_address) put_no_ipv6_address(request);
  perform(attempt, request);
}

void RouteSocket::change_address(const std::string& attempt, nlmsghdr* request,
                                 const std::string& link, const InterfaceAddress& address) {
  auto* header = put_header<ifaddrmsg>(request);
  header->ifa_family = address_family(address.address);
  header->ifa_prefixlen = static_cast<unsigned char>(address.prefix_length);
  header->ifa_flags = IFA_F_PERMANENT;
  // Without duplicate address detection (RFC 4862 5.4) the address can be used at once.
  if (header->ifa_family == AF_INET6) header->ifa_flags |= IFA_F_NODAD;
  header->ifa_index = static_cast<unsigned>(index_of(link, attempt));
  mnl_attr_put(request, IFA_LOCAL, address.address.size(), address.address.bytes.data());
  mnl_attr_put(request, IFA_ADDRESS, address.address.size(), address.address.bytes.data());
  perform(attempt, request);
}

void RouteSocket::add_address(const std::string& link, const InterfaceAddress& address) {
  const std::string attempt =
      "add address " + with_prefix(address.address, address.prefix_length) + " to " + link;
  RequestBuffer buffer;
  change_address(attempt, start(buffer.data(), RTM_NEWADDR, NLM_F_CREATE | NLM_F_EXCL), link,
                 address);
}

void RouteSocket::remove_address(const std::string& link, const InterfaceAddress& address) {
  const std::string attempt =
      "remove address " + with_prefix(address.address, address.prefix_length) + " from " + link;
  RequestBuffer buffer;
  change_address(attempt, start(buffer.data(), RTM_DELADDR, 0), link, address);
}

void RouteSocket::add_route(const RouteConfig& route) {
  RequestBuffer buffer;
  nlmsghdr* request = start(buffer.data(), RTM_NEWROUTE, NLM_F_CREATE | NLM_F_REPLACE);
  rtmsg* header = put_destination(request, route.destination, route.prefix_length);
  header->rtm_protocol = RTPROT_STATIC;
  header->rtm_scope = RT_SCOPE_UNIVERSE;
  header->rtm_type = type_of(route.kind);
  if (route.kind == RouteKind::via)
    mnl_attr_put(request, RTA_GATEWAY, route.gateway.size(), route.gateway.bytes.data());
  perform("add a route to " + with_prefix(route.destination, route.prefix_length), request);
}

void RouteSocket::remove_route(const base::IpAddress& destination, unsigned prefix_length) {
  RequestBuffer buffer;
  nlmsghdr* request = start(buffer.data(), RTM_DELROUTE, 0);
  put_destination(request, destination, prefix_length)->rtm_scope = RT_SCOPE_NOWHERE;  // any
  perform("remove the route to " + with_prefix(destination, prefix_length), request);
}

std::size_t RouteSocket::put_neighbour(char* buffer, const NeighbourConfig& neighbour, int link,
                                       bool is_last) {
  nlmsghdr* request = start(buffer, RTM_NEWNEIGH, NLM_F_CREATE | NLM_F_REPLACE);
  // The kernel reports every error; one acknowledgement, the last, says that all are processed.
  if (!is_last) request->nlmsg_flags &= static_cast<std::uint16_t>(~NLM_F_ACK);
  auto* header = put_header<ndmsg>(request);
  header->ndm_family = address_family(neighbour.address);
  header->ndm_state = NUD_PERMANENT;
  header->ndm_ifindex = link;
  mnl_attr_put(request, NDA_DST, neighbour.address.size(), neighbour.address.bytes.data());
  mnl_attr_put(request, NDA_LLADDR, neighbour.mac.bytes.size(), neighbour.mac.bytes.data());
  return MNL_ALIGN(request->nlmsg_len);
}

void RouteSocket::add_neighbours(std::span<const NeighbourConfig> neighbours) {
  while (!neighbours.empty()) {
    const std::size_t count = std::min(neighbours.size(), kNeighboursInBatch);
    add_batch(neighbours.first(count));
    neighbours = neighbours.subspan(count);
  }
}

void RouteSocket::add_batch(std::span<const NeighbourConfig> neighbours) {
  std::vector<char> buffer(neighbours.size() * kNeighbourRequest);
  std::map<std::string, int> links;  // their numbers
  std::size_t size = 0;
  for (const NeighbourConfig& each : neighbours) {
    if (!links.contains(each.nic)) links[each.nic] = index_of(each.nic, attempt_to_add(each));
    size += put_neighbour(buffer.data() + size, each, links[each.nic], &each == &neighbours.back());
  }
  send(buffer.data(), size);
  await_batch(neighbours);
}

/// Throws for the first request that failed.
void RouteSocket::await_batch(std::span<const NeighbourConfig> neighbours) {
  const std::uint32_t first = sequence_ - static_cast<std::uint32_t>(neighbours.size()) + 1;
  for (bool is_done = false; !is_done;) {
    const base::Bytes answer = kernel_->receive();
    int left = static_cast<int>(answer.size());
    for (const auto* message = reinterpret_cast<const nlmsghdr*>(answer.data());
         mnl_nlmsg_ok(message, left); message = mnl_nlmsg_next(message, &left)) {
      const std::uint32_t index = message->nlmsg_seq - first;
      if (message->nlmsg_type != NLMSG_ERROR || index >= neighbours.size()) continue;
      const int error = -static_cast<const nlmsgerr*>(mnl_nlmsg_get_payload(message))->error;
      if (error != 0) throw base::SystemError(attempt_to_add(neighbours[index]), error);
      is_done = message->nlmsg_seq == sequence_;
    }
  }
}

void RouteSocket::add_veth(const VethRequest& veth) {
  RequestBuffer buffer;
  nlmsghdr* request = start(buffer.data(), RTM_NEWLINK, NLM_F_CREATE | NLM_F_EXCL);
  put_header<ifinfomsg>(request);
  mnl_attr_put_strz(request, IFLA_IFNAME, veth.name.c_str());
  mnl_attr_put_u32(request, IFLA_MTU, veth.mtu);
  auto* info = mnl_attr_nest_start(request, IFLA_LINKINFO);
  mnl_attr_put_strz(request, IFLA_INFO_KIND, "veth");
  auto* data = mnl_attr_nest_start(request, IFLA_INFO_DATA);
  auto* peer = mnl_attr_nest_start(request, VETH_INFO_PEER);
  put_header<ifinfomsg>(request);
  mnl_attr_put_strz(request, IFLA_IFNAME, veth.peer_name.c_str());
  mnl_attr_put_u32(request, IFLA_MTU, veth.mtu);
  mnl_attr_put_u32(request, IFLA_NET_NS_PID, static_cast<std::uint32_t>(veth.peer_process));
  mnl_attr_nest_end(request, peer);
  mnl_attr_nest_end(request, data);
  mnl_attr_nest_end(request, info);
  perform("create the veth pair " + veth.name + ", " + veth.peer_name, request);
}

void RouteSocket::delete_link(const std::string& link) {
  const std::string attempt = "delete link " + link;
  RequestBuffer buffer;
  nlmsghdr* request = start(buffer.data(), RTM_DELLINK, 0);
  put_header<ifinfomsg>(request)->ifi_index = index_of(link, attempt);
  perform(attempt, request);
}

}  // namespace tcplab::netns
