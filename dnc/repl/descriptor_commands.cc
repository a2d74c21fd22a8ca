#include "dnc/repl/descriptor_commands.hh"

#include <unistd.h>

#include <climits>
#include <fmt/format.h>

#include "base/error.hh"
#include "dnc/repl/repl_answers.hh"

namespace tcplab::dnc {

std::string DescriptorCommands::close(const Words& arguments) {
  const int fd = arguments.empty() ? sockets_.selected() : parse_number(arguments[0], 0, INT_MAX);
  if (!sockets_.has(fd))
    throw base::UsageError(fmt::format("cannot close {}: it is not one of our sockets", fd));
  if (fd <= STDERR_FILENO)
    throw base::UsageError(
        fmt::format("cannot close {}: dnc needs it for commands and answers", fd));
  const CallResult answer = calls_.close(fd);
  sockets_.remove(fd);  // even after an error the descriptor is closed (close(2))
  return answer_text("close", answer);
}

std::string DescriptorCommands::dup(const Words&) {
  const CallResult answer = calls_.duplicate(sockets_.selected());
  if (!answer.failed()) sockets_.add(answer.fd());
  return answer_text("dup", answer);
}

std::string DescriptorCommands::pass(const Words&) {
  const int fd = sockets_.selected();
  if (channel_[0] < 0) {
    const CallResult answer = calls_.socket_pair(channel_);
    if (answer.failed()) return answer_text("socketpair", answer);
  }
  return answer_text("sendmsg", calls_.send_descriptor(channel_[0], fd));
}

std::string DescriptorCommands::take(const Words&) {
  if (channel_[0] < 0) throw base::UsageError("no descriptor was passed; use 'pass' first");
  int fd = -1;
  const CallResult answer = calls_.receive_descriptor(channel_[1], fd);
  if (fd < 0) return answer_text("recvmsg", answer);
  sockets_.add(fd);
  return fmt::format("recvmsg = {} SCM_RIGHTS {}\n", answer.result, fd);
}

std::string DescriptorCommands::use(const Words& arguments) {
  const int fd = parse_number(arguments[0], 0, INT_MAX);
  // Closed descriptors and other files are allowed, so that users can see how calls fail on them.
  sockets_.add(fd);
  return fmt::format("use = {}\n", fd);
}

}  // namespace tcplab::dnc
