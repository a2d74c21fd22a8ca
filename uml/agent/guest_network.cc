#include "uml/agent/guest_network.hh"

#include <arpa/inet.h>
#include <fcntl.h>
#include <linux/if_packet.h>
#include <linux/if_tun.h>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <linux/sock_diag.h>
#include <net/if.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <optional>

#include "base/error.hh"
#include "capture/decode/flow_key.hh"
#include "uml/agent/guest_system.hh"
#include "uml/guest_channel.hh"

namespace tcplab::uml {

namespace {

using base::FileDescriptor;

constexpr char kDevice[] = "vec0";
constexpr int kChannelBuffer = 4 * 1024 * 1024;

void bring_up(const char* device) {
  const std::string attempt = std::string("bring up ") + device;
  const FileDescriptor socket(
      base::check(attempt, ::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0)));
  ifreq request{};
  std::strncpy(request.ifr_name, device, sizeof request.ifr_name - 1);
  base::check(attempt, ::ioctl(socket.get(), SIOCGIFFLAGS, &request));
  request.ifr_flags = static_cast<short>(request.ifr_flags | IFF_UP);
  base::check(attempt, ::ioctl(socket.get(), SIOCSIFFLAGS, &request));
}

/// The last message of a request says when its answer is complete.
nlmsghdr last_message(Bytes request) {
  nlmsghdr last{};
  while (request.size() >= sizeof last) {
    std::memcpy(&last, request.data(), sizeof last);
    const std::size_t size = NLMSG_ALIGN(last.nlmsg_len);
    if (last.nlmsg_len < sizeof last || size >= request.size()) break;
    request = request.subspan(size);
  }
  return last;
}

/// Returns true if the part of an answer ends it.
bool ends_answer(Bytes part, const nlmsghdr& question) {
  const bool is_dump = (question.nlmsg_flags & NLM_F_DUMP) == NLM_F_DUMP;
  const bool wants_acknowledgement = (question.nlmsg_flags & NLM_F_ACK) != 0;
  nlmsghdr header{};
  while (part.size() >= sizeof header) {
    std::memcpy(&header, part.data(), sizeof header);
    const bool is_end = header.nlmsg_type == NLMSG_ERROR || header.nlmsg_type == NLMSG_DONE ||
                        (!is_dump && !wants_acknowledgement);
    if (header.nlmsg_seq == question.nlmsg_seq && is_end) return true;
    const std::size_t size = NLMSG_ALIGN(header.nlmsg_len);
    if (header.nlmsg_len < sizeof header || size >= part.size()) return false;
    part = part.subspan(size);
  }
  return false;
}

struct SocketQuestion {
  nlmsghdr header;
  inet_diag_req_v2 diag;
};

SocketQuestion question_about(const base::Endpoint& local, const base::Endpoint& remote) {
  static std::uint32_t sequence = 0;
  SocketQuestion question{};
  question.header.nlmsg_len = sizeof question;
  question.header.nlmsg_type = SOCK_DIAG_BY_FAMILY;
  question.header.nlmsg_flags = NLM_F_REQUEST;
  question.header.nlmsg_seq = ++sequence;
  question.diag.sdiag_family = local.address.family == base::Family::ipv4 ? AF_INET : AF_INET6;
  question.diag.sdiag_protocol = IPPROTO_TCP;
  question.diag.idiag_ext = 1U << (INET_DIAG_INFO - 1);
  question.diag.idiag_states = 0xfff;
  inet_diag_sockid& id = question.diag.id;
  id.idiag_sport = htons(local.port);
  id.idiag_dport = htons(remote.port);
  std::memcpy(id.idiag_src, local.address.bytes.data(), local.address.size());
  std::memcpy(id.idiag_dst, remote.address.bytes.data(), remote.address.size());
  id.idiag_cookie[0] = id.idiag_cookie[1] = INET_DIAG_NOCOOKIE;
  return question;
}

FileDescriptor own_network_namespace() {
  return FileDescriptor(
      base::check("open the network namespace", ::open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC)));
}

struct LinkMove {
  nlmsghdr header;
  ifinfomsg link;
  rtattr attribute;
  std::uint32_t network_namespace;
};

/// Moves a link of the current network namespace to another one (rtnetlink(7), IFLA_NET_NS_FD).
void move_link(const char* device, const FileDescriptor& network_namespace) {
  LinkMove move{};
  move.header.nlmsg_len = sizeof move;
  move.header.nlmsg_type = RTM_NEWLINK;
  move.header.nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK;
  move.link.ifi_index = static_cast<int>(::if_nametoindex(device));
  move.attribute.rta_len = RTA_LENGTH(sizeof move.network_namespace);
  move.attribute.rta_type = IFLA_NET_NS_FD;
  move.network_namespace = static_cast<std::uint32_t>(network_namespace.get());
  const auto kernel = base::ask_this_kernel(NETLINK_ROUTE);
  kernel->send({reinterpret_cast<const std::uint8_t*>(&move), sizeof move});
  const Bytes answer = kernel->receive();
  struct {
    nlmsghdr header;
    nlmsgerr error;
  } result{};
  std::memcpy(&result, answer.data(), std::min(answer.size(), sizeof result));
  if (result.error.error != 0)
    throw base::SystemError(std::string("move ") + device, -result.error.error);
}

/// While it lives, this thread is in a network namespace with the link of the channel, and no
/// other. The namespace lives as long as a socket of it.
class ChannelNamespace {
public:
  ChannelNamespace() : home_(own_network_namespace()) {
    base::check("make a network namespace", ::unshare(CLONE_NEWNET));
    const FileDescriptor away = own_network_namespace();
    enter(home_);
    move_link(kDevice, away);
    enter(away);
  }
  ~ChannelNamespace() { ::setns(home_.get(), CLONE_NEWNET); }
  ChannelNamespace(const ChannelNamespace&) = delete;
  ChannelNamespace& operator=(const ChannelNamespace&) = delete;

private:
  static void enter(const FileDescriptor& network_namespace) {
    base::check("enter a network namespace", ::setns(network_namespace.get(), CLONE_NEWNET));
  }

  FileDescriptor home_;
};

bool has_network_namespaces() { return ::access("/proc/self/ns/net", F_OK) == 0; }

}  // namespace

FileDescriptor open_channel() {
  // Devices send each frame at once, without a queue.
  write_file("/proc/sys/net/core/default_qdisc", "noqueue");
  // Programs must not see it. tcpdump -i any would capture its own output, without end, and a
  // program with CAP_NET_ADMIN could take the channel down.
  std::optional<ChannelNamespace> hidden;
  if (has_network_namespaces()) hidden.emplace();
  const std::string ipv6 = std::string("/proc/sys/net/ipv6/conf/") + kDevice + "/disable_ipv6";
  if (::access(ipv6.c_str(), F_OK) == 0) write_file(ipv6, "1");
  bring_up(kDevice);
  FileDescriptor socket(base::check(
      "open the channel",
      ::socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, htons(kChannelEtherType))));
  for (const int option : {SO_RCVBUFFORCE, SO_SNDBUFFORCE})
    base::check("enlarge the channel", ::setsockopt(socket.get(), SOL_SOCKET, option,
                                                    &kChannelBuffer, sizeof kChannelBuffer));
  sockaddr_ll address{};
  address.sll_family = AF_PACKET;
  address.sll_protocol = htons(kChannelEtherType);
  address.sll_ifindex = static_cast<int>(::if_nametoindex(kDevice));
  base::check("bind the channel",
              ::bind(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address));
  return socket;
}

FileDescriptor create_tap(const std::string& name) {
  FileDescriptor tap(
      base::check("open /dev/net/tun", ::open("/dev/net/tun", O_RDWR | O_CLOEXEC | O_NONBLOCK)));
  ifreq request{};
  std::strncpy(request.ifr_name, name.c_str(), sizeof request.ifr_name - 1);
  request.ifr_flags = IFF_TAP | IFF_NO_PI;
  base::check("create the TAP " + name, ::ioctl(tap.get(), TUNSETIFF, &request));
  return tap;
}

std::vector<std::uint8_t> KernelRelay::ask(int protocol, Bytes request) {
  if (request.size() < sizeof(nlmsghdr)) throw base::LabError("a netlink request is too short");
  auto& questions = questions_[protocol];
  if (!questions) questions = base::ask_this_kernel(protocol);
  const nlmsghdr question = last_message(request);
  questions->send(request);
  std::vector<std::uint8_t> answer;
  for (bool is_complete = false; !is_complete;) {
    const Bytes part = questions->receive();
    answer.insert(answer.end(), part.begin(), part.end());
    is_complete = ends_answer(part, question);
  }
  return answer;
}

std::vector<std::uint8_t> KernelRelay::ask_about(Bytes frame, bool is_sent) {
  const auto flow = capture::flow_of(frame);
  if (!flow) return {};
  const SocketQuestion question = is_sent ? question_about(flow->source, flow->destination)
                                          : question_about(flow->destination, flow->source);
  return ask(NETLINK_SOCK_DIAG,
             {reinterpret_cast<const std::uint8_t*>(&question), sizeof question});
}

}  // namespace tcplab::uml
