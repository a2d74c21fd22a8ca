#include "dnc/repl/connection_commands.hh"

#include <array>
#include <chrono>
#include <climits>
#include <fmt/format.h>
#include <utility>

#include "base/error.hh"
#include "dnc/calls/duration.hh"
#include "dnc/calls/sockets.hh"
#include "dnc/repl/repl_answers.hh"

namespace tcplab::dnc {

std::string ConnectionCommands::socket(const Words& arguments) {
  int family = !sockets_.are_none() && sockets().family(sockets_.selected()) == AF_INET6 ? AF_INET6
                                                                                         : AF_INET;
  if (options_.family) family = *options_.family == base::Family::ipv6 ? AF_INET6 : AF_INET;
  bool non_blocking = false;
  for (const std::string& argument : arguments) {
    if (argument == "nonblock")
      non_blocking = true;
    else if (argument == "4" || argument == "6")
      family = argument == "6" ? AF_INET6 : AF_INET;
    else
      throw base::UsageError("'" + argument + "' is not 4, 6, or nonblock");
  }
  const CallResult answer = calls_.socket(family, non_blocking);
  if (!answer.failed()) sockets_.add(answer.fd());
  return answer_text("socket", answer);
}

std::string ConnectionCommands::bind(const Words& arguments) {
  return answer_text("bind",
                     calls_.bind(sockets_.selected(), resolve_for_socket(arguments).front()));
}

std::string ConnectionCommands::listen(const Words& arguments) {
  const int backlog =
      arguments.empty() ? options_.settings.backlog : parse_number(arguments[0], 0, INT_MAX);
  return answer_text("listen", calls_.listen(sockets_.selected(), backlog));
}

std::string ConnectionCommands::accept(const Words&) {
  const CallResult answer = calls_.accept(sockets_.selected());
  if (!answer.failed()) sockets_.add(answer.fd());
  return answer_text("accept", answer);
}

std::string ConnectionCommands::connect(const Words& arguments) {
  const int fd = sockets_.selected();
  if (arguments.size() == 1) throw base::UsageError("give connect HOST and PORT, or neither");
  if (!arguments.empty()) last_address_ = resolve_for_socket(arguments);
  if (last_address_.empty())
    throw base::UsageError("there is no last address; give connect HOST and PORT");
  return answer_text("connect", calls_.connect(fd, last_address_.front()));
}

std::string ConnectionCommands::poll(const Words& arguments) {
  PollSet set;
  set.socket = {.fd = sockets_.selected(), .events = POLLIN, .revents = 0};
  PollTimeout timeout;
  for (const std::string& argument : arguments) {
    const auto duration = parse_duration(argument);
    const auto events = parse_poll_events(argument);
    if (events)
      set.socket.events = static_cast<short>(*events);
    else if (duration && *duration <= std::chrono::milliseconds(INT_MAX))
      timeout = std::chrono::ceil<std::chrono::milliseconds>(*duration);
    else
      throw base::UsageError("'" + argument + "' is neither poll events nor a duration");
  }
  const CallResult answer = calls_.poll(set, timeout);
  if (answer.result <= 0) return answer_text("poll", answer);
  ArgumentText names;
  const auto revents = set.socket.revents;
  return fmt::format("poll = {} {} ({:#x})\n", answer.result, poll_events(revents, names), revents);
}

std::string ConnectionCommands::shutdown(const Words& arguments) {
  static constexpr std::array<std::pair<std::string_view, int>, 3> kHows = {
      {{"rd", SHUT_RD}, {"wr", SHUT_WR}, {"rdwr", SHUT_RDWR}}};
  for (const auto& [name, how] : kHows)
    if (arguments[0] == name)
      return answer_text("shutdown", calls_.shutdown(sockets_.selected(), how));
  if (!is_number(arguments[0]))
    throw base::UsageError("'" + arguments[0] + "' is not rd, wr, rdwr, or a number");
  // Other numbers are allowed, so that users can see EINVAL.
  const int how = parse_number(arguments[0], 0, INT_MAX);
  return answer_text("shutdown", calls_.shutdown(sockets_.selected(), how));
}

std::string ConnectionCommands::disconnect(const Words&) {
  return answer_text("connect", calls_.disconnect(sockets_.selected()));
}

std::vector<SocketAddress> ConnectionCommands::resolve_for_socket(
    const Words& host_and_port) const {
  const auto family =
      sockets().family(sockets_.selected()) == AF_INET ? base::Family::ipv4 : base::Family::ipv6;
  return resolve({.host = host_and_port.size() > 1 ? host_and_port.front() : "",
                  .port = host_and_port.back(),
                  .family = family,
                  .numeric = options_.numeric});
}

}  // namespace tcplab::dnc
