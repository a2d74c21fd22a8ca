// The REPL's commands about the descriptors of a socket: duplicates, children, and passing them
// through a Unix socket. Also ioctl and the limits of the process.
#include <climits>
#include <fmt/format.h>

#include "base/error.hh"
#include "dnc/repl/repl.hh"
#include "dnc/repl/repl_answers.hh"

namespace tcplab::dnc {

std::string Repl::do_dup(const Words&) {
  const CallResult answer = calls_.duplicate(socket());
  if (!answer.failed()) add(answer.fd());
  return answer_text("dup", answer);
}

std::string Repl::do_pass(const Words&) {
  const int fd = socket();
  if (channel_[0] < 0) {
    const CallResult answer = calls_.socket_pair(channel_);
    if (answer.failed()) return answer_text("socketpair", answer);
  }
  return answer_text("sendmsg", calls_.send_descriptor(channel_[0], fd));
}

std::string Repl::do_take(const Words&) {
  if (channel_[0] < 0) throw base::UsageError("no descriptor was passed; use 'pass' first");
  int fd = -1;
  const CallResult answer = calls_.receive_descriptor(channel_[1], fd);
  if (fd < 0) return answer_text("recvmsg", answer);
  add(fd);
  return fmt::format("recvmsg = {} SCM_RIGHTS {}\n", answer.result, fd);
}

std::string Repl::do_fork(const Words&) {
  const CallResult answer = calls_.fork(sockets_, options_.keep_children);
  if (!answer.failed()) children_.push_back(static_cast<int>(answer.result));
  return answer_text("fork", answer);
}

std::string Repl::do_kill(const Words&) {
  if (children_.empty()) throw base::UsageError("there is no child; use 'fork' first");
  const int child = children_.back();
  children_.pop_back();
  return answer_text("kill", calls_.kill(child));
}

std::string Repl::do_disconnect(const Words&) {
  return answer_text("connect", calls_.disconnect(socket()));
}

std::string Repl::do_ioctl(const Words& arguments) {
  std::string known;
  for (const SocketIoctl& request : socket_ioctls()) {
    known += (known.empty() ? "" : ", ") + std::string(request.name);
    if (arguments[0] != request.name) continue;
    int value = 0;
    const CallResult answer = calls_.ioctl(socket(), request, value);
    if (answer.failed()) return answer_text("ioctl", answer);
    return fmt::format("ioctl = {} {} {}\n", answer.result, request.request_name, value);
  }
  throw base::UsageError("'" + arguments[0] + "' is not valid; choose from " + known);
}

std::string Repl::do_limit(const Words& arguments) {
  return answer_text("setrlimit", calls_.limit_descriptors(parse_number(arguments[0], 0, INT_MAX)));
}

std::string Repl::do_drop(const Words&) {
  return answer_text("capset", calls_.drop_capabilities());
}

}  // namespace tcplab::dnc
