#include "capture/kernel/sockets.hh"

#include <arpa/inet.h>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstring>
#include <libmnl/libmnl.h>

#include "base/error.hh"

namespace tcplab::capture {

namespace {

using base::Endpoint;
using base::Family;
using base::IpAddress;

constexpr int kDumpAttempts = 10;

struct Request {
  nlmsghdr header;
  inet_diag_req_v2 diag;
};

std::uint8_t address_family(Family family) { return family == Family::ipv4 ? AF_INET : AF_INET6; }

Request make_request(std::uint8_t family, std::uint16_t flags, std::uint32_t states,
                     std::uint32_t sequence) {
  Request request{};
  request.header.nlmsg_len = sizeof request;
  request.header.nlmsg_type = SOCK_DIAG_BY_FAMILY;
  request.header.nlmsg_flags = static_cast<std::uint16_t>(NLM_F_REQUEST | flags);
  request.header.nlmsg_seq = sequence;
  request.diag.sdiag_family = family;
  request.diag.sdiag_protocol = IPPROTO_TCP;
  request.diag.idiag_states = states;
  return request;
}

base::Bytes bytes_of(const Request& request) {
  return {reinterpret_cast<const std::uint8_t*>(&request), sizeof request};
}

/// An IPv6 socket with an IPv4 connection has addresses ::ffff:a.b.c.d (RFC 4291 section 2.5.5.2).
/// On the wire it is IPv4, so this returns the IPv4 address.
IpAddress read_address(std::uint8_t family, const std::uint32_t* words) {
  const bool is_mapped =
      family == AF_INET6 && words[0] == 0 && words[1] == 0 && words[2] == htonl(0xffff);
  if (is_mapped) return IpAddress::from_bytes(Family::ipv4, &words[3]);
  return IpAddress::from_bytes(family == AF_INET ? Family::ipv4 : Family::ipv6, words);
}

SocketPair read_pair(const inet_diag_msg& message) {
  return {
      {read_address(message.idiag_family, message.id.idiag_src), ntohs(message.id.idiag_sport)},
      {read_address(message.idiag_family, message.id.idiag_dst), ntohs(message.id.idiag_dport)}};
}

Socket read_socket(const inet_diag_msg& message) {
  const auto [local, remote] = read_pair(message);
  Socket socket;
  socket.state = static_cast<TcpState>(message.idiag_state);
  socket.local = local;
  socket.remote = remote;
  socket.receive_queue = message.idiag_rqueue;
  socket.send_queue = message.idiag_wqueue;
  socket.timer = message.idiag_timer;
  socket.timer_expires_ms = message.idiag_expires;
  socket.retransmits = message.idiag_retrans;
  socket.inode = message.idiag_inode;
  return socket;
}

int read_error(const nlmsghdr* header) {
  if (header->nlmsg_len < NLMSG_LENGTH(sizeof(nlmsgerr))) return EBADMSG;
  return -static_cast<const nlmsgerr*>(mnl_nlmsg_get_payload(header))->error;
}

int take_info(const nlattr* attribute, void* found) {
  if (mnl_attr_get_type(attribute) == INET_DIAG_INFO)
    *static_cast<std::optional<SendingInfo>*>(found) =
        read_tcp_info(mnl_attr_get_payload(attribute), mnl_attr_get_payload_len(attribute));
  return MNL_CB_OK;
}

/// Returns the answer's TCP_INFO; nullopt for a request or a time-wait minisocket.
std::optional<SendingInfo> read_info(const nlmsghdr* header) {
  std::optional<SendingInfo> found;
  mnl_attr_parse(header, sizeof(inet_diag_msg), take_info, &found);
  return found;
}

const inet_diag_msg* diag_message(const nlmsghdr* header) {
  const bool is_diag = header->nlmsg_type == SOCK_DIAG_BY_FAMILY &&
                       header->nlmsg_len >= NLMSG_LENGTH(sizeof(inet_diag_msg));
  return is_diag ? static_cast<const inet_diag_msg*>(mnl_nlmsg_get_payload(header)) : nullptr;
}

/// Calls `take` with each message of a datagram until it returns false.
template <typename Take>
void for_each_message(std::span<const std::uint8_t> datagram, Take take) {
  int left = static_cast<int>(datagram.size());
  const auto* header = reinterpret_cast<const nlmsghdr*>(datagram.data());
  while (mnl_nlmsg_ok(header, left) && take(header)) header = mnl_nlmsg_next(header, &left);
}

}  // namespace

SocketTable::SocketTable() : questions_(base::ask_this_kernel(NETLINK_SOCK_DIAG)) {}

SocketTable::SocketTable(std::unique_ptr<base::KernelQuestions> questions,
                         std::unique_ptr<base::KernelNews> destroyed)
    : questions_(std::move(questions)), destroyed_(std::move(destroyed)) {}

void SocketTable::ask(const Endpoint& local, const Endpoint& remote, std::uint8_t extensions) {
  Request request = make_request(address_family(local.address.family), 0, kEveryState, ++sequence_);
  request.diag.idiag_ext = extensions;
  inet_diag_sockid& id = request.diag.id;
  id.idiag_sport = htons(local.port);
  id.idiag_dport = htons(remote.port);
  std::memcpy(id.idiag_src, local.address.bytes.data(), local.address.size());
  std::memcpy(id.idiag_dst, remote.address.bytes.data(), remote.address.size());
  id.idiag_cookie[0] = id.idiag_cookie[1] = INET_DIAG_NOCOOKIE;
  questions_->send(bytes_of(request));
}

// An answer with another sequence number belongs to a request that an exception interrupted.
template <typename Take>
void SocketTable::take_answer(Take take) {
  int error = 0;
  for (bool is_answered = false; !is_answered;) {
    for_each_message(questions_->receive(), [&](const nlmsghdr* header) {
      if (header->nlmsg_seq != sequence_) return true;
      is_answered = true;
      if (header->nlmsg_type == NLMSG_ERROR) error = read_error(header);
      if (const auto* message = diag_message(header)) take(header, *message);
      return false;
    });
  }
  if (error != 0 && error != ENOENT)
    throw base::SystemError("query the kernel for a socket", error);
}

std::optional<Socket> SocketTable::find(const Endpoint& local, const Endpoint& remote) {
  ask(local, remote, 0);
  std::optional<Socket> found;
  take_answer([&](const nlmsghdr*, const inet_diag_msg& message) { found = read_socket(message); });
  if (found && found->state == TcpState::listen) return std::nullopt;
  return found;
}

std::optional<SocketDetail> SocketTable::read_detail(base::Bytes answer) {
  std::optional<SocketDetail> found;
  for_each_message(answer, [&](const nlmsghdr* header) {
    if (header->nlmsg_type == NLMSG_ERROR) {
      const int error = read_error(header);
      if (error != 0 && error != ENOENT)
        throw base::SystemError("query the kernel for a socket", error);
    }
    if (const auto* message = diag_message(header))
      found = SocketDetail{read_socket(*message), read_info(header)};
    return false;
  });
  if (found && found->socket.state == TcpState::listen) return std::nullopt;
  return found;
}

std::optional<SocketDetail> SocketTable::detail(const Endpoint& local, const Endpoint& remote) {
  ask(local, remote, 1U << (INET_DIAG_INFO - 1));
  std::optional<SocketDetail> found;
  take_answer([&](const nlmsghdr* header, const inet_diag_msg& message) {
    found = SocketDetail{read_socket(message), read_info(header)};
  });
  if (found && found->socket.state == TcpState::listen) return std::nullopt;
  return found;
}

std::optional<base::nanoseconds> SocketTable::retransmission_timeout(const Endpoint& local,
                                                                     const Endpoint& remote) {
  const auto found = detail(local, remote);
  return found ? first_rto(*found) : std::nullopt;
}

bool SocketTable::dump_family(std::uint8_t family, std::uint32_t states,
                              std::vector<Socket>& sockets) {
  const Request request = make_request(family, NLM_F_DUMP, states, ++sequence_);
  questions_->send(bytes_of(request));
  int error = 0;
  bool was_interrupted = false;
  for (bool is_done = false; !is_done;) {
    for_each_message(questions_->receive(), [&](const nlmsghdr* header) {
      if (header->nlmsg_seq != sequence_) return true;
      if ((header->nlmsg_flags & NLM_F_DUMP_INTR) != 0) was_interrupted = true;
      if (header->nlmsg_type == NLMSG_ERROR) error = read_error(header);
      is_done = header->nlmsg_type == NLMSG_DONE || header->nlmsg_type == NLMSG_ERROR;
      if (const auto* message = diag_message(header)) sockets.push_back(read_socket(*message));
      return !is_done;
    });
  }
  if (error != 0) throw base::SystemError("query the kernel for its sockets", error);
  return !was_interrupted;
}

// With NLM_F_DUMP_INTR the table changed during the dump, and the answer may be inconsistent. Try
// again, up to kDumpAttempts times, and keep the last answer.
std::vector<Socket> SocketTable::dump(std::uint32_t states) {
  std::vector<Socket> sockets;
  for (const Family family : {Family::ipv4, Family::ipv6}) {
    const std::size_t before = sockets.size();
    for (int attempt = 0; attempt < kDumpAttempts; ++attempt) {
      sockets.resize(before);
      if (dump_family(address_family(family), states, sockets)) break;
    }
  }
  return sockets;
}

int SocketTable::destroy_descriptor() {
  if (!destroyed_) destroyed_ = base::hear_destroyed_sockets();
  return destroyed_->descriptor();
}

Destroyed SocketTable::take_destroyed() {
  Destroyed destroyed;
  destroy_descriptor();
  while (true) {
    const auto [messages, has_lost] = destroyed_->take();
    if (messages.empty() && !has_lost) return destroyed;
    if (has_lost) destroyed.look_at_everything = true;
    for_each_message(messages, [&](const nlmsghdr* header) {
      const auto* message = diag_message(header);
      if (message == nullptr) return true;
      if (message->id.idiag_dport == 0)
        destroyed.look_at_everything = true;
      else
        destroyed.connections.push_back(read_pair(*message));
      return true;
    });
  }
}

}  // namespace tcplab::capture
