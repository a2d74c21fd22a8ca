#include <netinet/tcp.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <climits>
#include <cstdint>
#include <fmt/format.h>
#include <numeric>

#include "base/error.hh"
#include "base/escape.hh"
#include "dnc/calls/duration.hh"
#include "dnc/calls/tcp_info_text.hh"
#include "dnc/repl/repl.hh"
#include "dnc/repl/repl_answers.hh"

namespace tcplab::dnc {

namespace {

constexpr std::size_t kAnyWords = SIZE_MAX;
constexpr int kMaxBytes = 1 << 30;  // in one call

std::string data_text(std::string_view call, const CallResult& answer,
                      const std::vector<char>& bytes) {
  if (answer.result <= 0) return answer_text(call, answer);
  const auto size = std::min(static_cast<std::size_t>(answer.result), bytes.size());
  return fmt::format("{} = {} {}\n", call, answer.result, base::c_quote({bytes.data(), size}));
}

bool parse_switch(const std::string& text) {
  if (text != "on" && text != "off") throw base::UsageError("'" + text + "' is not on or off");
  return text == "on";
}

int parse_flag(std::string name) {
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::toupper(letter)); });
  if (!name.starts_with("MSG_")) name.insert(0, "MSG_");
  for (const MessageFlag& flag : message_flags())
    if (flag.name == name) return flag.flag;
  std::string known;
  for (const MessageFlag& flag : message_flags()) known.append(" ").append(flag.name);
  throw base::UsageError("no flag " + name + " is known; choose from" + known);
}

int parse_flags(Words::const_iterator first, Words::const_iterator last) {
  return std::accumulate(
      first, last, 0, [](int flags, const std::string& name) { return flags | parse_flag(name); });
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

bool is_number(const std::string& text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
}

int domain_of(int fd) {
  int domain = AF_INET;
  socklen_t size = sizeof domain;
  ::getsockopt(fd, SOL_SOCKET, SO_DOMAIN, &domain, &size);
  return domain;
}

}  // namespace

std::span<const Repl::Command> Repl::commands() {
  static constexpr std::array kCommands = {
      Command{"socket", "[4|6] [nonblock]", "create a TCP socket and select it", 0, 2,
              &Repl::do_socket},
      Command{"bind", "[HOST] PORT", "bind the socket; port 0 is any free port", 1, 2,
              &Repl::do_bind},
      Command{"listen", "[BACKLOG]", "listen for connections", 0, 1, &Repl::do_listen},
      Command{"accept", "", "accept a connection and select it", 0, 0, &Repl::do_accept},
      Command{"connect", "[HOST PORT]", "connect; by default, to the last address again", 0, 2,
              &Repl::do_connect},
      Command{"poll", "[EVENTS] [TIMEOUT]", "wait for events: poll in|out 2s; by default, forever",
              0, 2, &Repl::do_poll},
      Command{"read", "[N]", "read at most N bytes", 0, 1, &Repl::do_read},
      Command{"write", "TEXT", "write text; C escapes work, quotes keep spaces", 1, kAnyWords,
              &Repl::do_write},
      Command{"fill", "N", "write N bytes", 1, 1, &Repl::do_fill},
      Command{"recv", "[N] [FLAG...]",
              "receive with flags: oob, peek, dontwait, waitall, trunc, errqueue", 0, 8,
              &Repl::do_recv},
      Command{"send", "TEXT [FLAG...]",
              "send with flags: oob, dontwait, nosignal, more, eor, zerocopy", 1, 8,
              &Repl::do_send},
      Command{"shutdown", "rd|wr|rdwr|N", "shut down one direction, or both", 1, 1,
              &Repl::do_shutdown},
      Command{"close", "[FD]", "close the socket, or this one", 0, 1, &Repl::do_close},
      Command{"dup", "", "duplicate the descriptor and select the copy", 0, 0, &Repl::do_dup},
      Command{"pass", "", "send the descriptor into a Unix socket (SCM_RIGHTS)", 0, 0,
              &Repl::do_pass},
      Command{"take", "", "receive a passed descriptor and select it", 0, 0, &Repl::do_take},
      Command{"fork", "", "start a child that only holds our sockets", 0, 0, &Repl::do_fork},
      Command{"kill", "", "send SIGKILL to the last child", 0, 0, &Repl::do_kill},
      Command{"disconnect", "", "connect to AF_UNSPEC", 0, 0, &Repl::do_disconnect},
      Command{"ioctl", "inq|outq|outqnsd|atmark",
              "get the unread, unacknowledged or unsent bytes, or the urgent mark", 1, 1,
              &Repl::do_ioctl},
      Command{"limit", "N", "allow only descriptors below N (RLIMIT_NOFILE)", 1, 1,
              &Repl::do_limit},
      Command{"drop", "", "drop all capabilities", 0, 0, &Repl::do_drop},
      Command{"use", "FD", "select a descriptor, even a closed one (no system call)", 1, 1,
              &Repl::do_use},
      Command{"getsockopt", "NAME", "get an option: SO_ERROR, TCP_USER_TIMEOUT, ...", 1, 1,
              &Repl::do_getsockopt},
      Command{"setsockopt", "NAME VALUE", "set an option: SO_LINGER 0, TCP_NODELAY on, ...", 2, 2,
              &Repl::do_setsockopt},
      Command{"nonblock", "on|off", "set or clear O_NONBLOCK", 1, 1, &Repl::do_nonblock},
      Command{"info", "", "print TCP_INFO, the kernel's data about the connection", 0, 0,
              &Repl::do_info},
      Command{"help", "", "list the commands", 0, 0, &Repl::do_help},
      Command{"quit", "", "exit; the kernel closes what is open", 0, 0, &Repl::do_quit},
  };
  return kCommands;
}

void Repl::add(int fd) {
  std::erase(sockets_, fd);  // `use` may have selected this number while it was closed
  sockets_.push_back(fd);
  select_last();
}

void Repl::remove(int fd) {
  std::erase(sockets_, fd);
  select_last();
}

int Repl::socket() const {
  if (sockets_.empty()) throw base::UsageError("there is no socket; use 'socket' first");
  return sockets_.back();
}

std::vector<SocketAddress> Repl::resolve_for_socket(const Words& host_and_port) const {
  const auto family = domain_of(socket()) == AF_INET ? base::Family::ipv4 : base::Family::ipv6;
  return resolve({.host = host_and_port.size() > 1 ? host_and_port.front() : "",
                  .port = host_and_port.back(),
                  .family = family,
                  .numeric = options_.numeric});
}

std::string Repl::do_socket(const Words& arguments) {
  int family = !sockets_.empty() && domain_of(socket()) == AF_INET6 ? AF_INET6 : AF_INET;
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
  if (!answer.failed()) add(answer.fd());
  return answer_text("socket", answer);
}

std::string Repl::do_bind(const Words& arguments) {
  return answer_text("bind", calls_.bind(socket(), resolve_for_socket(arguments).front()));
}

std::string Repl::do_listen(const Words& arguments) {
  const int backlog =
      arguments.empty() ? options_.settings.backlog : parse_number(arguments[0], 0, INT_MAX);
  return answer_text("listen", calls_.listen(socket(), backlog));
}

std::string Repl::do_accept(const Words&) {
  const CallResult answer = calls_.accept(socket());
  if (!answer.failed()) add(answer.fd());
  return answer_text("accept", answer);
}

std::string Repl::do_connect(const Words& arguments) {
  const int fd = socket();
  if (arguments.size() == 1) throw base::UsageError("give connect HOST and PORT, or neither");
  if (!arguments.empty()) last_address_ = resolve_for_socket(arguments);
  if (last_address_.empty())
    throw base::UsageError("there is no last address; give connect HOST and PORT");
  return answer_text("connect", calls_.connect(fd, last_address_.front()));
}

std::string Repl::do_poll(const Words& arguments) {
  PollSet set;
  set.socket = {.fd = socket(), .events = POLLIN, .revents = 0};
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

std::string Repl::do_read(const Words& arguments) {
  const int fd = socket();
  buffer_.resize(arguments.empty()
                     ? options_.exchange.read_size
                     : static_cast<std::size_t>(parse_number(arguments[0], 0, kMaxBytes)));
  const CallResult answer = calls_.read(fd, buffer_);
  return data_text("read", answer, buffer_);
}

std::string Repl::do_write(const Words& arguments) {
  const std::string text = fmt::format("{}", fmt::join(arguments, " "));
  return answer_text("write", calls_.write(socket(), text));
}

std::string Repl::do_fill(const Words& arguments) {
  const auto size = static_cast<std::size_t>(parse_number(arguments[0], 0, kMaxBytes));
  return answer_text("write", calls_.write(socket(), std::string(size, '.')));
}

std::string Repl::do_recv(const Words& arguments) {
  const int fd = socket();
  const bool sized = !arguments.empty() && is_number(arguments.front());
  buffer_.resize(sized ? static_cast<std::size_t>(parse_number(arguments[0], 0, kMaxBytes))
                       : options_.exchange.read_size);
  const int flags = parse_flags(arguments.begin() + (sized ? 1 : 0), arguments.end());
  const CallResult answer = calls_.receive(fd, buffer_, flags);
  if ((flags & MSG_TRUNC) != 0) return answer_text("recv", answer);
  return data_text("recv", answer, buffer_);
}

std::string Repl::do_send(const Words& arguments) {
  const int flags = parse_flags(arguments.begin() + 1, arguments.end());
  return answer_text("send", calls_.send(socket(), arguments.front(), flags));
}

std::string Repl::do_shutdown(const Words& arguments) {
  static constexpr std::array<std::pair<std::string_view, int>, 3> kHows = {
      {{"rd", SHUT_RD}, {"wr", SHUT_WR}, {"rdwr", SHUT_RDWR}}};
  for (const auto& [name, how] : kHows)
    if (arguments[0] == name) return answer_text("shutdown", calls_.shutdown(socket(), how));
  if (!is_number(arguments[0]))
    throw base::UsageError("'" + arguments[0] + "' is not rd, wr, rdwr, or a number");
  // Other numbers are allowed, so that users can see EINVAL.
  const int how = parse_number(arguments[0], 0, INT_MAX);
  return answer_text("shutdown", calls_.shutdown(socket(), how));
}

std::string Repl::do_close(const Words& arguments) {
  const int fd = arguments.empty() ? socket() : parse_number(arguments[0], 0, INT_MAX);
  if (std::find(sockets_.begin(), sockets_.end(), fd) == sockets_.end())
    throw base::UsageError(fmt::format("cannot close {}: it is not one of our sockets", fd));
  if (fd <= STDERR_FILENO)
    throw base::UsageError(
        fmt::format("cannot close {}: dnc needs it for commands and answers", fd));
  const CallResult answer = calls_.close(fd);
  remove(fd);  // even after an error the descriptor is closed (close(2))
  return answer_text("close", answer);
}

std::string Repl::do_use(const Words& arguments) {
  const int fd = parse_number(arguments[0], 0, INT_MAX);
  // Closed descriptors and other files are allowed, so that users can see how calls fail on them.
  std::erase(sockets_, fd);
  sockets_.push_back(fd);
  select_last();
  return fmt::format("use = {}\n", fd);
}

std::string Repl::do_getsockopt(const Words& arguments) {
  if (strcasecmp(arguments[0].c_str(), "TCP_INFO") == 0) return do_info({});
  const SocketOption& option = parse_option(arguments[0]);
  OptionValue value(option);
  const CallResult answer = calls_.get_option(socket(), option, value);
  if (answer.failed()) return failure("getsockopt", answer.error);
  return fmt::format("getsockopt = {} {} {}\n", answer.result, option.name,
                     value.to_string(option));
}

std::string Repl::do_setsockopt(const Words& arguments) {
  const SocketOption& option = parse_option(arguments[0]);
  const auto value = OptionValue::parse(option, arguments[1]);
  if (!value)
    throw base::UsageError(
        fmt::format("'{}' is not a valid value for {}", arguments[1], option.name));
  return answer_text("setsockopt", calls_.set_option(socket(), option, *value));
}

std::string Repl::do_nonblock(const Words& arguments) {
  const bool on = parse_switch(arguments[0]);
  return answer_text("fcntl", calls_.set_non_blocking(socket(), on));
}

std::string Repl::do_info(const Words&) {
  TcpInfo info{};
  const CallResult answer = calls_.get_tcp_info(socket(), info);
  return answer.failed() ? failure("getsockopt", answer.error)
                         : answer_text("getsockopt", answer) + tcp_info_text(info);
}

}  // namespace tcplab::dnc
