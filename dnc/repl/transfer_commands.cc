#include "dnc/repl/transfer_commands.hh"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <numeric>

#include "base/error.hh"
#include "base/escape.hh"
#include "dnc/calls/duration.hh"
#include "dnc/repl/repl_answers.hh"

namespace tcplab::dnc {

namespace {

constexpr int kMaxBytes = 1 << 30;  // in one call
constexpr int kPipeBytes = 65536;   // that a pipe holds (pipe(7))

std::string data_text(std::string_view call, const CallResult& answer,
                      const std::vector<char>& bytes) {
  if (answer.result <= 0) return answer_text(call, answer);
  const auto size = std::min(static_cast<std::size_t>(answer.result), bytes.size());
  return fmt::format("{} = {} {}\n", call, answer.result, base::c_quote({bytes.data(), size}));
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

}  // namespace

std::string TransferCommands::read(const Words& arguments) {
  const int fd = sockets_.selected();
  buffer_.resize(arguments.empty()
                     ? options_.exchange.read_size
                     : static_cast<std::size_t>(parse_number(arguments[0], 0, kMaxBytes)));
  const CallResult answer = calls_.read(fd, buffer_);
  return data_text("read", answer, buffer_);
}

std::string TransferCommands::write(const Words& arguments) {
  const std::string text = fmt::format("{}", fmt::join(arguments, " "));
  return answer_text("write", calls_.write(sockets_.selected(), text));
}

std::string TransferCommands::fill(const Words& arguments) {
  const auto size = static_cast<std::size_t>(parse_number(arguments[0], 0, kMaxBytes));
  return answer_text("write", calls_.write(sockets_.selected(), std::string(size, '.')));
}

std::string TransferCommands::recv(const Words& arguments) {
  const int fd = sockets_.selected();
  const bool sized = !arguments.empty() && is_number(arguments.front());
  buffer_.resize(sized ? static_cast<std::size_t>(parse_number(arguments[0], 0, kMaxBytes))
                       : options_.exchange.read_size);
  const int flags = parse_flags(arguments.begin() + (sized ? 1 : 0), arguments.end());
  const CallResult answer = calls_.receive(fd, buffer_, flags);
  if ((flags & MSG_TRUNC) != 0) return answer_text("recv", answer);
  return data_text("recv", answer, buffer_);
}

std::string TransferCommands::recvmsg(const Words& arguments) {
  const int fd = sockets_.selected();
  const bool sized = !arguments.empty() && is_number(arguments.front());
  buffer_.resize(sized ? static_cast<std::size_t>(parse_number(arguments[0], 0, kMaxBytes))
                       : options_.exchange.read_size);
  const int flags = parse_flags(arguments.begin() + (sized ? 1 : 0), arguments.end());
  ControlData control;
  const CallResult answer = messages_.receive(fd, buffer_, flags, control);
  std::string text = (flags & MSG_TRUNC) != 0 ? answer_text("recvmsg", answer)
                                              : data_text("recvmsg", answer, buffer_);
  if (!control.text().empty()) text.insert(text.size() - 1, " {" + control.text() + "}");
  return text;
}

std::string TransferCommands::splice(const Words& arguments) {
  const bool receives = arguments[0] == "in";
  if (!receives && arguments[0] != "out")
    throw base::UsageError("splice in: from the socket into the pipe; splice out: back");
  const int fd = sockets_.selected();
  const auto count = static_cast<std::size_t>(
      arguments.size() > 1 ? parse_number(arguments[1], 0, kMaxBytes) : kPipeBytes);
  if (pipe_[0] < 0) {
    const CallResult answer = messages_.pipe(pipe_);
    if (answer.failed()) return answer_text("pipe2", answer);
  }
  return answer_text("splice", receives ? messages_.splice(fd, pipe_[1], fd, count)
                                        : messages_.splice(pipe_[0], fd, fd, count));
}

std::string TransferCommands::send(const Words& arguments) {
  const int flags = parse_flags(arguments.begin() + 1, arguments.end());
  return answer_text("send", calls_.send(sockets_.selected(), arguments.front(), flags));
}

}  // namespace tcplab::dnc
