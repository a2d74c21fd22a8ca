#include "dnc/repl/option_commands.hh"

#include <strings.h>

#include <fmt/format.h>

#include "base/error.hh"
#include "dnc/calls/tcp_info_text.hh"
#include "dnc/repl/repl_answers.hh"

namespace tcplab::dnc {

namespace {

bool parse_switch(const std::string& text) {
  if (text != "on" && text != "off") throw base::UsageError("'" + text + "' is not on or off");
  return text == "on";
}

const SocketOption& parse_option(const std::string& name) {
  const SocketOption* option = base::find_socket_option(name);
  if (option == nullptr) option = base::find_socket_option("SO_" + name);
  if (option == nullptr) option = base::find_socket_option("TCP_" + name);
  if (option != nullptr) return *option;
  std::string known;
  for (const SocketOption& one : base::socket_options()) known.append(" ").append(one.name);
  throw base::UsageError("no socket option '" + name + "' is known; choose from" + known +
                         "; info prints TCP_INFO");
}

}  // namespace

std::string OptionCommands::getsockopt(const Words& arguments) {
  if (strcasecmp(arguments[0].c_str(), "TCP_INFO") == 0) return info({});
  const SocketOption& option = parse_option(arguments[0]);
  OptionValue value(option);
  const CallResult answer = calls_.get_option(sockets_.selected(), option, value);
  if (answer.failed()) return failure("getsockopt", answer.error);
  return fmt::format("getsockopt = {} {} {}\n", answer.result, option.name,
                     value.to_string(option));
}

std::string OptionCommands::setsockopt(const Words& arguments) {
  const SocketOption& option = parse_option(arguments[0]);
  const auto value = OptionValue::parse(option, arguments[1]);
  if (!value)
    throw base::UsageError(
        fmt::format("'{}' is not a valid value for {}", arguments[1], option.name));
  return answer_text("setsockopt", calls_.set_option(sockets_.selected(), option, *value));
}

std::string OptionCommands::nonblock(const Words& arguments) {
  const bool on = parse_switch(arguments[0]);
  return answer_text("fcntl", calls_.set_non_blocking(sockets_.selected(), on));
}

std::string OptionCommands::info(const Words&) {
  TcpInfo info{};
  const CallResult answer = calls_.get_tcp_info(sockets_.selected(), info);
  return answer.failed() ? failure("getsockopt", answer.error)
                         : answer_text("getsockopt", answer) + tcp_info_text(info);
}

std::string OptionCommands::ioctl(const Words& arguments) {
  std::string known;
  for (const SocketIoctl& request : socket_ioctls()) {
    known += (known.empty() ? "" : ", ") + std::string(request.name);
    if (arguments[0] != request.name) continue;
    int value = 0;
    const CallResult answer = calls_.ioctl(sockets_.selected(), request, value);
    if (answer.failed()) return answer_text("ioctl", answer);
    return fmt::format("ioctl = {} {} {}\n", answer.result, request.request_name, value);
  }
  throw base::UsageError("'" + arguments[0] + "' is not valid; choose from " + known);
}

}  // namespace tcplab::dnc
