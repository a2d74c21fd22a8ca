#include "dnc/calls/message_calls.hh"

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "dnc/calls/calls.hh"
#include "dnc/calls/sockets.hh"

namespace tcplab::dnc {

CallResult MessageCalls::receive(int fd, std::span<char> buffer, int flags, ControlData& control) {
  CallRecord record{.call = "recvmsg", .fd = fd, .waits = true};
  record.arguments << static_cast<std::int64_t>(buffer.size()) << ", ";
  describe_flags(flags, record.arguments);
  iovec part{.iov_base = buffer.data(), .iov_len = buffer.size()};
  alignas(cmsghdr) std::array<char, 512> space{};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = space.data();
  message.msg_controllen = space.size();
  const CallResult answer = make_call(recorder_, record, [fd, flags, &message] {
    return sockets().is_foreign(fd) ? no_such_call() : ::recvmsg(fd, &message, flags);
  });
  if (!answer.failed()) control.read(message);
  record.stored = {.members = control.members(), .text = control.text()};
  // MSG_TRUNC on a TCP socket counts bytes that it does not copy (tcp(7)).
  if (answer.result > 0 && (flags & MSG_TRUNC) == 0)
    record.data = {buffer.data(), static_cast<std::size_t>(answer.result)};
  recorder_.leave(record);
  return answer;
}

CallResult MessageCalls::pipe(std::array<int, 2>& ends) {
  CallRecord record{.call = "pipe2"};
  record.arguments << "O_NONBLOCK";
  const CallResult answer = make_call(
      recorder_, record, [&ends] { return ::pipe2(ends.data(), O_CLOEXEC | O_NONBLOCK); });
  recorder_.leave(record);
  return answer;
}

CallResult MessageCalls::splice(int from, int to, int socket, std::size_t count) {
  CallRecord record{.call = "splice", .fd = socket, .source_fd = from, .waits = true};
  record.arguments << "fd " << from << " -> fd " << to << ", " << static_cast<std::int64_t>(count)
                   << " bytes";
  const CallResult answer = make_call(recorder_, record, [from, to, socket, count]() -> ssize_t {
    if (sockets().is_foreign(socket)) return no_such_call();
    return ::splice(from, nullptr, to, nullptr, count, SPLICE_F_MOVE);
  });
  recorder_.leave(record);
  return answer;
}

}  // namespace tcplab::dnc
