// Calls about the descriptors of a socket: duplicates, children, and passing them to processes.
#include <linux/sockios.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstring>
#include <string>

#include "dnc/calls/calls.hh"
#include "dnc/calls/sockets.hh"

namespace tcplab::dnc {

namespace {

constexpr std::array kSocketIoctls = {
    SocketIoctl{"inq", "SIOCINQ", SIOCINQ},
    SocketIoctl{"outq", "SIOCOUTQ", SIOCOUTQ},
    SocketIoctl{"outqnsd", "SIOCOUTQNSD", SIOCOUTQNSD},
    SocketIoctl{"atmark", "SIOCATMARK", SIOCATMARK},
};

/// Runs the child of fork(): it closes everything except the sockets, and pauses until it is
/// killed. It must close dnc's pipes, because other programs see from their end of file that dnc
/// has ended. Async-signal-safe (signal-safety(7)), because dnc may have threads.
[[noreturn]] void hold_sockets(std::span<const int> sockets) {
  int highest = 0;
  for (const int fd : sockets) highest = std::max(highest, fd);
  for (int fd = 0; fd < highest; ++fd)
    if (std::find(sockets.begin(), sockets.end(), fd) == sockets.end()) ::close(fd);
  ::close_range(static_cast<unsigned>(highest) + 1, UINT_MAX, 0);
  for (;;) ::pause();
}

/// Kills this process when its parent ends.
void die_with(pid_t parent) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(0);  // it ended before the prctl(2)
}

/// A message of one byte and at most one descriptor (unix(7), SCM_RIGHTS).
struct RightsMessage {
  RightsMessage() {
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    message.msg_control = space.data();
    message.msg_controllen = space.size();
  }
  void put(int fd) {
    cmsghdr* const header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof fd);
    std::memcpy(CMSG_DATA(header), &fd, sizeof fd);
  }
  int get() {
    int fd = -1;
    const cmsghdr* const header = CMSG_FIRSTHDR(&message);
    if (header != nullptr) std::memcpy(&fd, CMSG_DATA(header), sizeof fd);
    return fd;
  }

  char byte = '.';
  iovec part{.iov_base = &byte, .iov_len = 1};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> space{};
  msghdr message{};
};

}  // namespace

std::span<const SocketIoctl> socket_ioctls() { return kSocketIoctls; }

CallResult Calls::duplicate(int fd) {
  CallRecord record{.call = "dup", .fd = fd};
  const CallResult answer =
      make(record, [fd] { return sockets().is_foreign(fd) ? no_such_call() : ::dup(fd); });
  recorder_.leave(record);
  return answer;
}

CallResult Calls::socket_pair(std::array<int, 2>& ends) {
  CallRecord record{.call = "socketpair"};
  record.arguments << "AF_UNIX, SOCK_STREAM";
  const CallResult answer = make(record, [&ends] {
    return ::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data());
  });
  recorder_.leave(record);
  return answer;
}

CallResult Calls::send_descriptor(int channel, int fd) {
  CallRecord record{.call = "sendmsg", .fd = channel, .waits = true};
  record.arguments << "SCM_RIGHTS " << fd;
  RightsMessage message;
  message.put(fd);
  const CallResult answer = make(record, [channel, fd, &message]() -> ssize_t {
    if (sockets().is_foreign(fd)) return no_such_call();
    return ::sendmsg(channel, &message.message, MSG_NOSIGNAL);
  });
  recorder_.leave(record);
  return answer;
}

CallResult Calls::receive_descriptor(int channel, int& fd) {
  CallRecord record{.call = "recvmsg", .fd = channel, .waits = true};
  RightsMessage message;
  const CallResult answer =
      make(record, [channel, &message] { return ::recvmsg(channel, &message.message, 0); });
  fd = answer.failed() ? -1 : message.get();
  if (fd >= 0) record.arguments << "SCM_RIGHTS " << fd;
  recorder_.leave(record);
  return answer;
}

CallResult Calls::fork(std::span<const int> held, bool outlives_us) {
  CallRecord record{.call = "fork", .waits = true};
  std::signal(SIGCHLD, SIG_IGN);  // makes the kernel reap the child (wait(2))
  const pid_t parent = ::getpid();
  const CallResult answer = make(record, [held, outlives_us, parent]() -> pid_t {
    if (std::ranges::any_of(held, [](int fd) { return sockets().is_foreign(fd); }))
      return no_such_call();
    const pid_t child = ::fork();
    if (child == 0 && !outlives_us) die_with(parent);
    if (child == 0) hold_sockets(held);
    return child;
  });
  recorder_.leave(record);
  return answer;
}

CallResult Calls::kill(int pid) {
  CallRecord record{.call = "kill"};
  record.arguments << pid << ", SIGKILL";
  const CallResult answer = make(record, [pid] { return ::kill(pid, SIGKILL); });
  recorder_.leave(record);
  return answer;
}

CallResult Calls::ioctl(int fd, const SocketIoctl& request, int& value) {
  CallRecord record{.call = "ioctl", .fd = fd};
  record.arguments << request.request_name;
  const CallResult answer = make(record, [fd, &request, &value] {
    return sockets().is_foreign(fd) ? no_such_call() : ::ioctl(fd, request.request, &value);
  });
  const std::string text = std::to_string(value);
  if (!answer.failed()) record.stored = {.number = value, .text = text};
  recorder_.leave(record);
  return answer;
}

CallResult Calls::disconnect(int fd) {
  CallRecord record{.call = "connect", .fd = fd};
  record.arguments << "AF_UNSPEC";
  sockaddr nowhere{};
  nowhere.sa_family = AF_UNSPEC;
  const CallResult answer =
      make(record, [fd, &nowhere] { return sockets().connect(fd, &nowhere, sizeof nowhere); });
  recorder_.leave(record);
  return answer;
}

}  // namespace tcplab::dnc
