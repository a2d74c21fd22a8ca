#include "netns/veth_port.hh"

#include <arpa/inet.h>
#include <fcntl.h>
#include <linux/ethtool.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>

#include "base/error.hh"
#include "netns/namespace_guard.hh"
#include "netns/netlink.hh"
#include "netns/packet_time.hh"
#include "netns/sysctl.hh"

namespace tcplab::netns {

namespace {

using base::FileDescriptor;

// Room for a full TCP window and its overhead. If the buffer is full, the socket drops frames.
constexpr int kReceiveBuffer = 32 << 20;

// Our end takes every frame, whatever the MTU of the NIC is now. Between the ends of a pair the
// kernel silently drops a frame longer than the receiving end's MTU (is_skb_forwardable()).
constexpr unsigned kLargestMtu = 65535;
constexpr std::size_t kLinkHeaders = ETH_HLEN + 4;  // with a VLAN tag
constexpr std::size_t kUsualFrame = ETH_DATA_LEN + kLinkHeaders;

/// Enlarges the receive buffer. Only the machine's root may exceed net.core.rmem_max. For other
/// users the limit is about 180 frames, and a flooded wire loses frames.
void enlarge_buffer(int socket) {
  for (const int option : {SO_RCVBUFFORCE, SO_RCVBUF})
    if (setsockopt(socket, SOL_SOCKET, option, &kReceiveBuffer, sizeof kReceiveBuffer) == 0) return;
  throw base::SystemError("enlarge a packet socket's buffer", errno);
}

/// True if this kernel has IPv6, and did not start with ipv6.disable=1.
bool has_ipv6() { return has_sysctl("net.ipv6.conf.all.disable_ipv6"); }

/// Returns an unused link name. The pid keeps apart the labs that share a network namespace.
std::string next_name() {
  static unsigned count = 0;
  return "w" + std::to_string(getpid()) + "." + std::to_string(++count);
}

FileDescriptor open_packet_socket(const std::string& link) {
  FileDescriptor socket(
      base::check("open a packet socket",
                  // Protocol 0: receives nothing until bind(2).
                  ::socket(AF_PACKET, SOCK_RAW | SOCK_NONBLOCK | SOCK_CLOEXEC, 0)));
  const int on = 1;
  base::check("ignore our own frames",
              setsockopt(socket.get(), SOL_PACKET, PACKET_IGNORE_OUTGOING, &on, sizeof on));
  // The link's queue drops every frame, without an error, until the kernel has noticed that the NIC
  // is up (noop_enqueue(), linkwatch_do_dev()). On a busy machine that takes milliseconds.
  base::check("send without a queue",
              setsockopt(socket.get(), SOL_PACKET, PACKET_QDISC_BYPASS, &on, sizeof on));
  enlarge_buffer(socket.get());
  enable_packet_times(socket.get());
  sockaddr_ll address{};
  address.sll_family = AF_PACKET;
  address.sll_protocol = htons(ETH_P_ALL);
  address.sll_ifindex = static_cast<int>(if_nametoindex(link.c_str()));
  base::check("bind a packet socket to " + link,
              bind(socket.get(), reinterpret_cast<sockaddr*>(&address), sizeof address));
  return socket;
}

/// Returns a socket in the network namespace of that process.
FileDescriptor open_control_socket(pid_t process) {
  const std::string path = "/proc/" + std::to_string(process) + "/ns/net";
  const FileDescriptor space(base::check("open " + path, open(path.c_str(), O_RDONLY | O_CLOEXEC)));
  const NamespaceGuard inside(space.get());
  return FileDescriptor(
      base::check("open a socket", ::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0)));
}

}  // namespace

void disable_offloads(const std::string& link) {
  const FileDescriptor socket(
      base::check("open a socket", ::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0)));
  for (const __u32 command : {ETHTOOL_STSO, ETHTOOL_SSG, ETHTOOL_STXCSUM, ETHTOOL_SGRO}) {
    ethtool_value value{command, 0};
    ifreq request{};
    link.copy(request.ifr_name, IFNAMSIZ - 1);
    request.ifr_data = reinterpret_cast<char*>(&value);
    base::check("turn off offloads of " + link, ioctl(socket.get(), SIOCETHTOOL, &request));
  }
}

VethPort::VethPort(const NicConfig& nic, pid_t process)
    : name_(next_name()), nic_(nic.name), control_(open_control_socket(process)) {
  if (nic.has_offloads)
    throw base::UsageError("NIC " + nic.name + ": a veth pair cannot have offloads");
  RouteSocket route;
  route.add_veth({name_, nic.name, process, nic.mtu});
  if (has_ipv6()) route.change_link(name_, {.without_ipv6_address = true});
  disable_offloads(name_);
  socket_ = open_packet_socket(name_);
  route.change_link(name_, {.up = true, .mtu = kLargestMtu});
}

/// Usual frames are not checked, which would cost a system call for each of them.
bool VethPort::is_too_long(std::size_t frame) const {
  if (frame <= kUsualFrame) return false;
  ifreq request{};
  nic_.copy(request.ifr_name, IFNAMSIZ - 1);
  if (ioctl(control_.get(), SIOCGIFMTU, &request) == -1) return false;  // send(2) says why
  return frame > static_cast<std::size_t>(request.ifr_mtu) + kLinkHeaders;
}

std::optional<Received> VethPort::receive(std::span<std::uint8_t> buffer, int flags) {
  iovec part{buffer.data(), buffer.size()};
  PacketTimeBuffer time{};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = time.bytes.data();
  message.msg_controllen = time.bytes.size();
  const ssize_t size = recvmsg(socket_.get(), &message, flags);
  if (size >= 0)
    return Received{.size = static_cast<std::size_t>(size),
                    .sent = packet_time(message, base::now())};
  // The kernel reports ENETDOWN once when the link goes down.
  if (errno == EAGAIN || errno == ENETDOWN) return std::nullopt;
  throw base::SystemError("read from a packet socket", errno);
}

std::optional<Received> VethPort::read(std::span<std::uint8_t> buffer) {
  return receive(buffer, 0);
}

std::optional<base::Instant> VethPort::next_sent() {
  const auto next = receive({}, MSG_PEEK);
  return next ? next->sent : std::nullopt;
}

bool VethPort::write(Bytes frame, const Offload&) {
  if (is_too_long(frame.size())) return false;
  if (send(socket_.get(), frame.data(), frame.size(), 0) != -1) return true;
  switch (errno) {
    case ENETDOWN:  // the link is down
    case ENXIO:     // the link was deleted
    case ENOBUFS:   // the queue of the link is full
    case EMSGSIZE:  // the frame is longer than any MTU
    case EINVAL:    // the frame is too short
      return false;
  }
  throw base::SystemError("write to a packet socket", errno);
}

}  // namespace tcplab::netns
