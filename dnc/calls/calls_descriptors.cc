// Calls that are about who holds a socket, rather than about what goes through it.
#include <linux/sockios.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <climits>
#include <csignal>
#include <cstring>

#include "dnc/calls/calls.hh"

namespace tcplab::dnc {

namespace {

constexpr std::array kSocketQuestions = {
    SocketQuestion{"inq", "SIOCINQ", SIOCINQ},
    SocketQuestion{"outq", "SIOCOUTQ", SIOCOUTQ},
    SocketQuestion{"outqnsd", "SIOCOUTQNSD", SIOCOUTQNSD},
    SocketQuestion{"atmark", "SIOCATMARK", SIOCATMARK},
};

/// What a child of fork() does: nothing, for ever, with nothing but the sockets. It must not keep
/// dnc's pipes open, whose ends tell others that dnc has ended. Async-signal-safe: dnc has threads.
[[noreturn]] void hold(std::span<const int> sockets) {
  int highest = 0;
  for (const int fd : sockets) highest = std::max(highest, fd);
  for (int fd = 0; fd < highest; ++fd)
    if (std::find(sockets.begin(), sockets.end(), fd) == sockets.end()) ::close(fd);
  ::close_range(static_cast<unsigned>(highest) + 1, UINT_MAX, 0);
  for (;;) ::pause();
}

/// One byte with a place for one descriptor beside it (unix(7), SCM_RIGHTS).
struct DescriptorMessage {
  DescriptorMessage() {
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

std::span<const SocketQuestion> socket_questions() { return kSocketQuestions; }

CallResult Calls::duplicate(int fd) {
  CallRecord record{.call = "dup", .fd = fd};
  const CallResult answer = make(record, [fd] { return ::dup(fd); });
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

CallResult Calls::pass(int channel, int fd) {
  CallRecord record{.call = "sendmsg", .fd = channel, .waits = true};
  record.arguments << "SCM_RIGHTS " << fd;
  DescriptorMessage message;
  message.put(fd);
  const CallResult answer = make(
      record, [channel, &message] { return ::sendmsg(channel, &message.message, MSG_NOSIGNAL); });
  recorder_.leave(record);
  return answer;
}

CallResult Calls::take(int channel, int& fd) {
  CallRecord record{.call = "recvmsg", .fd = channel, .waits = true};
  DescriptorMessage message;
  const CallResult answer =
      make(record, [channel, &message] { return ::recvmsg(channel, &message.message, 0); });
  fd = answer.failed() ? -1 : message.get();
  if (fd >= 0) record.arguments << "SCM_RIGHTS " << fd;
  recorder_.leave(record);
  return answer;
}

CallResult Calls::fork(std::span<const int> sockets) {
  CallRecord record{.call = "fork", .waits = true};
  std::signal(SIGCHLD, SIG_IGN);  // nobody waits for the child: the kernel reaps it (wait(2))
  const CallResult answer = make(record, [sockets] {
    const pid_t child = ::fork();
    if (child == 0) hold(sockets);
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

CallResult Calls::ask(int fd, const SocketQuestion& question, int& value) {
  CallRecord record{.call = "ioctl", .fd = fd};
  record.arguments << question.request_name;
  const CallResult answer =
      make(record, [fd, &question, &value] { return ::ioctl(fd, question.request, &value); });
  if (!answer.failed()) record.arguments << " = " << value;
  recorder_.leave(record);
  return answer;
}

CallResult Calls::disconnect(int fd) {
  CallRecord record{.call = "connect", .fd = fd};
  record.arguments << "AF_UNSPEC";
  sockaddr nowhere{};
  nowhere.sa_family = AF_UNSPEC;
  const CallResult answer =
      make(record, [fd, &nowhere] { return ::connect(fd, &nowhere, sizeof nowhere); });
  recorder_.leave(record);
  return answer;
}

}  // namespace tcplab::dnc
