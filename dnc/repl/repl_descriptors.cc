// Commands of the REPL about who holds a socket: duplicates, children, descriptors on their way.
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
  return answer_text("sendmsg", calls_.pass(channel_[0], fd));
}

std::string Repl::do_take(const Words&) {
  if (channel_[0] < 0) throw base::UsageError("nothing was passed that could be taken");
  int fd = -1;
  const CallResult answer = calls_.take(channel_[1], fd);
  if (fd < 0) return answer_text("recvmsg", answer);
  add(fd);
  return fmt::format("recvmsg = {} SCM_RIGHTS {}\n", answer.result, fd);
}

std::string Repl::do_fork(const Words&) {
  const CallResult answer = calls_.fork(sockets_);
  if (!answer.failed()) children_.push_back(static_cast<int>(answer.result));
  return answer_text("fork", answer);
}

std::string Repl::do_kill(const Words&) {
  if (children_.empty()) throw base::UsageError("there is no child; fork makes one");
  const int child = children_.back();
  children_.pop_back();
  return answer_text("kill", calls_.kill(child));
}

std::string Repl::do_disconnect(const Words&) {
  return answer_text("connect", calls_.disconnect(socket()));
}

std::string Repl::do_ioctl(const Words& arguments) {
  std::string known;
  for (const SocketQuestion& question : socket_questions()) {
    known += (known.empty() ? "" : ", ") + std::string(question.name);
    if (arguments[0] != question.name) continue;
    int value = 0;
    const CallResult answer = calls_.ask(socket(), question, value);
    if (answer.failed()) return answer_text("ioctl", answer);
    return fmt::format("ioctl = {} {} {}\n", answer.result, question.request_name, value);
  }
  throw base::UsageError("'" + arguments[0] + "' is not one of " + known);
}

std::string Repl::do_limit(const Words& arguments) {
  return answer_text("setrlimit", calls_.limit_descriptors(parse_number(arguments[0], 0, INT_MAX)));
}

std::string Repl::do_drop(const Words&) {
  return answer_text("capset", calls_.drop_capabilities());
}

}  // namespace tcplab::dnc
